import { contentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import { serverActor } from '../collaboration/identity.ts'
import { historyRows } from '../history/history-rows.ts'
import { inParts } from '../review/review-rows.ts'
import type { Tables } from '../store/tables.ts'
import { type LoggedRow, mergeWindowsOf } from './merge-windows.ts'
import type { MergedRow } from './merge-rows.ts'
import { thinOut } from './thin-out.ts'
import type { Versions } from './versions.ts'

export type RetentionDeps = {
  db: Kysely<Tables>
  versions: Versions
  now: () => number
  /** Number of days after which automatic versions are deleted and rows are merged; undefined: never. */
  days: number | undefined
  /** Called with every error, and with the document that it concerns, if any. */
  onTrouble: (error: unknown, document?: string) => void
}

/** How many versions were deleted and by how many rows the log shrank. */
export type Thinned = { versions: number; rows: number }

const dayMs = 24 * 60 * 60_000
const windowsAtOnce = 20

/**
 * Limits the growth of history, if configured: automatic versions are thinned out, and old rows of content logs are
 * merged by author and session. The text and its authorship are kept. The rows of runs, of undo and redo, and those
 * that were set aside stay unchanged, and so do all rows since the oldest undecided suggested change.
 */
export class Retention {
  readonly #deps: RetentionDeps
  #timer: NodeJS.Timeout | undefined
  #going: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(deps: RetentionDeps) {
    this.#deps = deps
  }

  /**
   * Processes all documents now, and every day from now on, regardless of errors. Has no effect if history is kept
   * forever.
   */
  start(): void {
    if (this.#deps.days === undefined) return
    this.#timer = setInterval(() => this.#go(), dayMs)
    this.#timer.unref()
    this.#go()
  }

  /** Resolves when the current pass has ended. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#going
  }

  /** Thins out one document. Returns what was removed. */
  async thin(document: string): Promise<Thinned> {
    const { days } = this.#deps
    if (days === undefined) return { versions: 0, rows: 0 }
    const versions = await this.#thinVersions(document, days)
    return { versions, rows: await this.#mergeRows(document, days) }
  }

  #go(): void {
    this.#going = this.#going.then(() => this.#thinAll()).catch((error: unknown) => this.#deps.onTrouble(error))
  }

  async #thinAll(): Promise<void> {
    const documents = await this.#deps.db.selectFrom('documents').select('id').execute()
    for (const { id } of documents) {
      if (this.#closed) return
      try {
        await this.thin(id)
      } catch (error) {
        this.#deps.onTrouble(error, id)
      }
    }
  }

  async #thinVersions(document: string, days: number): Promise<number> {
    const { db, versions, now } = this.#deps
    await versions.catchUp(document)
    return db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom('versions')
        .selectAll()
        .where('document', '=', document)
        .orderBy('seq')
        .execute()
      const { gone, writers } = thinOut(rows, { now: now(), days })
      for (const [id, each] of writers) {
        await trx
          .updateTable('versions')
          .set({ writers: JSON.stringify(each) })
          .where('id', '=', id)
          .execute()
      }
      for (const ids of inParts(gone.map(({ id }) => id))) {
        await trx.deleteFrom('versions').where('id', 'in', ids).execute()
      }
      await trx
        .deleteFrom('version_states')
        .where('document', '=', document)
        .where('seq', 'not in', trx.selectFrom('versions').select('seq').where('document', '=', document))
        .execute()
      return gone.length
    })
  }

  async #mergeRows(document: string, days: number): Promise<number> {
    const { db, versions, now } = this.#deps
    const rows = await readOldRows(db, document, now() - days * dayMs)
    const kept = await db.selectFrom('versions').select('seq').where('document', '=', document).execute()
    const windows = mergeWindowsOf(rows, new Set(kept.map(({ seq }) => seq)))
    let merged = 0
    for (let at = 0; at < windows.length && !this.#closed; at += windowsAtOnce) {
      const part = windows.slice(at, at + windowsAtOnce)
      const read = await readBytes(
        db,
        document,
        part.flatMap((window) => window.map(({ seq }) => seq)),
      )
      const full = part.map((window) =>
        window.flatMap(({ seq, actor }) => {
          const bytes = read.get(seq)
          return bytes ? [{ seq, actor, bytes }] : []
        }),
      )
      const replacing = await versions.states.merge(full)
      await replaceRows(db, document, replacing)
      merged += replacing.reduce((sum, { replaces }) => sum + replaces.length, 0)
    }
    return merged
  }
}

/** Rows from before a given time that a snapshot includes, and that no open suggested change needs. */
async function readOldRows(db: Kysely<Tables>, document: string, before: number): Promise<LoggedRow[]> {
  const name = contentName(document)
  const snapshot = await db.selectFrom('document_snapshots').select('seq').where('name', '=', name).executeTakeFirst()
  const open = await db
    .selectFrom('changes')
    .leftJoin('runs', 'runs.id', 'changes.run')
    .select(['changes.seq as seq', 'changes.created_at as at', 'runs.created_at as started'])
    .where('changes.document', '=', document)
    .where('changes.decision', 'is', null)
    .execute()
  const limit = open.reduce((least, { seq }) => Math.min(least, seq), (snapshot?.seq ?? 0) + 1)
  const until = open.reduce((least, { at, started }) => Math.min(least, at, started ?? at), before)
  const rows = await historyRows(db, name)
    .select(['row.seq', 'row.at', 'row.actor', 'row.run', 'bad.seq as bad', 'undo.seq as undo', 'cut.seq as cut'])
    .where('row.seq', '<', limit)
    .where('row.at', '<', until)
    .execute()
  return rows.map(({ seq, at, actor, run, bad, undo, cut }) => {
    const isFixed = run !== null || bad !== null || undo !== null || cut !== null || actor === serverActor
    return { seq, at, actor, isFixed }
  })
}

async function readBytes(
  db: Kysely<Tables>,
  document: string,
  seqs: readonly number[],
): Promise<Map<number, Uint8Array>> {
  const [first, last] = [seqs[0] ?? 0, seqs.at(-1) ?? -1]
  const rows = await db
    .selectFrom('document_updates')
    .select(['seq', 'bytes'])
    .where('name', '=', contentName(document))
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .execute()
  return new Map(rows.map(({ seq, bytes }) => [seq, bytes]))
}

async function replaceRows(db: Kysely<Tables>, document: string, merged: readonly MergedRow[]): Promise<void> {
  const name = contentName(document)
  await db.transaction().execute(async (trx) => {
    for (const { seq, bytes, replaces } of merged) {
      await trx.updateTable('document_updates').set({ bytes }).where('name', '=', name).where('seq', '=', seq).execute()
      await trx.deleteFrom('document_updates').where('name', '=', name).where('seq', 'in', replaces).execute()
    }
    // The size of the log is computed again when it is next requested.
    await trx.deleteFrom('log_usage').where('name', '=', name).execute()
  })
}
