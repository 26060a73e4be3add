import { expect, test } from 'vitest'
import { markRanges, nearFirst } from './mark-ranges.ts'

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

test('a found place that comes late is brought near the beginning', () => {
  const text = 'People bring their own lamps because the ceiling lights are too dim'
  const from = text.indexOf('lights')
  const near = nearFirst({ text, ranges: [{ from, to: from + 6 }] })
  expect(marked(near.text, ...near.ranges.map(({ from: start, to }): [number, number] => [start, to]))).toBe(
    '…their own lamps because the ceiling [lights] are too dim',
  )
  expect(nearFirst({ text, ranges: [{ from: 7, to: 12 }] }).text).toBe(text)
  expect(nearFirst({ text, ranges: [] }).text).toBe(text)
  const long = `${'語'.repeat(50)}lights`
  expect(nearFirst({ text: long, ranges: [{ from: 50, to: 56 }] }).text).toBe('…lights')
})
