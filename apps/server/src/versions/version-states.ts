import { extname } from 'node:path'
import { contentName } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import { RequestError } from '../common/errors.ts'
import { historyRows } from '../provenance/log-rows.ts'
import type { Tables } from '../store/tables.ts'
import { newestSnapshot } from '../store/log/update-log.ts'
import { ThreadLanes } from '../threads/thread-lanes.ts'
import { ThreadTimeoutError } from '../threads/thread-worker.ts'
import type { MergedRow, MergeRow } from './merge-rows.ts'
import type { VersionsRequest, VersionsResponse } from './versions-thread.ts'

// Smaller inputs are folded and compared within a second.
const longBytes = 256 * 1024
// Fewer rows than this are replayed in a few milliseconds.
const keepAfterRows = 1000

/** Past states of a document's content, computed from its log in worker threads. */
export class VersionStates {
  readonly #db: Kysely<Tables>
  readonly #threads = new ThreadLanes<VersionsRequest, VersionsResponse>(
    new URL(`./versions-thread${extname(import.meta.url)}`, import.meta.url),
  )

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  /**
   * The content at a row of its log, as a Yjs update.
   * @throws RequestError `unavailable` if it takes too long.
   */
  async at(document: string, seq: number): Promise<Uint8Array> {
    const name = contentName(document)
    const base = await this.#baseFor(document, seq)
    if (base?.seq === seq) return base.state
    const rows = await historyRows(this.#db, name)
      .select('row.bytes')
      .where('row.seq', '>', base?.seq ?? 0)
      .where('row.seq', '<=', seq)
      .where('bad.seq', 'is', null)
      .execute()
    const updates = [...(base ? [base.state] : []), ...rows.map(({ bytes }) => bytes)]
    const answer = await this.#ask({ kind: 'fold', updates })
    if (answer.kind !== 'fold') throw new Error('unexpected answer of the thread')
    if (rows.length > keepAfterRows) await this.#store(document, seq, answer.state)
    return answer.state
  }

  /** The changes between two states, without suggested changes; none if `before` is undefined. */
  async compare(
    before: Uint8Array | undefined,
    after: Uint8Array,
  ): Promise<Extract<VersionsResponse, { kind: 'compare' }>> {
    const answer = await this.#ask({ kind: 'compare', before, after })
    if (answer.kind !== 'compare') throw new Error('unexpected answer of the thread')
    return answer
  }

  /** The number of paragraphs that differ between two states; 0 if `before` is undefined. */
  async countChanged(before: Uint8Array | undefined, after: Uint8Array): Promise<number> {
    const answer = await this.#ask({ kind: 'count', before, after })
    if (answer.kind !== 'count') throw new Error('unexpected answer of the thread')
    return answer.paragraphs
  }

  /** The merged rows of these windows; rows that stay unmerged are omitted. */
  async merge(windows: MergeRow[][]): Promise<MergedRow[]> {
    const answer = await this.#ask({ kind: 'merge', windows })
    if (answer.kind !== 'merge') throw new Error('unexpected answer of the thread')
    return answer.merged
  }

  async close(): Promise<void> {
    await this.#threads.close()
  }

  async #baseFor(document: string, seq: number): Promise<{ seq: number; state: Uint8Array } | undefined> {
    const kept = await this.#db
      .selectFrom('version_states')
      .select(['seq', 'state'])
      .where('document', '=', document)
      .where('seq', '<=', seq)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    const snapshot = await newestSnapshot(contentName(document), this.#db)
    if (!snapshot || snapshot.seq > seq) return kept
    return kept && kept.seq > snapshot.seq ? kept : snapshot
  }

  async #store(document: string, seq: number, state: Uint8Array): Promise<void> {
    await this.#db
      .insertInto('version_states')
      .values({ document, seq, state })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  async #ask(request: VersionsRequest): Promise<VersionsResponse> {
    try {
      return await this.#threads.ask(request, isLong(request))
    } catch (error) {
      if (!(error instanceof ThreadTimeoutError)) throw error
      throw new RequestError('unavailable', 'Computing this version takes too long.', 'Try again in a moment.')
    }
  }
}

function isLong(request: VersionsRequest): boolean {
  switch (request.kind) {
    case 'fold':
      return request.updates.reduce((sum, { byteLength }) => sum + byteLength, 0) > longBytes
    case 'compare':
    case 'count':
      return (request.before?.byteLength ?? 0) + request.after.byteLength > longBytes
    case 'merge':
      // Merging is maintenance; no request waits for it.
      return true
  }
}
