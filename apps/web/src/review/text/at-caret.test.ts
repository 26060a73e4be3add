import { expect, test } from 'vitest'
import { nextAnchor } from './at-caret.ts'

const anchors = [
  ['b', { from: 20, to: 25 }],
  ['a', { from: 5, to: 9 }],
  ['c', { from: 40, to: 41 }],
] as const

test('goes from the current one to the next in the text, round the end', () => {
  expect(nextAnchor(anchors, 0, 'a', 1)?.id).toBe('b')
  expect(nextAnchor(anchors, 0, 'c', 1)?.id).toBe('a')
  expect(nextAnchor(anchors, 0, 'a', -1)?.id).toBe('c')
})

test('begins at the caret where none is current', () => {
  expect(nextAnchor(anchors, 10, null, 1)?.id).toBe('b')
  expect(nextAnchor(anchors, 10, 'gone', -1)?.id).toBe('a')
  expect(nextAnchor(anchors, 60, null, 1)?.id).toBe('a')
  expect(nextAnchor([], 0, null, 1)).toBeUndefined()
})
