import { expect, test } from 'vitest'
import { Attempts, Slowdown } from './attempts.ts'

test('[ACC-15] what goes wrong too often has to wait, each key for itself', () => {
  let now = 1000
  const attempts = new Attempts({ times: 2, withinMs: 500 }, () => now)
  expect([attempts.take('a'), attempts.take('a'), attempts.take('a'), attempts.take('b')]).toEqual([0, 0, 500, 0])
  now += 499
  expect(attempts.take('a')).toBe(1)
  now += 1
  expect(attempts.take('a')).toBe(0)
})

test('[ACC-15] what goes well doesn’t count', () => {
  const attempts = new Attempts({ times: 1, withinMs: 500 }, () => 0)
  for (let round = 0; round < 5; round += 1) {
    expect(attempts.take('a')).toBe(0)
    attempts.refund('a')
  }
})

test('[ACC-15] what goes wrong is slowed down: one more for its share of the hour', () => {
  let now = 0
  const slowdown = new Slowdown({ atOnce: 2, perHour: 60 }, () => now)
  expect([slowdown.take('a'), slowdown.take('a'), slowdown.take('a'), slowdown.take('b')]).toEqual([0, 0, 60_000, 0])
  now += 59_999
  expect(slowdown.take('a')).toBeLessThanOrEqual(2)
  now += 2
  expect([slowdown.take('a'), slowdown.take('a')]).toEqual([0, expect.closeTo(60_000, -2)])
  slowdown.refund('a')
  expect(slowdown.take('a')).toBe(0)
  let guesses = 0
  for (; now < 24 * 3_600_000; now += 1000) if (slowdown.take('c') === 0) guesses += 1
  expect(guesses).toBeLessThanOrEqual(24 * 60 + 2)
})
