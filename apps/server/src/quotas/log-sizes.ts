import { contentName, roomName } from '@copydesk/schema'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../store/tables.ts'

/** Estimated bytes of a log row besides its update: ids, times and the index entry. */
export const rowOverhead = 128

// Summing fewer rows than this takes less than a millisecond.
const keptFromRows = 1000
const logsAtOnce = 500

/** The size of a document's two logs in bytes. */
export async function documentLogBytes(db: Kysely<Tables>, document: string): Promise<number> {
  return (await logBytes(db, contentName(document))) + (await logBytes(db, roomName(document)))
}

/**
 * Updates the stored sizes of logs that are new or have grown by many rows; at most 500 per call, the rest in later
 * calls.
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
 * The size of a log in bytes. The sum is stored when there are at least `keptFrom` rows after the last stored sum; only
 * later rows are added up.
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

/** The size of the database file in bytes, without free pages. */
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
        // Two calls may run concurrently; the larger `seq` wins.
        .where('log_usage.seq', '<', row.seq),
    )
    .execute()
}
