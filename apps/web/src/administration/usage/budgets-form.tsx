import { Budgets, BudgetScope, type UsageReport } from '@copydesk/protocol'
import { useState } from 'react'
import { parse } from '../../api/client.ts'
import { putBudgets } from '../../api/operators/usage.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Form } from '../../ui/fields/form.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'
import { useSaving } from '../../ui/use-action.ts'
import { BudgetFields, fromEntered, toEntered } from './budget-fields.tsx'

/** The key under which usage reports are cached. */
export const usageKey = ['usage'] as const

const scopes: Readonly<Record<BudgetScope, EnglishText>> = {
  run: 'One run',
  person: 'One person, a day',
  agent: 'One agent, a day',
  server: 'This server, a day',
}

/** The budgets; an empty field is no limit. */
export function BudgetsForm({ budgets, ceilings }: Pick<UsageReport, 'budgets' | 'ceilings'>) {
  const [entered, setEntered] = useState(() => eachScope((scope) => toEntered(budgets[scope])))
  const saving = useSaving(
    async () =>
      putBudgets(
        parse(
          Budgets,
          eachScope((scope) => fromEntered(entered[scope])),
        ),
      ),
    {
      changes: usageKey,
      onDone: (saved) => {
        setEntered(eachScope((scope) => toEntered(saved[scope])))
        showToast(t('Saved'))
      },
    },
  )
  return (
    <Form label={t('Budgets')} save={t('Save')} saving={saving}>
      {BudgetScope.options.map((scope) => (
        <fieldset key={scope} className="grid grid-cols-2 gap-x-4 gap-y-2">
          <legend className="mb-1 text-sm font-medium">{t(scopes[scope])}</legend>
          <BudgetFields
            entered={entered[scope]}
            ceiling={scope === 'run' || scope === 'person' ? ceilings[scope] : null}
            onChange={(changed) => setEntered({ ...entered, [scope]: changed })}
          />
        </fieldset>
      ))}
    </Form>
  )
}

function eachScope<Value>(valueOf: (scope: BudgetScope) => Value): Record<BudgetScope, Value> {
  return Object.fromEntries(BudgetScope.options.map((scope) => [scope, valueOf(scope)])) as Record<BudgetScope, Value>
}
