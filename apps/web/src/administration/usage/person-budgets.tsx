import { Budget, type PersonBudget, type UsageReport } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { peopleQuery } from '../../api/caller/account.ts'
import { ApiError, parse } from '../../api/client.ts'
import { deletePersonBudget, putPersonBudget } from '../../api/operators/usage.ts'
import { formatList, formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/fields/form.tsx'
import { SelectField } from '../../ui/fields/select.tsx'
import { useFocusAfter } from '../../ui/focus/use-opening.ts'
import { useAction } from '../../ui/use-action.ts'
import { BudgetFields, fromEntered, toEntered } from './budget-fields.tsx'
import { usageKey } from './budgets-form.tsx'
import { amount } from './usage-chart.tsx'

/** The people with their own daily budget. */
export function PersonBudgets({ report }: { report: UsageReport }) {
  const queryClient = useQueryClient()
  const adder = useRef<HTMLButtonElement>(null)
  const [edited, setEdited] = useState<PersonBudget | 'new'>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: usageKey })
  const removing = useAction(deletePersonBudget, {
    changes: usageKey,
    // The button that removed it is removed next.
    onDone: () => adder.current?.focus(),
  })
  const close = () => setEdited(undefined)
  useFocusAfter(edited !== undefined, adder)
  const { personBudgets: budgets } = report
  return (
    <div className="flex flex-col gap-3">
      <ul aria-label={t('Budgets of single people')} className="divide-y divide-line empty:hidden">
        {budgets.map((budget) => (
          <Row
            key={budget.id}
            budget={budget}
            isRemoving={removing.isPending}
            onEdit={() => setEdited(budget)}
            onRemove={() => removing.mutate(budget.id)}
          />
        ))}
      </ul>
      {edited === undefined ? (
        <Button ref={adder} className="self-start pointer-coarse:h-10" onClick={() => setEdited('new')}>
          {t('Budget for a person')}
        </Button>
      ) : (
        <PersonBudgetForm
          key={edited === 'new' ? '' : edited.id}
          report={report}
          edited={edited === 'new' ? undefined : edited}
          onCancel={close}
          onSaved={() => {
            close()
            void refresh()
          }}
        />
      )}
    </div>
  )
}

type RowProps = { budget: PersonBudget; isRemoving: boolean; onEdit: () => void; onRemove: () => void }

function Row({ budget, isRemoving, onEdit, onRemove }: RowProps) {
  const { name } = budget
  return (
    <li className="flex flex-wrap items-center gap-2 py-2 text-sm">
      <p className="min-w-40 flex-1 break-words">
        <bdi className="font-medium">{name}</bdi> · {budgetInWords(budget)}
      </p>
      <Button className="pointer-coarse:h-10" aria-label={t('Edit the budget of {name}', { name })} onClick={onEdit}>
        {t('Edit')}
      </Button>
      <Button
        className="pointer-coarse:h-10"
        aria-label={t('Remove the budget of {name}', { name })}
        disabled={isRemoving}
        onClick={onRemove}
      >
        {t('Remove')}
      </Button>
    </li>
  )
}

type PersonBudgetFormProps = {
  report: UsageReport
  /** The budget to change; a new one by default. */
  edited: PersonBudget | undefined
  onSaved: () => void
  onCancel: () => void
}

function PersonBudgetForm({ report, edited, onSaved, onCancel }: PersonBudgetFormProps) {
  const [person, setPerson] = useState(edited?.id ?? '')
  const [entered, setEntered] = useState(() => toEntered(edited))
  const people = useOtherPeople(report)
  const saving = useMutation({
    mutationFn: async () => {
      if (person === '') throw new ApiError('invalid_input', t('Choose a person'))
      await putPersonBudget(person, parse(Budget, fromEntered(entered)))
    },
    onSuccess: onSaved,
  })
  return (
    <Form
      frame="panel"
      label={edited ? t('Edit the budget of {name}', { name: edited.name }) : t('Budget for a person')}
      save={t('Save')}
      saving={saving}
      onCancel={onCancel}
    >
      {!edited && (
        <div className="sm:col-span-2">
          <SelectField
            label={t('Person')}
            value={person}
            options={{ '': t('Choose a person'), ...people }}
            onChange={setPerson}
          />
        </div>
      )}
      <BudgetFields
        entered={entered}
        ceiling={report.ceilings.person}
        autoFocus={edited !== undefined}
        onChange={setEntered}
      />
    </Form>
  )
}

/** Names of the people without their own budget: those with accounts, and those whose runs used tokens. */
function useOtherPeople({ people, personBudgets }: UsageReport): Record<string, string> {
  const known = useQuery({ ...peopleQuery, retry: false })
  const accounts = known.data?.filter(({ active }) => active).map(({ user }) => user) ?? []
  const named = [...accounts, ...people.filter(({ name }) => name !== '')]
  const others = named.filter(({ id }) => personBudgets.every((budget) => budget.id !== id))
  return Object.fromEntries(others.map(({ id, name }) => [id, name]))
}

function budgetInWords({ tokens, cost }: Budget): string {
  const parts = [
    ...(tokens === null ? [] : [t('{count} tokens', { count: formatNumber(tokens) })]),
    ...(cost === null ? [] : [t('cost {amount}', { amount: amount(cost, 'cost') })]),
  ]
  return parts.length === 0 ? t('No limit') : formatList(parts)
}
