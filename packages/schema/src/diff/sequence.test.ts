import { expect, test } from 'vitest'
import { heaviestPairs } from './sequence.ts'

const byLength = (old: readonly string[], now: readonly string[]) =>
  heaviestPairs(old, now, (a, b) => (a === b ? a.length : 0))

test('pairs rise on both sides and are worth most together, not each by itself', () => {
  expect(byLength(['one', 'two', 'three'], ['two', 'three', 'one'])).toEqual([
    [1, 0],
    [2, 1],
  ])
  // One long word outweighs two short ones that conflict with it.
  expect(byLength(['a', 'b', 'considerable'], ['considerable', 'a', 'b'])).toEqual([[2, 0]])
})

test('what is worth nothing stays alone, and nothing pairs with nothing', () => {
  expect(byLength(['a', 'b'], ['c', 'd'])).toEqual([])
  expect(byLength([], ['a'])).toEqual([])
})
