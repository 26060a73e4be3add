import {
  type Budget,
  type Budgets as BudgetSet,
  BudgetScope,
  type OwnUsage,
  type PersonBudget,
} from '@copydesk/protocol'
import { type Localizable, localizable } from '@copydesk/tools'
import type { Kysely } from 'kysely'
import { RequestError } from '../common/errors.ts'
import { peopleOfBudget } from '../rights/links.ts'
import type { RunRow, Tables } from '../store/tables.ts'
import { dayOf, millionth } from './usage.ts'

/** The limits of the environment: tokens of a run, and of a person in a day. */
export type Ceilings = { run: number; person: number | undefined }

type BudgetsDeps = { db: Kysely<Tables>; now: () => number; ceilings: Ceilings }

type BudgetedRun = Pick<RunRow, 'id' | 'invoked_by' | 'agent' | 'continued'>
type Amounts = { tokens: number; cost: number }

const peopleAtMost = 1000
const unlimited: Budget = { tokens: null, cost: null }

/**
 * Budgets of runs, people, agents and the server: set by operators, never above the ceilings of the environment. Every
 * call reads the store, so all threads apply a change from the next round on.
 */
export class Budgets {
  readonly #deps: BudgetsDeps
  constructor(deps: BudgetsDeps) {
    this.#deps = deps
  }

  /** The environment's limits of a run and of a person's day in tokens, whatever operators set. */
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
    const rows = BudgetScope.options.map((scope) => ({ scope, ...toRow(budgets[scope]) }))
    await this.#deps.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('budgets').execute()
      await trx.insertInto('budgets').values(rows).execute()
    })
    return this.list()
  }

  /** The people with their own daily budget, by name. */
  async ofPeople(): Promise<PersonBudget[]> {
    const rows = await this.#deps.db
      .selectFrom('person_budgets')
      .innerJoin('people', 'people.id', 'person')
      .select(['person as id', 'people.name', 'tokens', 'cost'])
      .orderBy('people.name')
      .orderBy('person')
      .execute()
    return rows.map((row) => ({ ...row, cost: toMoney(row.cost) }))
  }

  /**
   * Sets a person's daily budget, which replaces the general one; null removes it.
   * @throws RequestError `not_found`, `invalid_input` above a ceiling or for a guest, `conflict` if 1,000 people have
   * one.
   */
  async setOfPerson(person: string, budget: Budget | null): Promise<void> {
    if (budget) refuseAbove(this.#deps.ceilings.person, budget, 'AGENT_DAILY_TOKEN_LIMIT')
    await this.#deps.db.transaction().execute(async (trx) => {
      const row = await trx.selectFrom('people').select('guest').where('id', '=', person).executeTakeFirst()
      if (!row) throw new RequestError('not_found', 'There is no such person.', 'Load the list again.')
      await trx.deleteFrom('person_budgets').where('person', '=', person).execute()
      if (!budget) return
      // The guests of a link share one budget: a single guest can't have a larger one.
      if (row.guest === 1) throw new RequestError('invalid_input', 'A guest has no budget of their own.')
      const { count } = await trx
        .selectFrom('person_budgets')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= peopleAtMost) {
        throw new RequestError(
          'conflict',
          localizable`${peopleAtMost} people have a budget of their own.`,
          'Remove one first.',
        )
      }
      await trx
        .insertInto('person_budgets')
        .values({ person, ...toRow(budget) })
        .execute()
    })
  }

  /** The tokens that a run may use; a continued run gets the same number again. */
  async tokensOfRun(run: BudgetedRun): Promise<number> {
    return (await this.#limits(run)).run.tokens
  }

  /**
   * The first used-up budget; undefined if the run may execute another round. Concurrent runs may each finish the round
   * that they have begun.
   */
  async usedUp(run: BudgetedRun): Promise<UsedUp | undefined> {
    return this.#firstUsedUp(run, BudgetScope.options)
  }

  /** As `usedUp`, without the run's own budget: the budgets that prevent continuing a run before the next day. */
  async usedUpToday(run: BudgetedRun): Promise<UsedUp | undefined> {
    const ofDays = BudgetScope.options.filter((scope) => scope !== 'run')
    return this.#firstUsedUp(run, ofDays)
  }

  async #firstUsedUp(run: BudgetedRun, scopes: readonly BudgetScope[]): Promise<UsedUp | undefined> {
    const limits = await this.#limits(run)
    for (const scope of scopes) {
      const limit = limits[scope]
      if (limit.tokens === Infinity && limit.cost === Infinity) continue
      const used = scope === 'run' ? await this.#usedBy(run.id) : await this.#usedToday(budgetSubject(scope, run))
      if (used.tokens >= limit.tokens) return describeUsedUp(scope, 'tokens', limit.tokens)
      if (used.cost >= limit.cost) return describeUsedUp(scope, 'cost', limit.cost / millionth)
    }
    return undefined
  }

  /** A person's usage of today, their budget, and the budgets that are used up for the day. */
  async ofPerson(person: string): Promise<OwnUsage> {
    const used = await this.#usedToday({ person })
    const limits = await this.#limits({ continued: 0, invoked_by: person, agent: null })
    const limit = limits.person
    const agents = await this.#agentsUsedUp(limits.agent)
    return {
      tokens: used.tokens,
      cost: used.cost / millionth,
      budget: { tokens: finite(limit.tokens), cost: toMoney(finite(limit.cost)) },
      usedUp: { person: isUsedUp(used, limit), server: isUsedUp(await this.#usedToday({}), limits.server), agents },
    }
  }

  /** The agents that have used up today's budget: `general`, or their own budget if it is lower. */
  async #agentsUsedUp(general: Amounts): Promise<string[]> {
    const { db, now } = this.#deps
    const rows = await db
      .selectFrom('usage_days')
      .leftJoin('agents', 'agents.id', 'usage_days.agent')
      .select(({ fn }) => [
        'usage_days.agent',
        'agents.daily_tokens as own',
        fn.sum<number>('input_tokens').as('input'),
        fn.sum<number>('output_tokens').as('output'),
        fn.sum<number>('cost').as('cost'),
      ])
      .where('day', '=', dayOf(now()))
      .groupBy(['usage_days.agent', 'agents.daily_tokens'])
      .execute()
    return rows
      .filter(({ own, input, output, cost }) => {
        const limit = { ...general, tokens: Math.min(general.tokens, own ?? Infinity) }
        return isUsedUp({ tokens: Number(input) + Number(output), cost: Number(cost) }, limit)
      })
      .map(({ agent }) => agent)
  }

  /** The effective limits, `Infinity` for no limit, money in millionths. */
  async #limits({
    continued,
    invoked_by: person,
    agent,
  }: Omit<BudgetedRun, 'id'>): Promise<Record<BudgetScope, Amounts>> {
    const { ceilings, db } = this.#deps
    const rows = await db.selectFrom('budgets').selectAll().execute()
    const own = await this.#ownBudget(person)
    const ofAgent = await db
      .selectFrom('agents')
      .select('daily_tokens')
      .where('id', '=', agent ?? '')
      .executeTakeFirst()
    const limit = (scope: BudgetScope, ceiling = Infinity, times = 1): Amounts => {
      const general = rows.find((each) => each.scope === scope)
      const row = scope === 'person' ? (own ?? general) : general
      return { tokens: times * Math.min(row?.tokens ?? Infinity, ceiling), cost: times * (row?.cost ?? Infinity) }
    }
    return {
      run: limit('run', ceilings.run, continued + 1),
      person: limit('person', ceilings.person),
      agent: limit('agent', ofAgent?.daily_tokens ?? Infinity),
      server: limit('server'),
    }
  }

  async #ownBudget(person: string) {
    const rows = this.#deps.db.selectFrom('person_budgets').select(['tokens', 'cost'])
    return rows.where('person', '=', person).executeTakeFirst()
  }

  async #usedBy(id: string): Promise<Amounts> {
    const row = await this.#deps.db
      .selectFrom('runs')
      .select(['input_tokens', 'output_tokens', 'cost'])
      .where('id', '=', id)
      .executeTakeFirst()
    return { tokens: (row?.input_tokens ?? 0) + (row?.output_tokens ?? 0), cost: row?.cost ?? 0 }
  }

  async #usedToday({ person, agent }: BudgetSubject): Promise<Amounts> {
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

type BudgetSubject = { person?: string; agent?: string }

function budgetSubject(scope: Exclude<BudgetScope, 'run'>, { invoked_by: person, agent }: BudgetedRun): BudgetSubject {
  if (scope === 'server') return {}
  return scope === 'person' ? { person } : { agent: agent ?? '' }
}

function refuseAbove(ceiling: number | undefined, { tokens }: Budget, variable: string): void {
  if (ceiling === undefined || tokens === null || tokens <= ceiling) return
  throw new RequestError(
    'invalid_input',
    localizable`The server's ${variable} allows at most ${ceiling} tokens.`,
    'Give less, or raise the variable and restart the server.',
  )
}

function isUsedUp(used: Amounts, limit: Amounts): boolean {
  return used.tokens >= limit.tokens || used.cost >= limit.cost
}

function finite(limit: number): number | null {
  return limit === Infinity ? null : limit
}

function toRow({ tokens, cost }: Budget): Budget {
  return { tokens, cost: cost === null ? null : Math.round(cost * millionth) }
}

function toMoney(cost: number | null): number | null {
  return cost === null ? null : cost / millionth
}

/** A used-up budget: `reason` completes "the limit of …" for the model, `text` is for people. */
type UsedUp = { reason: string; text: Localizable }

/** Names the used-up budget and what the caller can do. */
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
