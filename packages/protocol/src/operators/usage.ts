import { z } from 'zod'

/** The scope of a budget: one run, or the daily usage (UTC) of one person, one agent or the whole server. */
export const BudgetScope = z.enum(['run', 'person', 'agent', 'server'])
export type BudgetScope = z.infer<typeof BudgetScope>

const Tokens = z.number().int('Give a whole number.').min(1, 'A budget is at least 1.').max(1_000_000_000_000)
const Cost = z.number().min(0.01, 'A budget is at least 0.01.').max(1_000_000_000)

/**
 * Tokens, input and output together, and money in the currency of the configured prices; null is unlimited. Money
 * limits only models with prices.
 */
export const Budget = z.object({ tokens: Tokens.nullable(), cost: Cost.nullable() })
export type Budget = z.infer<typeof Budget>

export const Budgets = z.record(BudgetScope, Budget).meta({ id: 'Budgets' })
export type Budgets = z.infer<typeof Budgets>

/** The daily budget of one person, which replaces the one for everybody; the ceilings also apply to it. */
export const PersonBudget = Budget.extend({ id: z.string(), name: z.string() }).meta({ id: 'PersonBudget' })
export type PersonBudget = z.infer<typeof PersonBudget>

/** The usage of runs. A run counts on the day of its first answer. */
const Used = z.object({
  runs: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cost: z.number(),
})
export type Used = z.infer<typeof Used>

const Day = z.iso.date()

/**
 * The usage of agents since a day (UTC), and the budgets. Lists are sorted by tokens, the most first; `people` has at
 * most a hundred. `model` is empty for runs of versions that did not store it, an agent's `id` for the default agent.
 * The environment's `ceilings` apply in addition to all budgets.
 */
export const UsageReport = z
  .object({
    from: Day,
    to: Day,
    total: Used,
    today: Used,
    days: z.array(Used.extend({ day: Day, model: z.string() })),
    models: z.array(Used.extend({ model: z.string() })),
    people: z.array(Used.extend({ id: z.string(), name: z.string() })),
    agents: z.array(Used.extend({ id: z.string(), name: z.string() })),
    budgets: Budgets,
    personBudgets: z.array(PersonBudget),
    ceilings: z.object({ run: z.number().int(), person: z.number().int().nullable() }),
  })
  .meta({ id: 'UsageReport' })
export type UsageReport = z.infer<typeof UsageReport>

/** The number of days up to today. */
export const UsageQuery = z.object({ days: z.coerce.number().int().min(1).max(3660).default(30) })
export type UsageQuery = z.infer<typeof UsageQuery>

/**
 * The usage of the caller's runs today (UTC), for guests of a link in total, and their budget for the day. `usedUp`:
 * the exhausted budgets of today, of agents by their ids, empty for the default agent.
 */
export const OwnUsage = z
  .object({
    tokens: z.number().int(),
    cost: z.number(),
    budget: Budget,
    usedUp: z.object({ person: z.boolean(), server: z.boolean(), agents: z.array(z.string()) }),
  })
  .meta({ id: 'OwnUsage' })
export type OwnUsage = z.infer<typeof OwnUsage>
