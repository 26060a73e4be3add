import { extname } from 'node:path'
import { parseDocumentName } from '@copydesk/schema'
import type { FoldRequest, FoldResponse } from './fold-thread.ts'
import { ThreadWorker } from '../../threads/thread-worker.ts'
import { titleColumns } from '../first-words.ts'
import type { Store } from '../store.ts'
import { type LogRow, newestSnapshot, type UpdateLog } from './update-log.ts'

/** A new snapshot is worth its cost if the rows since the last one are many, or large compared to it. */
const foldAfterRows = 200
const foldAfterShare = 0.25
const foldAlwaysBelowBytes = 64 * 1024

/**
 * Creates snapshots, which speed up loading and contain the text for search and lists. A snapshot is made from log rows
 * up to a sequence number, never from a node's memory, in a separate thread. After a failure no data is lost; the next
 * call retries.
 */
export class Snapshots {
  readonly #store: Store
  readonly #log: Pick<UpdateLog, 'rowsAfter'>
  readonly #now: () => number
  readonly #thread = new ThreadWorker<FoldRequest, FoldResponse>(
    new URL(`./fold-thread${extname(import.meta.url)}`, import.meta.url),
  )
  #closed = false

  constructor(store: Store, log: Pick<UpdateLog, 'rowsAfter'>, now: () => number) {
    this.#store = store
    this.#log = log
    this.#now = now
  }

  /** Creates a snapshot of `name` if it is worth its cost; with `always`, if there are any new rows. */
  async refresh(name: string, { always = false } = {}): Promise<void> {
    const { db } = this.#store
    const last = await db
      .selectFrom('document_snapshots')
      .select((eb) => ['seq', eb.fn<number>('length', ['state']).as('bytes')])
      .where('name', '=', name)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    const quarantined = await db.selectFrom('quarantined_updates').select('seq').where('name', '=', name).execute()
    const bad = new Set(quarantined.map(({ seq }) => seq))
    const rows = (await this.#log.rowsAfter(name, last?.seq ?? 0)).filter(({ seq }) => !bad.has(seq))
    const newest = rows.at(-1)
    if (!newest || !(always || isSnapshotDue(last?.bytes ?? 0, rows))) return
    await this.#fold(name, newest.seq, rows)
  }

  async #fold(name: string, seq: number, rows: readonly LogRow[]): Promise<void> {
    const { db } = this.#store
    // Read last, since it is large and often not needed.
    const snapshot = await newestSnapshot(name, db)
    const updates = [...(snapshot ? [snapshot.state] : []), ...rows.map(({ bytes }) => bytes)]
    const withText = parseDocumentName(name)?.part === 'content'
    const { state, summary, steps } = await this.#thread.ask({ updates, withText })
    const texts = { text: summary?.text ?? '', shown_text: summary?.shownText ?? '' }
    await db.transaction().execute(async (trx) => {
      const log = await trx.selectFrom('logs').select('seq').where('name', '=', name).executeTakeFirst()
      // The document has been permanently deleted meanwhile.
      if (!log) return
      await trx
        .insertInto('document_snapshots')
        .values({ name, seq, state, ...texts, steps, at: this.#now() })
        .onConflict((conflict) => conflict.columns(['name', 'seq']).doUpdateSet(texts))
        .execute()
      await trx.deleteFrom('document_snapshots').where('name', '=', name).where('seq', '<', seq).execute()
      if (!summary) return
      const { firstWords, preview } = summary
      await trx.updateTable('documents').set({ first_words: firstWords, preview }).where('id', '=', name).execute()
      const title = titleColumns(firstWords)
      await trx.updateTable('documents').set(title).where('id', '=', name).where('title', '=', '').execute()
    })
  }

  /**
   * Updates all snapshots that were outdated when the server ended, so that search covers all text again. If one fails,
   * `onError` is called and the others are still updated.
   */
  async refreshAll(onError: (error: unknown, name: string) => void): Promise<void> {
    const behind = await this.#store.db
      .selectFrom('logs')
      .leftJoin('document_snapshots', 'document_snapshots.name', 'logs.name')
      .select('logs.name')
      .whereRef('logs.seq', '>', (eb) => eb.fn.coalesce('document_snapshots.seq', eb.lit(0)))
      .execute()
    for (const { name } of behind) await this.#reportErrors(name, onError, () => this.refresh(name, { always: true }))
    // Snapshots of older servers lack the text for lists.
    const lacking = await this.#store.db
      .selectFrom('documents')
      .innerJoin('document_snapshots', 'document_snapshots.name', 'documents.id')
      .select(['documents.id', 'document_snapshots.seq'])
      .where('documents.preview', 'is', null)
      .execute()
    for (const { id, seq } of lacking) await this.#reportErrors(id, onError, () => this.#fold(id, seq, []))
  }

  async #reportErrors(name: string, onError: (error: unknown, name: string) => void, work: () => Promise<void>) {
    if (this.#closed) return
    await work().catch((error: unknown) => {
      if (!this.#closed) onError(error, name)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#thread.close()
  }
}

function isSnapshotDue(snapshotBytes: number, rows: readonly { bytes: Uint8Array }[]): boolean {
  const added = rows.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  if (rows.length >= foldAfterRows || added + snapshotBytes < foldAlwaysBelowBytes) return true
  return added > snapshotBytes * foldAfterShare
}
