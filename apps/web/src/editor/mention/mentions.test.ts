import { describe, expect, test } from 'vitest'
import { findTargets } from './mentions.ts'

const people = [
  { id: '1', name: 'Ana Lima', color: '#2f5d50' },
  { id: '2', name: 'Bo Agerholm', color: '#8a4b2f' },
]

describe('findTargets', () => {
  test('lists the agent first, then the people who are here', () => {
    expect(findTargets(people, '').map(({ label }) => label)).toEqual(['agent', 'Ana Lima', 'Bo Agerholm'])
  })

  test('matches the beginning of any word of a name, in any case', () => {
    expect(findTargets(people, 'AG').map(({ label }) => label)).toEqual(['agent', 'Bo Agerholm'])
    expect(findTargets(people, 'lim').map(({ id, kind }) => [id, kind])).toEqual([['1', 'person']])
    expect(findTargets(people, 'xyz')).toEqual([])
  })
})
