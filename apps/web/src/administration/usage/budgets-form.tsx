import { type Budget, Budgets, BudgetScope, type UsageReport } from '@copydesk/protocol'
import { useState } from 'react'
import { parse } from '../../api/client.ts'
import { putBudgets } from '../../api/operators/usage.ts'
import { formatNumber } from '../../i18n/format.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Field } from '../../ui/fields/field.tsx'
import { Form } from '../../ui/fields/form.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'
import { useSaving } from '../../ui/use-action.ts'

/** The key under which reports of the use are cached. */
export const usageKey = ['usage'] as const

const scopes: Readonly<Record<BudgetScope, EnglishText>> = {
  run: 'One run',
  person: 'One person, a day',
  agent: 'One agent, a day',
  server: 'This server, a day',
}

type Entered = Record<BudgetScope, Record<keyof Budget, string>>

/** The budgets; an empty field is no limit. */
export function BudgetsForm({ budgets, ceilings }: Pick<UsageReport, 'budgets' | 'ceilings'>) {
  const [entered, setEntered] = useState(() => toEntered(budgets))
  const saving = useSaving(async () => putBudgets(parse(Budgets, fromEntered(entered))), {
    changes: usageKey,
    onDone: (saved) => {
      setEntered(toEntered(saved))
      showToast(t('Saved'))
    },
  })
  const change = (scope: BudgetScope, unit: keyof Budget, text: string) => {
    setEntered({ ...entered, [scope]: { ...entered[scope], [unit]: text } })
  }
  return (
    <Form label={t('Budgets')} save={t('Save')} saving={saving}>
      {BudgetScope.options.map((scope) => (
        <fieldset key={scope} className="grid grid-cols-2 gap-x-4 gap-y-2">
          <legend className="mb-1 text-sm font-medium">{t(scopes[scope])}</legend>
          <Field
            label={t('Tokens')}
            type="number"
            inputMode="numeric"
            min={1}
            step={1}
            placeholder={placeholderOf(scope, ceilings)}
            value={entered[scope].tokens}
            onChange={({ target }) => change(scope, 'tokens', target.value)}
          />
          <Field
            label={t('Cost')}
            type="number"
            inputMode="decimal"
            min={0.01}
            step={0.01}
            placeholder={t('No limit')}
            value={entered[scope].cost}
            onChange={({ target }) => change(scope, 'cost', target.value)}
          />
        </fieldset>
      ))}
    </Form>
  )
}

function placeholderOf(scope: BudgetScope, ceilings: UsageReport['ceilings']): string {
  const ceiling = scope === 'run' || scope === 'person' ? ceilings[scope] : null
  return ceiling === null ? t('No limit') : t('At most {count}', { count: formatNumber(ceiling) })
}

function toEntered(budgets: Budgets): Entered {
  const entries = BudgetScope.options.map((scope) => {
    const { tokens, cost } = budgets[scope]
    return [scope, { tokens: tokens?.toString() ?? '', cost: cost?.toString() ?? '' }]
  })
  return Object.fromEntries(entries) as Entered
}

function fromEntered(entered: Entered): Budgets {
  const entries = BudgetScope.options.map((scope) => {
    const { tokens, cost } = entered[scope]
    return [scope, { tokens: tokens === '' ? null : Number(tokens), cost: cost === '' ? null : Number(cost) }]
  })
  return Object.fromEntries(entries) as Budgets
}
