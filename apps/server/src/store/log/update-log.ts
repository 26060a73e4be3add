import { setTimeout as wait } from 'node:timers/promises'
import * as Y from 'yjs'
import { applyUpdates, createVerbatimDoc } from '../updates/verbatim-doc.ts'
import { withoutForeignRoots } from './foreign-roots.ts'
import type { AppendResult, AppendRow } from '../sqlite/sqlite-protocol.ts'
import type { Store } from '../store.ts'

/**
 * A document loaded from its log: the state of all rows up to `seq`, and the rows that couldn't be applied. `steps`:
 * the steps to integrate the items of its newest snapshot, see `TrialIntegration`.
 */
export type LoadedLog = { doc: Y.Doc; seq: number; steps: number; quarantined: number[] }

export type LogRow = { seq: number; bytes: Uint8Array; actor: string; run: string | null }

// Group commit, like PostgreSQL's commit_siblings and commit_delay: when this number of rows arrives together, a short
// wait lets more of them share the next transaction. With 50 people writing without a pause it stored 11,500 updates a
// second instead of 8,500; a user who types alone never waits.
const manyRows = 100
const gatherMs = 4

type Waiting = {
  row: AppendRow
  onWritten: ((seq: number) => void) | undefined
  resolve: (result: AppendResult) => void
  reject: (error: unknown) => void
}

/**
 * The log of every document's updates; the log is the source of truth. Rows of one event-loop iteration, and all rows
 * that arrive during a write, share one commit.
 */
export class UpdateLog {
  readonly #store: Store
  readonly #now: () => number
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined
  readonly #storing = new Set<Promise<void>>()

  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /**
   * Appends one update: `#appendRow` of sqlite-thread.ts stores it as a row of `document_updates`. Resolves when it is
   * on disk or refused; rejects when the store failed and nothing was stored. `onWritten` gets its sequence number
   * before it is on disk, as soon as it survives the end of this process.
   */
  append(
    row: Omit<AppendRow, 'at' | 'also'> & { also?: AppendRow['also'] },
    onWritten?: (seq: number) => void,
  ): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row: { also: [], ...row, at: this.#now() }, onWritten, resolve, reject })
      this.#writing ??= this.#write()
    })
  }

  /** Resolves when all earlier writes of any caller are on disk. */
  sync(): Promise<void> {
    return this.#store.sync()
  }

  /** Resolves when all earlier calls of `append` are settled. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing
    await Promise.all(this.#storing)
  }

  /** Rows after `seq`, oldest first, filtered by `withoutForeignRoots`. */
  async rowsAfter(name: string, seq: number, db: Store['db'] = this.#store.db): Promise<LogRow[]> {
    const rows = await db
      .selectFrom('document_updates')
      .select(['seq', 'bytes', 'actor', 'run'])
      .where('name', '=', name)
      .where('seq', '>', seq)
      .orderBy('seq')
      .execute()
    return rows.map((row) => ({ ...row, bytes: withoutForeignRoots(name, row.bytes) }))
  }

  /**
   * Loads the newest snapshot and the rows after it into a Y.Doc; `undefined` if there is no such log. A row that can't
   * be applied is omitted, kept in the log, and recorded in `quarantined_updates`.
   */
  async load(name: string, db: Store['db'] = this.#store.db): Promise<LoadedLog | undefined> {
    const log = await db.selectFrom('logs').select('seq').where('name', '=', name).executeTakeFirst()
    if (!log) return undefined
    const snapshot = await newestSnapshot(name, db)
    const rows = await this.rowsAfter(name, snapshot?.seq ?? 0, db)
    const { doc, failed } = applyRows(snapshot?.state, rows)
    for (const { seq, error } of failed) await this.#quarantine(name, seq, error, db)
    const seq = rows.at(-1)?.seq ?? snapshot?.seq ?? 0
    return { doc, seq, steps: snapshot?.steps ?? 0, quarantined: failed.map((row) => row.seq) }
  }

  /**
   * The updates up to `seq` that make up a log's document, oldest first, without quarantined rows; `undefined` if there
   * is no such log.
   */
  async updatesOf(name: string): Promise<{ updates: Uint8Array[]; seq: number; steps: number } | undefined> {
    const { db } = this.#store
    const log = await db.selectFrom('logs').select('seq').where('name', '=', name).executeTakeFirst()
    if (!log) return undefined
    const bad = await db.selectFrom('quarantined_updates').select('seq').where('name', '=', name).execute()
    const setAside = new Set(bad.map(({ seq }) => seq))
    const snapshot = await newestSnapshot(name, db)
    const rows = await this.rowsAfter(name, snapshot?.seq ?? 0)
    const kept = rows.filter(({ seq }) => !setAside.has(seq)).map(({ bytes }) => bytes)
    const seq = rows.at(-1)?.seq ?? snapshot?.seq ?? 0
    return { updates: snapshot ? [snapshot.state, ...kept] : kept, seq, steps: snapshot?.steps ?? 0 }
  }

  async #quarantine(name: string, seq: number, error: string, db: Store['db']): Promise<void> {
    await db
      .insertInto('quarantined_updates')
      .values({ name, seq, error, at: this.#now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  async #write(): Promise<void> {
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      await this.#writeBatch(batch)
      if (batch.length >= manyRows) await wait(gatherMs)
    }
    this.#writing = undefined
  }

  /** Resolves when the rows are written or have failed. Further rows may be written before these are on disk. */
  #writeBatch(batch: readonly Waiting[]): Promise<void> {
    return new Promise((isWritten) => {
      const rows = batch.map(({ row }) => row)
      const storing = this.#store
        .append(rows, (results) => {
          for (const [index, result] of results.entries()) if (result.ok) batch[index]?.onWritten?.(result.seq)
          isWritten()
        })
        .then((results) =>
          batch.forEach(({ resolve }, index) => resolve(results[index] ?? { ok: false, reason: 'no_log' })),
        )
        .catch((error: unknown) => this.#fail(batch, error))
        .finally(() => {
          this.#storing.delete(storing)
          isWritten()
        })
      this.#storing.add(storing)
    })
  }

  /**
   * Also rejects waiting rows of the same documents: they depend on the failed rows and would leave a gap in the log.
   */
  #fail(batch: readonly Waiting[], error: unknown): void {
    const names = new Set(batch.map(({ row }) => row.name))
    const [doomed, others] = [
      this.#waiting.filter(({ row }) => names.has(row.name)),
      this.#waiting.filter(({ row }) => !names.has(row.name)),
    ]
    this.#waiting = others
    for (const { reject } of [...batch, ...doomed]) reject(error)
  }
}

/** The newest snapshot of a document, if any, filtered by `withoutForeignRoots`. */
export async function newestSnapshot(
  name: string,
  db: Store['db'],
): Promise<{ seq: number; state: Uint8Array; steps: number } | undefined> {
  const snapshot = await db
    .selectFrom('document_snapshots')
    .select(['seq', 'state', 'steps'])
    .where('name', '=', name)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return snapshot && { ...snapshot, state: withoutForeignRoots(name, snapshot.state) }
}

/**
 * Builds a document from a snapshot and rows. Applying typed characters in one transaction takes a third of the time of
 * applying them one by one. Only if that throws are the rows tried individually, each on a document that is known to be
 * good, because an exception leaves an update half applied.
 */
function applyRows(state: Uint8Array | undefined, rows: LogRow[]) {
  const updates = state ? [state, ...rows.map(({ bytes }) => bytes)] : rows.map(({ bytes }) => bytes)
  try {
    return { doc: documentOf(updates), failed: [] }
  } catch {
    return applyRowsSingly(state, rows)
  }
}

function applyRowsSingly(state: Uint8Array | undefined, rows: LogRow[]) {
  const failed: { seq: number; error: string }[] = []
  let good = state ? [state] : []
  let doc = documentOf(good)
  for (const { seq, bytes } of rows) {
    try {
      Y.applyUpdate(doc, bytes)
      good.push(bytes)
    } catch (error) {
      failed.push({ seq, error: String(error) })
      doc = documentOf(good)
      good = [Y.encodeStateAsUpdate(doc)]
    }
  }
  return { doc, failed }
}

function documentOf(updates: Uint8Array[]): Y.Doc {
  const doc = createVerbatimDoc()
  applyUpdates(doc, updates)
  return doc
}
