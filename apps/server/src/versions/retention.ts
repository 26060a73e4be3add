import { contentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import { serverActor } from '../common/identity.ts'
import { dayMs } from '../common/time.ts'
import { historyRows } from '../provenance/log-rows.ts'
import { inParts } from '../review/review-rows.ts'
import type { Tables, VersionRow } from '../store/tables.ts'
import type { MergedRow } from './merge-rows.ts'
import type { Versions } from './versions.ts'
import { pauseMs } from './version-boundaries.ts'
import { joinWriters, writersOf } from './version-rows.ts'

export type RetentionDeps = {
  db: Kysely<Tables>
  versions: Versions
  now: () => number
  /** Number of days after which automatic versions are deleted and rows are merged; undefined: never. */
  days: number | undefined
  /** Called with every error, and with the document that it concerns, if any. */
  onError: (error: unknown, document?: string) => void
}

/** How many versions were deleted and by how many rows the log shrank. */
export type PruneResult = { versions: number; rows: number }

const hourMs = 60 * 60_000
const windowsAtOnce = 20

/**
 * Limits the growth of history, if configured: automatic versions are pruned, and old rows of content logs are
 * merged by author and session. The text and its authorship are kept. Rows of runs, of undo and redo, of restored
 * versions, and quarantined rows stay unchanged, and so do all rows since the oldest undecided suggested change.
 */
export class Retention {
  readonly #deps: RetentionDeps
  #timer: NodeJS.Timeout | undefined
  #running: Promise<unknown> = Promise.resolve()
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
    this.#timer = setInterval(() => this.#schedule(), dayMs)
    this.#timer.unref()
    this.#schedule()
  }

  /** Resolves when the current pass has ended. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#running
  }

  /** Prunes one document. Returns the numbers of removed versions and rows. */
  async prune(document: string): Promise<PruneResult> {
    const { days } = this.#deps
    if (days === undefined) return { versions: 0, rows: 0 }
    const versions = await this.#pruneVersions(document, days)
    return { versions, rows: await this.#mergeRows(document, days) }
  }

  #schedule(): void {
    this.#running = this.#running.then(() => this.#pruneAll()).catch((error: unknown) => this.#deps.onError(error))
  }

  async #pruneAll(): Promise<void> {
    const documents = await this.#deps.db.selectFrom('documents').select('id').execute()
    for (const { id } of documents) {
      if (this.#closed) return
      try {
        await this.prune(id)
      } catch (error) {
        this.#deps.onError(error, id)
      }
    }
  }

  async #pruneVersions(document: string, days: number): Promise<number> {
    const { db, versions, now } = this.#deps
    await versions.catchUp(document)
    return db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom('versions')
        .selectAll()
        .where('document', '=', document)
        .orderBy('seq')
        .execute()
      const { gone, writers } = selectPrunedVersions(rows, { now: now(), days })
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
    .select(['restore.seq as restore', 'decision.seq as decision'])
    .where('row.seq', '<', limit)
    .where('row.at', '<', until)
    .execute()
  return rows.map(({ seq, at, actor, run, bad, undo, restore, cut, decision }) => {
    const isRuns = run !== null || undo !== null || cut !== null || decision !== null
    const isFixed = isRuns || restore !== null || bad !== null || actor === serverActor
    return { seq, at, actor, isFixed }
  })
}

async function readBytes(db: Kysely<Tables>, document: string, seqs: readonly number[]) {
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

/** The data of a row without its update. `isFixed` marks rows that must stay unchanged. */
type LoggedRow = { seq: number; at: number; actor: string; isFixed: boolean }

// The more updates Yjs merges in one call, the longer it takes for each.
const rowsAtOnce = 300

/**
 * Sequences of rows that may be merged: they contain no fixed row and extend over no version, day boundary or pause in
 * writing, so that every version and every session keeps its own rows. Only sequences of two rows or more.
 */
export function mergeWindowsOf<T extends LoggedRow>(rows: readonly T[], versions: ReadonlySet<number>): T[][] {
  const windows: T[][] = []
  let open: T[] = []
  const close = (): void => {
    if (open.length > 1) windows.push(open)
    open = []
  }
  for (const row of rows) {
    const before = open.at(-1)
    const isApart =
      before && (row.at - before.at >= pauseMs || Math.floor(row.at / dayMs) !== Math.floor(before.at / dayMs))
    if (isApart || row.isFixed || open.length >= rowsAtOnce) close()
    if (!row.isFixed) open.push(row)
    if (versions.has(row.seq)) close()
  }
  close()
  return windows
}

/** The versions to delete, and the new writers of some remaining versions. */
type VersionPruning = { gone: VersionRow[]; writers: ReadonlyMap<string, string[]> }

/**
 * Selects the versions to delete. Of the automatic versions, all of the last day stay, the last of every hour for a
 * week, and the last of every day after that; those older than `days` are deleted. Named versions, restores, restored
 * versions, the first version and the newest stay. `rows` are all of a document, oldest first.
 */
export function selectPrunedVersions(
  rows: readonly VersionRow[],
  { now, days }: { now: number; days: number },
): VersionPruning {
  const restored = new Set(rows.flatMap(({ restored: id }) => id ?? []))
  const taken = new Set<string>()
  const gone: VersionRow[] = []
  const isKept = (row: VersionRow, index: number): boolean => {
    if (index === 0 || index === rows.length - 1 || row.name !== null || restored.has(row.id)) return true
    if (row.kind !== 'automatic' && row.kind !== 'run') return true
    const age = now - row.at
    if (age < dayMs) return true
    if (age >= days * dayMs) return false
    const slot = age < 7 * dayMs ? `hour ${Math.floor(row.at / hourMs)}` : `day ${Math.floor(row.at / dayMs)}`
    if (taken.has(slot)) return false
    taken.add(slot)
    return true
  }
  const writers = new Map<string, string[]>()
  let successor: VersionRow | undefined
  // From the newest to the oldest: the first version visited of each hour is its last.
  for (const [index, row] of [...rows.entries()].toReversed()) {
    if (isKept(row, index) || !successor) successor = row
    else {
      gone.push(row)
      writers.set(successor.id, joinWriters(writersOf(row), writers.get(successor.id) ?? writersOf(successor)))
    }
  }
  return { gone, writers }
}
