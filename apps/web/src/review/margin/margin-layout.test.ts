import { expect, test } from 'vitest'
import { arrange } from './margin-layout.ts'

const at = (...wanted: number[]) => wanted.map((top) => ({ wanted: top, height: 40 }))

test('cards are next to their texts where there is room', () => {
  expect(arrange(at(0, 100, 300), undefined, 10)).toEqual([0, 100, 300])
})

test('cards push each other down', () => {
  expect(arrange(at(0, 10, 20, 300), undefined, 10)).toEqual([0, 50, 100, 300])
})

test('the active card is at its text, and those above make room', () => {
  expect(arrange(at(200, 210, 220, 230), 2, 10)).toEqual([120, 170, 220, 270])
})

test('at the very top the active card gives way', () => {
  expect(arrange(at(0, 0, 0), 2, 10)).toEqual([0, 50, 100])
})

test('cards never cover each other, whichever is active', () => {
  const cards = [5, 7, 7, 60, 61, 400, 402].map((wanted, index) => ({ wanted, height: 20 + index * 13 }))
  for (const active of [undefined, 0, 1, 2, 3, 4, 5, 6]) {
    const tops = arrange(cards, active, 8)
    for (let index = 1; index < cards.length; index++) {
      expect(tops[index]).toBeGreaterThanOrEqual(tops[index - 1]! + cards[index - 1]!.height + 8)
    }
    expect(tops[0]).toBeGreaterThanOrEqual(0)
  }
})
