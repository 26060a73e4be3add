import { expect, test } from 'vitest'
import { nameChange, nameOthers, neighbour } from './change-text.tsx'

test('a change is named by what it does', () => {
  expect(nameChange({ type: 'replacement', before: 'teh', after: 'the' })).toBe('Replace')
  expect(nameChange({ type: 'insertion', before: '', after: 'new' })).toBe('Insert')
  expect(nameChange({ type: 'deletion', before: 'old', after: '' })).toBe('Delete')
  expect(nameChange({ type: 'block', before: '', after: 'new' })).toBe('New block')
})

test('[REV-30] other people who have written into a change are named next to its author', () => {
  const person = (id: string, name: string) => ({ id, name, kind: 'person' as const })
  const agent = { id: 'agent', name: 'Agent', kind: 'agent' as const }
  const ben = person('ben', 'Ben')
  expect(nameOthers({ author: ben })).toBeUndefined()
  expect(nameOthers({ author: ben, alsoBy: [person('m', 'Mallory')] })).toBe('Also written by Mallory')
  expect(nameOthers({ author: ben, alsoBy: [person('m', 'Mallory'), agent, { ...agent, run: 'r2' }] })).toBe(
    'Also written by Mallory and Agent',
  )
  expect(nameOthers({ author: agent, alsoBy: [{ ...agent, run: 'r2' }] })).toBe('Also written by Agent in another run')
  const crowd = ['Cy', 'Dan', 'Eve', 'Flo', 'Gus'].map((name) => person(name, name))
  expect(nameOthers({ author: ben, alsoBy: crowd })).toBe('Also written by Cy, Dan, Eve, and 2 more')
  expect(nameOthers({ author: ben, alsoBy: crowd.slice(0, 4) })).toBe('Also written by Cy, Dan, Eve, and 1 more')
})

test('next and previous go round', () => {
  const ids = ['a', 'b', 'c']
  expect(neighbour(ids, 'b', 1)).toBe('c')
  expect(neighbour(ids, 'c', 1)).toBe('a')
  expect(neighbour(ids, 'a', -1)).toBe('c')
  expect(neighbour(ids, undefined, 1)).toBe('a')
  expect(neighbour(ids, 'gone', -1)).toBe('c')
  expect(neighbour([], 'a', 1)).toBeUndefined()
})
