import { extname } from 'node:path'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { ThreadWorker } from '../threads/thread-worker.ts'
import { type ImageMention, type MentionsInRow, unknownItemClient } from './image-mentions.ts'
import type { MentionsRequest } from './mentions-thread.ts'

const rowsAtOnce = 500
const bytesAtOnce = 4 * 1024 * 1024
const logsAtOnce = 100
const mentionsAtOnce = 500
// For a log with more open mentions, deletions are not tracked: its images are kept.
const followedAtMost = 10_000

/** An index of image mentions in logs. Each row is scanned once, in a worker thread, in small batches. */
export class MentionIndex {
  readonly #db: Kysely<Tables>
  readonly #thread = new ThreadWorker<MentionsRequest, MentionsInRow[]>(
    new URL(`./mentions-thread${extname(import.meta.url)}`, import.meta.url),
  )

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  /**
   * Scans the rows added to logs since the last call. Stops when `signal` is aborted; the next call continues there.
   */
  async catchUp(signal: AbortSignal): Promise<void> {
    for (let after = ''; !signal.aborted;) {
      const logs = await this.#db
        .selectFrom('logs')
        .leftJoin('image_scans', 'image_scans.log', 'logs.name')
        .select(['logs.name', 'image_scans.seq'])
        .where('logs.name', '>', after)
        .where((eb) => eb('logs.seq', '>', eb.fn.coalesce('image_scans.seq', eb.lit(0))))
        .orderBy('logs.name')
        .limit(logsAtOnce)
        .execute()
      for (const { name, seq } of logs) await this.#scanLog(name, Number(seq ?? 0), signal)
      const last = logs.at(-1)
      if (!last) return
      after = last.name
    }
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  async #scanLog(log: string, from: number, signal: AbortSignal): Promise<void> {
    for (let seq = from; !signal.aborted;) {
      const rows = await this.#readRows(log, seq)
      const last = rows.at(-1)
      if (!last) return
      const open = await this.#open(log)
      const request = { rows: rows.map((row) => ({ seq: row.seq, bytes: row.bytes })), open }
      await this.#storeMentions(log, await this.#thread.ask(request), rows)
      seq = last.seq
    }
  }

  /** The next rows after `seq`, limited in number and total bytes to bound memory. */
  async #readRows(log: string, seq: number) {
    const after = this.#db
      .selectFrom('document_updates')
      .where('name', '=', log)
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(rowsAtOnce)
    const sizes = await after.select((eb) => ['seq', eb.fn<number>('length', ['bytes']).as('size')]).execute()
    let bytes = 0
    const end = sizes.findIndex(({ size }) => (bytes += size) > bytesAtOnce)
    const until = sizes.at(end === -1 ? -1 : Math.max(0, end - 1))?.seq ?? seq
    return after.select(['seq', 'bytes', 'run', 'at']).where('seq', '<=', until).execute()
  }

  async #open(log: string): Promise<ImageMention[]> {
    const open = await this.#db
      .selectFrom('image_mentions')
      .select(['name', 'client', 'clock', 'length'])
      .where('log', '=', log)
      .where('removed_seq', 'is', null)
      .where('client', '!=', unknownItemClient)
      .limit(followedAtMost + 1)
      .execute()
    return open.length > followedAtMost ? [] : open
  }

  async #storeMentions(
    log: string,
    found: readonly MentionsInRow[],
    rows: readonly { seq: number; run: string | null; at: number }[],
  ): Promise<void> {
    const bySeq = new Map(rows.map((row) => [row.seq, row]))
    const seq = rows.at(-1)?.seq ?? 0
    const byRun = (row: number): number => (bySeq.get(row)?.run == null ? 0 : 1)
    const added = found.flatMap((row) =>
      row.added.map((mention) => ({ ...mention, log, added_seq: row.seq, by_run: byRun(row.seq) })),
    )
    // Rows scanned but not yet recorded in `image_scans` are scanned again, with the same result.
    for (let at = 0; at < added.length; at += mentionsAtOnce) {
      await this.#db
        .insertInto('image_mentions')
        .values(added.slice(at, at + mentionsAtOnce).map((each) => ({ ...each, removed_seq: null, removed_at: null })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    for (const row of found) {
      const removed = { removed_seq: row.seq, removed_at: bySeq.get(row.seq)?.at ?? 0 }
      const changes = byRun(row.seq) === 1 ? { ...removed, by_run: 1 } : removed
      for (const [client, mentions] of Map.groupBy(row.removed, (each) => each.client)) {
        for (let at = 0; at < mentions.length; at += mentionsAtOnce) {
          const clocks = mentions.slice(at, at + mentionsAtOnce).map(({ clock }) => clock)
          await this.#db
            .updateTable('image_mentions')
            .set(changes)
            .where('log', '=', log)
            .where('client', '=', client)
            .where('clock', 'in', clocks)
            .where('removed_seq', 'is', null)
            .execute()
        }
      }
    }
    await this.#db
      .insertInto('image_scans')
      .values({ log, seq })
      .onConflict((conflict) => conflict.column('log').doUpdateSet({ seq }))
      .execute()
  }
}
