import { describe, expect, test } from 'vitest'
import { matchTexts } from './match-texts.ts'

/** For each old text its moved words, and their destination. */
function moved(old: string[], now: string[]): string[][] {
  return matchTexts(old, now).map((runs, index) =>
    runs.map(({ from, length, now: place, at }) => {
      const text = old[index]!.slice(from, from + length)
      expect(now[place]!.slice(at, at + length)).toBe(text)
      return `${place}: ${text}`
    }),
  )
}

describe('matchTexts', () => {
  test('pairs equal texts in their order', () => {
    expect(moved(['same', 'same', 'other'], ['other', 'same', 'same'])).toEqual([
      ['1: same'],
      ['2: same'],
      ['0: other'],
    ])
  })

  test('finds texts that were joined and texts that were split', () => {
    expect(moved(['one', 'two'], ['one two'])).toEqual([['0: one'], ['0: two']])
    expect(moved(['one two'], ['one', 'two'])).toEqual([['0: one', '1: two']])
  })

  test('finds what is left of a text that was changed on the way', () => {
    expect(moved(['the quick brown fox'], ['the slow brown fox'])).toEqual([['0: the ', '0:  brown fox']])
  })

  test('says of what is nowhere that it is nowhere', () => {
    expect(moved(['gone for good'], ['quite another'])).toEqual([[]])
    expect(moved(['gone'], [])).toEqual([[]])
  })

  test('pairs an empty text with the empty one in its place', () => {
    expect(moved(['a', '', 'b', ''], ['a', '', 'b'])).toEqual([['0: a'], ['1: '], ['2: b'], []])
  })

  test('never cuts a surrogate pair', () => {
    expect(moved(['abc 😀 def'], ['abc 😁 def'])).toEqual([['0: abc ', '0:  def']])
  })

  test('goes through thousands of changed texts and stops comparing at its limit', () => {
    const old = Array.from({ length: 3_000 }, (_, index) => `paragraph ${index} ${'some words of it '.repeat(10)}`)
    const matches = matchTexts(
      old,
      old.map((text) => text.replace('words', 'terms')),
    )
    expect(matches.filter((runs) => runs.length > 0).length).toBeGreaterThan(100)
  })
})
