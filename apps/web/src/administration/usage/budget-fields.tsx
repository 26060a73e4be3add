import type { Budget } from '@copydesk/protocol'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Field } from '../../ui/fields/field.tsx'

/** A budget as the text of its fields; an empty field is no limit. */
export type EnteredBudget = Record<keyof Budget, string>

type BudgetFieldsProps = {
  entered: EnteredBudget
  /** The highest number of tokens that the server allows. */
  ceiling: number | null
  autoFocus?: boolean
  onChange: (entered: EnteredBudget) => void
}

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

/** The texts of the fields for a budget. */
export function toEntered(budget?: Budget): EnteredBudget {
  return { tokens: budget?.tokens?.toString() ?? '', cost: budget?.cost?.toString() ?? '' }
}

/** The entered budget, not validated yet. */
export function fromEntered({ tokens, cost }: EnteredBudget): Budget {
  return { tokens: tokens === '' ? null : Number(tokens), cost: cost === '' ? null : Number(cost) }
}
