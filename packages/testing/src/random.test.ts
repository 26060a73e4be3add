import { expect, test } from 'vitest'
import { seededBelow, seededChoices, seededRandom } from './random.ts'

test('the same seed gives the same numbers, in all three forms', () => {
  const [next, below, choices] = [seededRandom(7), seededBelow(7), seededChoices(7)]
  const first = next()
  expect(first).toBeCloseTo(0.0117, 4)
  expect(below(2 ** 32)).toBe(first * 2 ** 32)
  expect(choices.int(1000)).toBe(Math.floor(first * 1000))
})
