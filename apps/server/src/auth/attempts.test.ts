import { expect, test } from 'vitest'
import { Attempts } from './attempts.ts'

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
    attempts.giveBack('a')
  }
})
