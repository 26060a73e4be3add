import type { UsageReport, Used } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { axisEnd, daysOf, seriesOf } from './usage-series.ts'

const used = (tokens: number): Used => ({ runs: 1, inputTokens: tokens, outputTokens: 0, cost: tokens / 100 })
const report = {
  from: '2026-10-24',
  to: '2026-10-26',
  models: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((model, index) => ({ model, ...used(10 - index) })),
  days: [
    { day: '2026-10-24', model: 'a', ...used(10) },
    { day: '2026-10-26', model: 'f', ...used(5) },
    { day: '2026-10-26', model: 'g', ...used(4) },
  ],
} as unknown as UsageReport

test('[BUDGET-6] the chart has every day, the models with the most, and the others together', () => {
  expect(daysOf(report)).toEqual(['2026-10-24', '2026-10-25', '2026-10-26'])
  const series = seriesOf(report, 'tokens')
  expect(series.map(({ model }) => model)).toEqual(['a', 'b', 'c', 'd', 'e', undefined])
  expect(series[0]?.values).toEqual([10, 0, 0])
  expect(series[5]?.values).toEqual([0, 0, 9])
  expect(seriesOf(report, 'cost')[0]?.values[0]).toBe(0.1)
})

test.each([
  [0, 1],
  [0.03, 0.05],
  [1, 1],
  [1.2, 2],
  [4300, 5000],
  [51_000, 100_000],
])('[BUDGET-6] an axis for values up to %d ends at %d', (highest, end) => {
  expect(axisEnd(highest)).toBeCloseTo(end)
})
