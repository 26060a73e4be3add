import { contentName, roomName } from '@copydesk/schema'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../store/tables.ts'

/** What a row of a log takes besides its update: ids, times and its place in the index. */
export const rowOverhead = 128

// Fewer rows than these are added up in less than a millisecond each time.
const keptFromRows = 1000
const logsAtOnce = 500

/** What the two logs of a document take in bytes. */
export async function documentLogBytes(db: Kysely<Tables>, document: string): Promise<number> {
  return (await logBytes(db, contentName(document))) + (await logBytes(db, roomName(document)))
}

/**
 * Adds up what logs take that were not added up yet or have got much longer since; some hundreds of them, so that the
 * rest is added up the next times.
 */
export async function countLogs(db: Kysely<Tables>): Promise<void> {
  const logs = await db
    .selectFrom('logs')
    .leftJoin('log_usage', 'log_usage.name', 'logs.name')
    .select('logs.name')
    .where((eb) =>
      eb('logs.seq', '>=', eb(eb.fn.coalesce('log_usage.seq', eb.lit(1 - keptFromRows)), '+', keptFromRows)),
    )
    .limit(logsAtOnce)
    .execute()
  for (const { name } of logs) await logBytes(db, name, 1)
}

/**
 * What a log takes in bytes. The sum is kept, so that only what has come since is added up: when there are `keptFrom`
 * rows of that.
 */
export async function logBytes(db: Kysely<Tables>, name: string, keptFrom = keptFromRows): Promise<number> {
  const kept = await db.selectFrom('log_usage').select(['bytes', 'seq']).where('name', '=', name).executeTakeFirst()
  const tail = await db
    .selectFrom('document_updates')
    .select((eb) => [
      eb.fn.countAll<number>().as('rows'),
      eb.fn.max<number | null>('seq').as('seq'),
      sql<number | null>`sum(length(bytes))`.as('bytes'),
    ])
    .where('name', '=', name)
    .where('seq', '>', kept?.seq ?? 0)
    .executeTakeFirst()
  const rows = Number(tail?.rows ?? 0)
  const bytes = Number(kept?.bytes ?? 0) + Number(tail?.bytes ?? 0) + rows * rowOverhead
  if (rows >= keptFrom) await keep(db, { name, bytes, seq: Number(tail?.seq ?? 0) })
  return bytes
}

/** What the database file takes in bytes, without pages that are free again. */
export async function databaseBytes(db: Kysely<Tables>): Promise<number> {
  const read = async (pragma: string): Promise<number> => {
    const { rows } = await sql<Record<string, number>>`PRAGMA ${sql.raw(pragma)}`.execute(db)
    return Number(Object.values(rows[0] ?? {})[0] ?? 0)
  }
  return ((await read('page_count')) - (await read('freelist_count'))) * (await read('page_size'))
}

async function keep(db: Kysely<Tables>, row: Tables['log_usage']): Promise<void> {
  await db
    .insertInto('log_usage')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ bytes: row.bytes, seq: row.seq })
        // Two may add up at the same time.
        .where('log_usage.seq', '<', row.seq),
    )
    .execute()
}
