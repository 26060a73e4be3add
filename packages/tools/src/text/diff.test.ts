import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffText } from './diff.ts'

function apply(before: string, after: string): string {
  return diffText(before, after).reduceRight(
    (text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to),
    before,
  )
}

describe('diffText', () => {
  test.each([
    ['teh', 'the', [{ from: 1, to: 3, at: 1, text: 'he' }]],
    ['same', 'same', []],
    ['', 'new', [{ from: 0, to: 0, at: 0, text: 'new' }]],
    ['old', '', [{ from: 0, to: 3, at: 0, text: '' }]],
    ['a cat sat', 'a dog sat', [{ from: 2, to: 5, at: 2, text: 'dog' }]],
    ['one two three', 'one three', [{ from: 4, to: 8, at: 4, text: '' }]],
    ['😀', '😁', [{ from: 0, to: 2, at: 0, text: '😁' }]],
    [
      'x y z',
      'x1 y z1',
      [
        { from: 1, to: 1, at: 1, text: '1' },
        { from: 5, to: 5, at: 6, text: '1' },
      ],
    ],
  ])('%j → %j', (before, after, hunks) => {
    expect(diffText(before, after)).toEqual(hunks)
  })

  test('gives what it was asked for, never half of a surrogate pair', () => {
    const words = fc.array(fc.constantFrom('a', 'bc', ' ', ' ', '.', '😀', '😁', 'é', 'e\u0301', '\n'), {
      maxLength: 30,
    })
    const text = words.map((parts) => parts.join(''))
    const property = fc.property(text, text, (before, after) => {
      expect(apply(before, after)).toBe(after)
      for (const hunk of diffText(before, after)) {
        expect(hunk.text.isWellFormed()).toBe(true)
        expect(before.slice(hunk.from, hunk.to).isWellFormed()).toBe(true)
        expect(after.slice(hunk.at, hunk.at + hunk.text.length)).toBe(hunk.text)
      }
    })
    fc.assert(property, { seed: 42, numRuns: 500 })
  })

  test('a very long text is one piece', () => {
    const before = 'word '.repeat(1_000)
    expect(diffText(before, `${before}X`)).toEqual([{ from: 5_000, to: 5_000, at: 5_000, text: 'X' }])
  })
})
