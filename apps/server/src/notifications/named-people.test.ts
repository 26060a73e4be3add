import { describe, expect, test } from 'vitest'
import { excerptOf, namedPeople } from './named-people.ts'

const ana = { id: '1', name: 'Ana' }
const lima = { id: '2', name: 'Ana Lima' }
const other = { id: '3', name: 'Ana' }
const hostile = { id: '4', name: '<b>$&\\d.*</b>' }

describe('namedPeople', () => {
  test('[NOTE-3] finds the people whose @name is in the text as words', () => {
    expect(namedPeople('Hi @Ana, look', [ana, hostile])).toEqual([ana])
    expect(namedPeople('Hi @Ana_ and @Anabel and me@Ana', [ana])).toEqual([])
    expect(namedPeople('(@Ana)', [ana])).toEqual([ana])
    expect(namedPeople('@Ana', [])).toEqual([])
  })

  test('[NOTE-3] a longer name counts before a shorter one that it begins with', () => {
    expect(namedPeople('@Ana Lima', [ana, lima])).toEqual([lima])
    expect(namedPeople('@Ana Lima and @Ana', [ana, lima])).toEqual([ana, lima])
  })

  test('[NOTE-3] two people of one name are both meant if both are asked for', () => {
    expect(namedPeople('@Ana', [ana, other])).toEqual([ana, other])
  })

  test('[NOTE-3] names are no patterns', () => {
    expect(namedPeople(`see @${hostile.name}!`, [hostile])).toEqual([hostile])
    expect(namedPeople('see @<b>x5</b>', [hostile])).toEqual([])
  })
})

describe('excerptOf', () => {
  test('[NOTE-9] is one line without control and direction characters', () => {
    expect(excerptOf('a\n\tb\u202E c\u0000')).toBe('a b c')
  })

  test('[NOTE-9] is cut where it is long, never through a character', () => {
    const cut = excerptOf('😀'.repeat(300))
    expect(cut.length).toBeLessThanOrEqual(240)
    expect(cut.endsWith('…')).toBe(true)
    expect(cut.isWellFormed()).toBe(true)
  })
})
