import { expect, test } from 'vitest'
import { shiftInto } from './caret-labels.ts'

test('a label that fits stays where it is', () => {
  expect(shiftInto(100, 80, 0, 390)).toBe(0)
})

test('one that would be cut off is moved inside, whichever side it is', () => {
  expect(shiftInto(350, 80, 0, 390)).toBe(-44)
  expect(shiftInto(-30, 80, 0, 390)).toBe(34)
})

test('one that is wider than the text begins where that begins', () => {
  expect(shiftInto(200, 500, 0, 390)).toBe(-196)
})
