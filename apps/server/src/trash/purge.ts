import { contentName, roomName } from '@copydesk/schema'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../store/tables.ts'

// Tables with large rows, and the number of rows per transaction, so that other writes don't wait long.
const slices = [
  { table: 'document_updates', key: 'name', rows: 200 },
  { table: 'document_snapshots', key: 'name', rows: 1 },
  { table: 'version_states', key: 'document', rows: 5 },
  { table: 'run_messages', key: 'run', rows: 200 },
  { table: 'run_calls', key: 'run', rows: 200 },
  { table: 'run_steps', key: 'run', rows: 200 },
  { table: 'file_proposals', key: 'run', rows: 5 },
] as const

const ofLogs = [
  'cut_rows',
  'run_decisions',
  'run_undos',
  'restored_rows',
  'quarantined_updates',
  'document_clients',
  'log_usage',
  'document_updates',
  'document_snapshots',
] as const

const ofDocument = [
  'version_states',
  'versions',
  'comments',
  'threads',
  'change_contributors',
  'changes',
  'messages',
  'unstarted_mentions',
  'notifications',
  'document_visits',
  'stars',
  'runs',
  'links',
] as const

/**
 * Deletes all rows of a document, the large ones in slices between which other work runs. May be interrupted at any
 * point: the next call continues. Entries of the audit log are kept.
 */
export async function purgeRows(db: Kysely<Tables>, document: string, signal: AbortSignal): Promise<void> {
  const logs = [contentName(document), roomName(document)]
  const runs = db.selectFrom('runs').select('id').where('document', '=', document)
  for (const { table, key, rows } of slices) {
    const owned = { name: sql`(${sql.join(logs)})`, document: sql`(${document})`, run: sql`(${runs})` }[key]
    for (let left = true; left && !signal.aborted;) {
      const deleted = await sql`
        delete from ${sql.table(table)} where rowid in (
          select rowid from ${sql.table(table)} where ${sql.ref(key)} in ${owned} limit ${rows}
        )
      `.execute(db)
      left = (deleted.numAffectedRows ?? 0n) > 0n
    }
  }
  if (signal.aborted) return
  await db.transaction().execute(async (trx) => {
    for (const table of ofLogs) await trx.deleteFrom(table).where('name', 'in', logs).execute()
    for (const table of ['image_mentions', 'image_scans'] as const) {
      await trx.deleteFrom(table).where('log', 'in', logs).execute()
    }
    for (const table of ['run_steps', 'run_messages', 'run_calls', 'file_proposals'] as const) {
      await trx.deleteFrom(table).where('run', 'in', runs).execute()
    }
    const links = trx.selectFrom('links').select('id').where('document', '=', document)
    await trx.deleteFrom('link_visits').where('link', 'in', links).execute()
    for (const table of ofDocument) await trx.deleteFrom(table).where('document', '=', document).execute()
    for (const table of ['members', 'pending_members'] as const) {
      await trx.deleteFrom(table).where('item', '=', document).execute()
    }
    await trx.deleteFrom('logs').where('document', '=', document).execute()
    await trx.deleteFrom('documents').where('id', '=', document).execute()
  })
}

/** Deletes empty folders that were moved to the trash before a time. */
export async function purgeFolders(db: Kysely<Tables>, trashedBefore: number): Promise<void> {
  // One level of folders per transaction, the innermost first.
  for (let left = true; left;) {
    left = await db.transaction().execute(async (trx) => {
      const empty = await trx
        .selectFrom('folders')
        .select('id')
        .where('trashed_at', '<', trashedBefore)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('documents').select('documents.id').whereRef('documents.folder', '=', 'folders.id'))),
        )
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('folders as inner').select('inner.id').whereRef('inner.parent', '=', 'folders.id'))),
        )
        .limit(500)
        .execute()
      const ids = empty.map(({ id }) => id)
      for (const table of ['members', 'pending_members'] as const) {
        await trx.deleteFrom(table).where('item', 'in', ids).execute()
      }
      await trx.deleteFrom('folders').where('id', 'in', ids).execute()
      return ids.length > 0
    })
  }
}
