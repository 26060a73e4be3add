import { extname } from 'node:path'
import { parseDocumentName } from '@copydesk/schema'
import type { FoldRequest, FoldResponse } from './fold-thread.ts'
import { ThreadWorker } from '../threads/thread-worker.ts'
import type { Store } from './store.ts'
import { newestSnapshot, type UpdateLog } from './update-log.ts'

/** Folding pays when the rows since the last snapshot are many, or large compared to the snapshot. */
const foldAfterRows = 200
const foldAfterShare = 0.25
const foldAlwaysBelowBytes = 64 * 1024

/**
 * Makes snapshots: a shortcut for loading and the text that search looks in. A snapshot folds log rows up to a sequence
 * number, never a node's memory, and is made in a thread of its own. If one fails nothing is lost; the next call tries
 * again.
 */
export class Snapshots {
  readonly #store: Store
  readonly #log: UpdateLog
  readonly #now: () => number
  readonly #thread = new ThreadWorker<FoldRequest, FoldResponse>(
    new URL(`./fold-thread${extname(import.meta.url)}`, import.meta.url),
  )
  #closed = false

  constructor(store: Store, log: UpdateLog, now: () => number) {
    this.#store = store
    this.#log = log
    this.#now = now
  }

  /** Makes a snapshot of `name` if it is worth it; with `always`, if there is anything new at all. */
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
    if (!newest || !(always || isWorthIt(last?.bytes ?? 0, rows))) return
    // Large, and not needed where there is nothing to do.
    const snapshot = await newestSnapshot(name, db)
    const updates = [...(snapshot ? [snapshot.state] : []), ...rows.map(({ bytes }) => bytes)]
    const { state, text, steps } = await this.#thread.ask({
      updates,
      withText: parseDocumentName(name)?.part === 'content',
    })
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('document_snapshots')
        .values({ name, seq: newest.seq, state, text, steps, at: this.#now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await trx.deleteFrom('document_snapshots').where('name', '=', name).where('seq', '<', newest.seq).execute()
    })
  }

  /**
   * Brings all snapshots up to date that a server left behind when it ended, so that search finds everything again. One
   * that fails, of which `onTrouble` is told, keeps none of the others back.
   */
  async refreshAll(onTrouble: (error: unknown, name: string) => void): Promise<void> {
    const behind = await this.#store.db
      .selectFrom('logs')
      .leftJoin('document_snapshots', 'document_snapshots.name', 'logs.name')
      .select('logs.name')
      .whereRef('logs.seq', '>', (eb) => eb.fn.coalesce('document_snapshots.seq', eb.lit(0)))
      .execute()
    for (const { name } of behind) {
      if (this.#closed) return
      await this.refresh(name, { always: true }).catch((error: unknown) => {
        if (!this.#closed) onTrouble(error, name)
      })
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#thread.close()
  }
}

function isWorthIt(snapshotBytes: number, rows: readonly { bytes: Uint8Array }[]): boolean {
  const added = rows.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  if (rows.length >= foldAfterRows || added + snapshotBytes < foldAlwaysBelowBytes) return true
  return added > snapshotBytes * foldAfterShare
}
