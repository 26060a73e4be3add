import type { Budget } from '@copydesk/protocol'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Field } from '../../ui/fields/field.tsx'

/** A budget as it is written into its fields; an empty one is no limit. */
export type EnteredBudget = Record<keyof Budget, string>

type BudgetFieldsProps = {
  entered: EnteredBudget
  /** The most tokens that the server allows. */
  ceiling: number | null
  autoFocus?: boolean
  onChange: (entered: EnteredBudget) => void
}

/** The fields of a budget. */
export function BudgetFields({ entered, ceiling, autoFocus = false, onChange }: BudgetFieldsProps) {
  return (
    <>
      <Field
        label={t('Tokens')}
        type="number"
        inputMode="numeric"
        min={1}
        step={1}
        autoFocus={autoFocus}
        placeholder={ceiling === null ? t('No limit') : t('At most {count}', { count: formatNumber(ceiling) })}
        value={entered.tokens}
        onChange={({ target }) => onChange({ ...entered, tokens: target.value })}
      />
      <Field
        label={t('Cost')}
        type="number"
        inputMode="decimal"
        min={0.01}
        step={0.01}
        placeholder={t('No limit')}
        value={entered.cost}
        onChange={({ target }) => onChange({ ...entered, cost: target.value })}
      />
    </>
  )
}

/** The fields' texts of a budget. */
export function toEntered(budget?: Budget): EnteredBudget {
  return { tokens: budget?.tokens?.toString() ?? '', cost: budget?.cost?.toString() ?? '' }
}

/** The budget that was entered, to be checked. */
export function fromEntered({ tokens, cost }: EnteredBudget): Budget {
  return { tokens: tokens === '' ? null : Number(tokens), cost: cost === '' ? null : Number(cost) }
}
