import type { UsageReport, Used } from '@copydesk/protocol'

/** The measure of a chart: tokens, or money. */
export type Measure = 'tokens' | 'cost'

/** One model in the chart; `values` has one value for each day. The last series may be that of all other models. */
export type Series = { model: string | undefined; values: number[] }

const seriesAtMost = 5
const dayMs = 24 * 60 * 60_000

/** The value of one row of a report. */
export function valueOf({ inputTokens, outputTokens, cost }: Used, measure: Measure): number {
  return measure === 'cost' ? cost : inputTokens + outputTokens
}

/** All days of a report, oldest first. */
export function daysOf({ from, to }: Pick<UsageReport, 'from' | 'to'>): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(from) + index * dayMs).toISOString().slice(0, 10),
  )
}

/** The usage by day of the models with the highest usage, and of the others together (`model` undefined). */
export function seriesOf(report: UsageReport, measure: Measure): Series[] {
  const days = daysOf(report)
  const ranked = report.models
    .filter((each) => valueOf(each, measure) > 0)
    .toSorted((a, b) => valueOf(b, measure) - valueOf(a, measure))
    .map(({ model }) => model)
  const shown: (string | undefined)[] = ranked.slice(0, seriesAtMost)
  if (ranked.length > seriesAtMost) shown.push(undefined)
  const series = shown.map((model) => ({ model, values: days.map(() => 0) }))
  for (const row of report.days) {
    const at = days.indexOf(row.day)
    const found = series.find(({ model }) => model === row.model) ?? series.find(({ model }) => model === undefined)
    if (found) found.values[at] = (found.values[at] ?? 0) + valueOf(row, measure)
  }
  return series
}

/** The end of an axis for values up to `highest`: 1, 2 or 5 times a power of ten. */
export function axisEnd(highest: number): number {
  if (highest <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(highest))
  return power * ([1, 2, 5, 10].find((times) => times * power >= highest) ?? 10)
}
