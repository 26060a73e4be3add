import type { BudgetScope } from '@copydesk/protocol'

/** Tables of what models have used, and of budgets. Money is in millionths of the currency of the configured prices. */
export type UsageTables = {
  /**
   * What runs have used in a day (UTC), as `2026-11-24`, by caller, agent and model. `agent` is empty for the server's
   * default agent, `model` for runs of versions that did not store it. A run counts on the day of its first answer.
   */
  usage_days: {
    day: string
    person: string
    agent: string
    model: string
    runs: number
    input_tokens: number
    output_tokens: number
    cost: number
  }
  /** The budgets that operators have set; null is unlimited. */
  budgets: { scope: BudgetScope; tokens: number | null; cost: number | null }
  /** The daily budgets of people that replace the one for everybody. */
  person_budgets: { person: string; tokens: number | null; cost: number | null }
}
