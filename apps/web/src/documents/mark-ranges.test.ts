import { expect, test } from 'vitest'
import { markRanges } from './mark-ranges.ts'

const marked = (text: string, ...ranges: [number, number][]) =>
  markRanges(
    text,
    ranges.map(([from, to]) => ({ from, to })),
  )
    .map(({ part, isMarked }) => (isMarked ? `[${part}]` : part))
    .join('')

test('the ranges of a text are marked', () => {
  expect(marked('a lamp and lamps', [2, 6], [11, 15])).toBe('a [lamp] and [lamp]s')
  expect(marked('lamp')).toBe('lamp')
})

test('ranges in any order, that overlap or reach beyond the text', () => {
  expect(marked('lamps', [2, 9], [0, 3])).toBe('[lam][ps]')
  expect(marked('lamp', [9, 12], [2, 1])).toBe('lamp')
})
