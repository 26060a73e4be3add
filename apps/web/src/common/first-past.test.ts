import { expect, test } from 'vitest'
import { firstPast } from './first-past.ts'

test('the first that is past is found', () => {
  const numbers = [1, 3, 5, 9]
  expect(firstPast(4, (index) => (numbers[index] ?? 0) > 4)).toBe(2)
  expect(firstPast(4, () => false)).toBe(4)
  expect(firstPast(0, () => true)).toBe(0)
})
