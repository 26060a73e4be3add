import type { UsageReport } from '@copydesk/protocol'
import { formatDate, formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { FigureTable } from './figure-table.tsx'
import { axisEnd, daysOf, type Measure, type Series, seriesOf } from './usage-series.ts'

const colors = ['var(--accent)', 'var(--agent)', 'var(--star)', 'var(--danger)', 'var(--ink-soft)']
const othersColor = 'var(--line-strong)'

type UsageChartProps = { report: UsageReport; measure: Measure }

/** Bars for each day, divided by model, and the same figures as a table. */
export function UsageChart({ report, measure }: UsageChartProps) {
  const days = daysOf(report)
  const series = seriesOf(report, measure)
  const sums = days.map((_, day) => sumOf(series, day))
  const end = axisEnd(Math.max(...sums))
  if (series.length === 0) return <p className="text-sm text-ink-faint">{t('Nothing was used in these days.')}</p>
  return (
    <div className="flex flex-col gap-3">
      <figure className="flex flex-col gap-2">
        <div aria-hidden className="grid grid-cols-[auto_1fr] gap-x-2 text-xs text-ink-faint tabular-nums">
          <div className="-my-2 flex flex-col items-end justify-between">
            <span>{amount(end, measure, true)}</span>
            <span>{amount(end / 2, measure, true)}</span>
            <span>0</span>
          </div>
          <Bars days={days} series={series} end={end} measure={measure} />
          <div className="col-start-2 flex justify-between pt-1">
            <span>{shortDay(days[0])}</span>
            <span>{shortDay(days[Math.floor(days.length / 2)])}</span>
            <span>{shortDay(days.at(-1))}</span>
          </div>
        </div>
        <figcaption>
          <ul aria-label={t('Models')} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            {series.map(({ model, values }, index) => (
              <li key={model ?? 'others'} className="flex min-w-0 items-center gap-1.5">
                <svg aria-hidden className="size-2.5 shrink-0" viewBox="0 0 10 10">
                  <rect width="10" height="10" rx="2" fill={colorOf(series, index)} />
                </svg>
                <bdi className="truncate">{nameOf(model)}</bdi>
                <span className="text-ink-soft tabular-nums">{amount(total(values), measure)}</span>
              </li>
            ))}
          </ul>
        </figcaption>
      </figure>
      <details className="text-sm">
        <summary className="inline-flex min-h-8 cursor-pointer items-center text-accent pointer-coarse:min-h-10">
          {t('Show the chart as a table')}
        </summary>
        <DayTable days={days} series={series} measure={measure} />
      </details>
    </div>
  )
}

type DrawnProps = { days: readonly string[]; series: readonly Series[]; measure: Measure }

// In units of days and hundredths of the axis; only the drawing is stretched, not its labels.
function Bars({ days, series, end, measure }: DrawnProps & { end: number }) {
  return (
    <svg viewBox={`0 0 ${days.length} 100`} preserveAspectRatio="none" className="h-44 w-full overflow-visible">
      {[0, 50, 100].map((y) => (
        <line
          key={y}
          x1={0}
          x2={days.length}
          y1={y}
          y2={y}
          stroke="var(--line)"
          strokeWidth={1}
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {days.map((day, at) => {
        let top = 100
        return (
          <g key={day}>
            <title>{`${longDay(day)}: ${amount(sumOf(series, at), measure)}`}</title>
            <rect x={at} y={0} width={1} height={100} fill="transparent" />
            {series.map(({ model, values }, index) => {
              const height = ((values[at] ?? 0) / end) * 100
              top -= height
              if (height === 0) return null
              return (
                <rect
                  key={model ?? 'others'}
                  x={at + 0.15}
                  y={top}
                  width={0.7}
                  height={height}
                  fill={colorOf(series, index)}
                  stroke="var(--surface)"
                  strokeWidth={1}
                  vectorEffect="non-scaling-stroke"
                />
              )
            })}
          </g>
        )
      })}
    </svg>
  )
}

const tableLooks = { region: 'mt-2 max-h-96 overflow-auto', name: 'pe-3 whitespace-nowrap' }

function DayTable({ days, series, measure }: DrawnProps) {
  const used = days.flatMap((day, at) => (sumOf(series, at) > 0 ? [{ day, at }] : []))
  return (
    <FigureTable
      label={t('Use by day and model')}
      titles={[t('Day (UTC)'), ...series.map(({ model }) => nameOf(model))]}
      rows={used.map(({ day, at }) => ({
        name: longDay(day),
        figures: series.map(({ values }) => amount(values[at] ?? 0, measure)),
      }))}
      looks={tableLooks}
    />
  )
}

/** An amount of tokens or money; `isShort` for an axis. */
export function amount(value: number, measure: Measure, isShort = false): string {
  if (measure === 'cost') return formatNumber(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return formatNumber(value, isShort ? { notation: 'compact' } : {})
}

/** A model's name for people; `undefined` is the series of all other models. */
function nameOf(model: string | undefined): string {
  return model === undefined ? t('Others') : model || t('Not recorded')
}

function colorOf(series: readonly Series[], index: number): string {
  return series[index]?.model === undefined ? othersColor : (colors[index] ?? othersColor)
}

function sumOf(series: readonly Series[], day: number): number {
  return total(series.map(({ values }) => values[day] ?? 0))
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function shortDay(day = ''): string {
  return formatDate(day, { day: 'numeric', month: 'short', timeZone: 'UTC' })
}

function longDay(day: string): string {
  return formatDate(day, { dateStyle: 'medium', timeZone: 'UTC' })
}
