import { expect, test } from 'vitest'
import { nameChange, neighbour } from './change-text.ts'

test('a change is named by what it does', () => {
  expect(nameChange({ type: 'replacement', before: 'teh', after: 'the' })).toBe('Replace')
  expect(nameChange({ type: 'insertion', before: '', after: 'new' })).toBe('Insert')
  expect(nameChange({ type: 'deletion', before: 'old', after: '' })).toBe('Delete')
  expect(nameChange({ type: 'block', before: '', after: 'new' })).toBe('New block')
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
