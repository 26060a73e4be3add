import { expect, test } from 'vitest'
import { createSpelledOut } from './named-addresses.ts'

const asked = 'Find out how many solar panels Germany installed, and add a sentence. Übrigens: auch in Köln!'

test.each([
  ['the same words', 'solar panels Germany', true],
  ['in another order and form', 'germany: latest SOLAR panel figures', true],
  ['a beginning that is too short', 'sol', false],
  ['a word of nobody', 'solar panels 4711', false],
  ['a number with more digits', 'solar panels Germany1', false],
  ['letters with accents', 'Köln solar', true],
  ['decomposed', 'Ko\u0308ln solar', true],
  ['signs that nobody sees', 'solar\u200b panels', false],
  ['signs that carry data', 'solar panels \u{e0041}\u{e0042}', false],
])('[INJ-6] a query with %s is spelled out in the instruction or not', (_title, query, expected) => {
  expect(createSpelledOut(asked)(query)).toBe(expected)
})
