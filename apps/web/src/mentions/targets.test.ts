import { describe, expect, test } from 'vitest'
import { findTargets, mentionQuery } from './targets.ts'

const people = [
  { id: '1', name: 'Ana Lima', color: '#2f5d50', here: true },
  { id: '2', name: 'Bo Agerholm', color: '#8a4b2f', here: false },
]
const editor = { id: 'e', handle: 'editor', name: 'Editor', color: '#2f5d50', description: 'shortens' }

describe('findTargets', () => {
  test('lists the agents first, then people, and says what they do and who is here', () => {
    expect(findTargets(people, '', [editor]).map(({ label, detail }) => `${label} ${detail}`)).toEqual([
      'agent writes with you',
      'editor shortens',
      'Ana Lima here now',
      'Bo Agerholm ',
    ])
    expect(findTargets(people, '').map(({ detail }) => detail)).toEqual(['here now', ''])
  })

  test('matches the beginning of any word of a name, in any case, and names of several words', () => {
    expect(findTargets(people, 'AG', []).map(({ label }) => label)).toEqual(['agent', 'Bo Agerholm'])
    expect(findTargets(people, 'lim', []).map(({ id, kind }) => [id, kind])).toEqual([['1', 'person']])
    expect(findTargets(people, 'ana l').map(({ id }) => id)).toEqual(['1'])
    expect(findTargets(people, 'xyz', [])).toEqual([])
  })
})

describe('mentionQuery', () => {
  const at = (text: string) => mentionQuery(text, text.length)

  test('finds what is typed after an @ that begins a word', () => {
    expect(at('@')).toEqual({ from: 0, query: '' })
    expect(at('Hi @An')).toEqual({ from: 3, query: 'An' })
    expect(at('Hi (@Ana Li')).toEqual({ from: 4, query: 'Ana Li' })
    expect(at('@Øystein')).toEqual({ from: 0, query: 'Øystein' })
    expect(mentionQuery('@Ana and more', 3)).toEqual({ from: 0, query: 'An' })
  })

  test('finds nothing in addresses, behind a finished mention and in plain text', () => {
    expect(at('me@example')).toBeUndefined()
    expect(at('@Ana Lima is')).toBeUndefined()
    expect(at('@Ana, ')).toBeUndefined()
    expect(at('plain')).toBeUndefined()
  })
})
