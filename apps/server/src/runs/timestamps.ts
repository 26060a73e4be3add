import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from '../store/tables.ts'

/**
 * The creation time for a document's next run and its question: now, but later than that of all existing messages and
 * runs. Keeps listings in order within one millisecond and after the clock was set back.
 */
export async function nextTimestamp(trx: Transaction<Tables>, document: string, now: number): Promise<number> {
  const times = await Promise.all(
    (['messages', 'runs'] as const).map((table) =>
      trx
        .selectFrom(table)
        .select('created_at')
        .where('document', '=', document)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst(),
    ),
  )
  return Math.max(now, ...times.map((newest) => (newest?.created_at ?? 0) + 1))
}

/** The same for a run, as part of a statement that is executed later. */
export function nextRunTimestamp(document: string, now: number): RawBuilder<number> {
  return sql<number>`(select case when max(created_at) >= ${now} then max(created_at) + 1 else ${now} end from runs where document = ${document})`
}
