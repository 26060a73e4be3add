import type { UsageReport, Used } from '@copydesk/protocol'
import { type Kysely, sql } from 'kysely'
import { toCsvCell } from '../common/csv.ts'
import { dayMs } from '../common/time.ts'
import type { Tables } from '../store/tables.ts'
import type { Budgets } from './budgets.ts'
import { dayOf, millionth } from './usage.ts'

const peopleAtMost = 100
const none: Used = { runs: 0, inputTokens: 0, outputTokens: 0, cost: 0 }

type Key = 'day' | 'model' | 'person' | 'agent'
type Sum = Used & Record<Key, string>

/** The usage of agents in the last `days` days up to today (UTC), and the budgets. */
export async function reportUsage(
  db: Kysely<Tables>,
  budgets: Budgets,
  now: number,
  days: number,
): Promise<UsageReport> {
  const [from, to] = [dayOf(now - (days - 1) * dayMs), dayOf(now)]
  const { run, person } = budgets.ceilings
  const people = await sumBy(db, from, ['person'], peopleAtMost)
  const names = await namesOf(
    db,
    people.map((each) => each.person),
  )
  const agents = await db.selectFrom('agents').select(['id', 'name']).execute()
  const nameOf = (agent: string) => agents.find(({ id }) => id === agent)?.name ?? agent
  const byDay = (await sumBy(db, from, ['day', 'model'])).toSorted((a, b) => a.day.localeCompare(b.day))
  return {
    from,
    to,
    total: (await sumBy(db, from, []))[0] ?? none,
    today: (await sumBy(db, to, []))[0] ?? none,
    days: byDay,
    models: await sumBy(db, from, ['model']),
    people: people.map(({ person: id, ...used }) => ({ ...used, id, name: names.get(id) ?? '' })),
    agents: (await sumBy(db, from, ['agent'])).map(({ agent: id, ...used }) => ({ ...used, id, name: nameOf(id) })),
    budgets: await budgets.list(),
    personBudgets: await budgets.ofPeople(),
    ceilings: { run, person: person ?? null },
  }
}

const rowsAtOnce = 1000
const header = 'day,person,personName,agent,model,runs,inputTokens,outputTokens,cost\r\n'

/** All rows of the last `days` days as CSV, oldest first. */
export async function* usageAsCsv(db: Kysely<Tables>, now: number, days: number): AsyncIterable<string> {
  yield header
  const from = dayOf(now - (days - 1) * dayMs)
  for (let offset = 0; ; offset += rowsAtOnce) {
    const rows = await db
      .selectFrom('usage_days')
      .leftJoin('people', 'people.id', 'usage_days.person')
      .selectAll('usage_days')
      .select('people.name')
      .where('day', '>=', from)
      .orderBy('day')
      .orderBy('person')
      .orderBy('agent')
      .orderBy('model')
      .limit(rowsAtOnce)
      .offset(offset)
      .execute()
    for (const { day, person, name, agent, model, runs, input_tokens, output_tokens, cost } of rows) {
      const words = [day, person, name ?? '', agent, model].map(toCsvCell)
      yield `${[...words, runs, input_tokens, output_tokens, cost / millionth].join(',')}\r\n`
    }
    if (rows.length < rowsAtOnce) return
  }
}

/** The sums of the days since `from` for each value of the keys, ordered by tokens, highest first. */
async function sumBy<K extends Key>(
  db: Kysely<Tables>,
  from: string,
  keys: readonly K[],
  atMost?: number,
): Promise<Pick<Sum, keyof Used | K>[]> {
  let query = db
    .selectFrom('usage_days')
    .select(({ fn }) => [
      fn.sum<number>('runs').as('runs'),
      fn.sum<number>('input_tokens').as('inputTokens'),
      fn.sum<number>('output_tokens').as('outputTokens'),
      fn.sum<number>('cost').as('cost'),
    ])
    .where('day', '>=', from)
    .orderBy(sql`sum(input_tokens + output_tokens)`, 'desc')
  for (const key of keys) query = query.select(key).groupBy(key)
  if (atMost !== undefined) query = query.limit(atMost)
  const rows = (await query.execute()) as Pick<Sum, keyof Used | K>[]
  return rows.map((row) => ({
    ...row,
    // A sum over no rows is null, and PostgreSQL sends sums as text.
    runs: Number(row.runs),
    inputTokens: Number(row.inputTokens),
    outputTokens: Number(row.outputTokens),
    cost: Number(row.cost) / millionth,
  }))
}

async function namesOf(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('people').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
