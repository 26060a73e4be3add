import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffText, type Hunk } from './text.ts'

function diff(before: string, after: string): Hunk[] {
  return diffText({ text: before }, { text: after }, { keepsFew: true })
}

function apply(before: string, after: string): string {
  return diff(before, after).reduceRight(
    (text, { from, to, at, end }) => text.slice(0, from) + after.slice(at, end) + text.slice(to),
    before,
  )
}

describe('diffText', () => {
  test.each([
    ['teh', 'the', [{ from: 1, to: 3, at: 1, end: 3 }]],
    ['same', 'same', []],
    ['', 'new', [{ from: 0, to: 0, at: 0, end: 3 }]],
    ['old', '', [{ from: 0, to: 3, at: 0, end: 0 }]],
    ['a cat sat', 'a dog sat', [{ from: 2, to: 5, at: 2, end: 5 }]],
    ['one two three', 'one three', [{ from: 4, to: 8, at: 4, end: 4 }]],
    ['😀', '😁', [{ from: 0, to: 2, at: 0, end: 2 }]],
    [
      'x y z',
      'x1 y z1',
      [
        { from: 1, to: 1, at: 1, end: 2 },
        { from: 5, to: 5, at: 6, end: 7 },
      ],
    ],
  ])('%j → %j', (before, after, hunks) => {
    expect(diff(before, after)).toEqual(hunks)
  })

  test('gives what it was asked for, never half of a surrogate pair', () => {
    const words = fc.array(fc.constantFrom('a', 'bc', ' ', ' ', '.', '😀', '😁', 'é', 'e\u0301', '\n'), {
      maxLength: 30,
    })
    const text = words.map((parts) => parts.join(''))
    const property = fc.property(text, text, (before, after) => {
      expect(apply(before, after)).toBe(after)
      for (const hunk of diff(before, after)) {
        expect(after.slice(hunk.at, hunk.end).isWellFormed()).toBe(true)
        expect(before.slice(hunk.from, hunk.to).isWellFormed()).toBe(true)
      }
    })
    fc.assert(property, { seed: 42, numRuns: 500 })
  })

  test('words that are replaced next to each other are one phrase, unless few words are kept apart', () => {
    const [before, after] = ['taken within minutes.', 'taken by ten past nine.']
    expect(diffText({ text: before }, { text: after })).toEqual([{ from: 6, to: 20, at: 6, end: 22 }])
    expect(diff(before, after)).toHaveLength(2)
    const typed = diffText({ text: 'a bc de' }, { text: 'a bcx dex' })
    expect(typed.map(({ from }) => from)).toEqual([4, 7])
  })

  test('a very long text is one piece', () => {
    const before = 'word '.repeat(1_000)
    expect(diff(before, `${before}X`)).toEqual([{ from: 5_000, to: 5_000, at: 5_000, end: 5_001 }])
  })
})
