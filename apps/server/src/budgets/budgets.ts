import { type Budget, type Budgets as BudgetSet, BudgetScope, type OwnUsage } from '@copydesk/protocol'
import { type Localizable, localizable } from '@copydesk/tools'
import type { Kysely } from 'kysely'
import { RequestError } from '../common/errors.ts'
import { peopleOfBudget } from '../rights/links.ts'
import type { RunRow, Tables } from '../store/tables.ts'
import { dayOf, millionth } from './usage.ts'

/** What the environment limits: tokens of a run, and of a person in a day. */
export type Ceilings = { run: number; person: number | undefined }

type BudgetsDeps = { db: Kysely<Tables>; now: () => number; ceilings: Ceilings }

type BudgetedRun = Pick<RunRow, 'id' | 'invoked_by' | 'agent' | 'continued'>
type Amounts = { tokens: number; cost: number }

const unlimited: Budget = { tokens: null, cost: null }

/**
 * Budgets of runs, people, agents and the server: what operators have set, never above the ceilings of the environment.
 * Every call reads the store, so all threads follow a change at the next round.
 */
export class Budgets {
  readonly #deps: BudgetsDeps
  constructor(deps: BudgetsDeps) {
    this.#deps = deps
  }

  /** The tokens and days that the environment limits, whatever operators set. */
  get ceilings(): Ceilings {
    return this.#deps.ceilings
  }

  /** The budgets as operators have set them. */
  async list(): Promise<BudgetSet> {
    const rows = await this.#deps.db.selectFrom('budgets').selectAll().execute()
    const budgets: BudgetSet = { run: unlimited, person: unlimited, agent: unlimited, server: unlimited }
    for (const { scope, tokens, cost } of rows) budgets[scope] = { tokens, cost: toMoney(cost) }
    return budgets
  }

  /**
   * Replaces all budgets.
   * @throws RequestError `invalid_input` for one above a ceiling.
   */
  async replace(budgets: BudgetSet): Promise<BudgetSet> {
    const { run, person } = this.#deps.ceilings
    refuseAbove(run, budgets.run, 'AGENT_RUN_TOKEN_LIMIT')
    refuseAbove(person, budgets.person, 'AGENT_DAILY_TOKEN_LIMIT')
    const rows = BudgetScope.options.map((scope) => {
      const { tokens, cost } = budgets[scope]
      return { scope, tokens, cost: cost === null ? null : Math.round(cost * millionth) }
    })
    await this.#deps.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('budgets').execute()
      await trx.insertInto('budgets').values(rows).execute()
    })
    return this.list()
  }

  /** The tokens that a run may use; a run that was continued gets them again. */
  async tokensOfRun(run: Pick<RunRow, 'continued'>): Promise<number> {
    return (await this.#limits(run)).run.tokens
  }

  /**
   * The first budget that a run has used up; undefined if it may make another round. `agentTokens` is the named agent's
   * own budget for a day. Runs under way at the same moment may each finish the round that they have begun.
   */
  async usedUp(run: BudgetedRun, agentTokens?: number | null): Promise<UsedUp | undefined> {
    const limits = await this.#limits(run, agentTokens)
    for (const scope of BudgetScope.options) {
      const limit = limits[scope]
      if (limit.tokens === Infinity && limit.cost === Infinity) continue
      const used = scope === 'run' ? await this.#usedBy(run.id) : await this.#usedToday(whose(scope, run))
      if (used.tokens >= limit.tokens) return describeUsedUp(scope, 'tokens', limit.tokens)
      if (used.cost >= limit.cost) return describeUsedUp(scope, 'cost', limit.cost / millionth)
    }
    return undefined
  }

  /** What a person's runs have used today, and their budget. */
  async ofPerson(person: string): Promise<OwnUsage> {
    const { tokens, cost } = await this.#usedToday({ person })
    const limit = (await this.#limits()).person
    return {
      tokens,
      cost: cost / millionth,
      budget: { tokens: finite(limit.tokens), cost: toMoney(finite(limit.cost)) },
    }
  }

  /** The effective limits, `Infinity` where there is none, money in millionths. */
  async #limits(
    { continued }: Pick<RunRow, 'continued'> = { continued: 0 },
    agentTokens: number | null = null,
  ): Promise<Record<BudgetScope, Amounts>> {
    const rows = await this.#deps.db.selectFrom('budgets').selectAll().execute()
    const { ceilings } = this.#deps
    const limit = (scope: BudgetScope, ceiling = Infinity, times = 1): Amounts => {
      const row = rows.find((each) => each.scope === scope)
      return { tokens: times * Math.min(row?.tokens ?? Infinity, ceiling), cost: times * (row?.cost ?? Infinity) }
    }
    return {
      run: limit('run', ceilings.run, continued + 1),
      person: limit('person', ceilings.person),
      agent: limit('agent', agentTokens ?? Infinity),
      server: limit('server'),
    }
  }

  async #usedBy(id: string): Promise<Amounts> {
    const row = await this.#deps.db
      .selectFrom('runs')
      .select(['input_tokens', 'output_tokens', 'cost'])
      .where('id', '=', id)
      .executeTakeFirst()
    return { tokens: (row?.input_tokens ?? 0) + (row?.output_tokens ?? 0), cost: row?.cost ?? 0 }
  }

  async #usedToday({ person, agent }: Whose): Promise<Amounts> {
    const { db, now } = this.#deps
    let rows = db.selectFrom('usage_days').where('day', '=', dayOf(now()))
    if (person !== undefined) rows = rows.where('person', 'in', peopleOfBudget(person, db))
    if (agent !== undefined) rows = rows.where('agent', '=', agent)
    const sum = await rows
      .select(({ fn }) => [
        fn.sum<number>('input_tokens').as('input'),
        fn.sum<number>('output_tokens').as('output'),
        fn.sum<number>('cost').as('cost'),
      ])
      .executeTakeFirst()
    return { tokens: Number(sum?.input ?? 0) + Number(sum?.output ?? 0), cost: Number(sum?.cost ?? 0) }
  }
}

type Whose = { person?: string; agent?: string }

function whose(scope: Exclude<BudgetScope, 'run'>, { invoked_by: person, agent }: BudgetedRun): Whose {
  if (scope === 'server') return {}
  return scope === 'person' ? { person } : { agent: agent ?? '' }
}

function refuseAbove(ceiling: number | undefined, { tokens }: Budget, variable: string): void {
  if (ceiling === undefined || tokens === null || tokens <= ceiling) return
  throw new RequestError(
    'invalid_input',
    `The server's ${variable} allows at most ${ceiling} tokens.`,
    'Give less, or raise the variable and restart the server.',
  )
}

function finite(limit: number): number | null {
  return limit === Infinity ? null : limit
}

function toMoney(cost: number | null): number | null {
  return cost === null ? null : cost / millionth
}

/** A budget that is used up: `reason` completes "the limit of …" for the model, `text` is for people. */
type UsedUp = { reason: string; text: Localizable }

/** Says which budget is used up, and what helps. */
function describeUsedUp(scope: BudgetScope, unit: 'tokens' | 'cost', limit: number): UsedUp {
  return { reason: reasons[scope], text: texts[scope][unit](limit) }
}

const reasons: Record<BudgetScope, string> = {
  run: 'tokens or money',
  person: 'tokens or money of its caller for today',
  agent: 'tokens or money of this agent for today',
  server: 'tokens or money of this server for today',
}

const texts: Record<BudgetScope, Record<'tokens' | 'cost', (limit: number) => Localizable>> = {
  run: {
    tokens: (limit) => localizable`It used all ${limit} tokens that it may use. Continue to give it as many again.`,
    cost: (limit) => localizable`It used the budget of a run, ${limit}. Continue to give it as much again.`,
  },
  person: {
    tokens: (limit) =>
      localizable`You have used today's ${limit} tokens. Ask again tomorrow, or ask the operator for more.`,
    cost: (limit) =>
      localizable`You have used today's budget of ${limit}. Ask again tomorrow, or ask the operator for more.`,
  },
  agent: {
    tokens: (limit) =>
      localizable`This agent has used today's ${limit} tokens. Ask again tomorrow, or ask the operator for more.`,
    cost: (limit) =>
      localizable`This agent has used today's budget of ${limit}. Ask again tomorrow, or ask the operator for more.`,
  },
  server: {
    tokens: (limit) =>
      localizable`The agents of this server have used today's ${limit} tokens. Ask again tomorrow, or ask the operator for more.`,
    cost: (limit) =>
      localizable`The agents of this server have used today's budget of ${limit}. Ask again tomorrow, or ask the operator for more.`,
  },
}
