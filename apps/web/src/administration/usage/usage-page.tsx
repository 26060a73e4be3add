import type { UsageReport, Used } from '@copydesk/protocol'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { exportUsage, fetchUsage } from '../../api/operators/usage.ts'
import { saveFile } from '../../common/files/save-file.ts'
import { formatNumber } from '../../i18n/format.ts'
import { type EnglishText, t, tEach } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { optionsOf, Select } from '../../ui/fields/select.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { showError } from '../../ui/toasts/toasts.tsx'
import { BudgetsForm, usageKey } from './budgets-form.tsx'
import { FigureTable } from './figure-table.tsx'
import { amount, UsageChart } from './usage-chart.tsx'
import { PersonBudgets } from './person-budgets.tsx'
import type { Measure } from './usage-series.ts'

const ranges = {
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
} as const satisfies Record<string, EnglishText>

type Days = keyof typeof ranges

/** For operators: the usage of agents by day, model, person and agent, and the budgets. */
export function UsagePage() {
  const [days, setDays] = useState<Days>('30')
  const usage = useQuery({
    queryKey: [...usageKey, days],
    queryFn: ({ signal }) => fetchUsage(Number(days), signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <PageFrame title={t('Usage')}>
      <Loaded query={usage}>
        {(data) => (
          <>
            <Use report={data} days={days} onDays={setDays} />
            {data.models.length > 0 && (
              <Section title={t('Who and what')} text={t('Sums of the same days.')}>
                <div className="flex flex-col gap-6">
                  <Sums caption={t('Models')} rows={data.models.map((row) => ({ ...row, name: row.model }))} />
                  <Sums
                    caption={t('Agents')}
                    rows={data.agents.map((row) => ({ ...row, name: row.name || t('Agent') }))}
                  />
                  <Sums caption={t('People')} rows={data.people} />
                </div>
              </Section>
            )}
            <Section
              title={t('Budgets')}
              text={t(
                'A run that reaches one says so and ends. Days begin at midnight UTC. An empty field is no limit.',
              )}
            >
              <BudgetsForm budgets={data.budgets} ceilings={data.ceilings} />
            </Section>
            <Section
              title={t('Budgets of single people')}
              text={t('A day’s budget in place of the one for everybody, for example for those who write most.')}
            >
              <PersonBudgets report={data} />
            </Section>
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}

type UseProps = { report: UsageReport; days: Days; onDays: (days: Days) => void }

function Use({ report, days, onDays }: UseProps) {
  const [measure, setMeasure] = useState<Measure>('tokens')
  const { today, total } = report
  const download = () => {
    exportUsage(Number(days)).then((file) => saveFile(file, 'usage.csv'), showError)
  }
  return (
    <Section
      title={t('Use by day and model')}
      text={t('Tokens that agents have used, and what they cost at the prices of the models.')}
      tool={
        <div className="flex flex-wrap items-center gap-y-1 max-sm:-ms-2.5">
          <Select label={t('Days')} value={days} options={optionsOf(tEach(ranges))} onChange={onDays} />
          <Select
            label={t('Show')}
            value={measure}
            options={optionsOf({ tokens: t('Tokens'), cost: t('Cost') })}
            onChange={setMeasure}
          />
          <Button className="ms-2.5" onClick={download}>
            {t('Export CSV')}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-5">
        <dl className="grid grid-cols-2 gap-4">
          <Figure label={t('Today')} used={today} />
          <Figure label={t(ranges[days])} used={total} />
        </dl>
        <UsageChart report={report} measure={measure} />
      </div>
    </Section>
  )
}

function Figure({ label, used }: { label: string; used: Used }) {
  const tokens = formatNumber(used.inputTokens + used.outputTokens)
  return (
    <div className="text-sm">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="tabular-nums">
        <span className="block text-lg font-semibold">{t('{count} tokens', { count: tokens })}</span>
        <span className="text-ink-soft">
          {t('{count, plural, one {# run} other {# runs}}', { count: used.runs })}
          {used.cost > 0 && ` · ${t('cost {amount}', { amount: amount(used.cost, 'cost') })}`}
        </span>
      </dd>
    </div>
  )
}

type Row = Used & { name: string }

const sumLooks = { region: 'overflow-x-auto', name: 'max-w-48 truncate', figure: 'sm:w-28' }

function Sums({ caption, rows }: { caption: string; rows: readonly Row[] }) {
  return (
    <FigureTable
      label={caption}
      caption={<caption className="pb-1 text-start text-sm font-semibold">{caption}</caption>}
      titles={[t('Name'), t('Runs'), t('Input'), t('Output'), t('Cost')]}
      rows={rows.map(({ name, runs, inputTokens, outputTokens, cost }) => ({
        name: name || t('Not recorded'),
        figures: [
          ...[runs, inputTokens, outputTokens].map((count) => formatNumber(count)),
          cost > 0 ? amount(cost, 'cost') : '–',
        ],
      }))}
      looks={sumLooks}
    />
  )
}
