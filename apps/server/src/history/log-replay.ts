import { extname } from 'node:path'
import { contentName } from '@copydesk/schema'
import { Mutex } from 'async-mutex'
import type { Kysely, Transaction } from 'kysely'
import { RequestError } from '../common/errors.ts'
import { readHistory } from '../provenance/log-rows.ts'
import { StoreError, transactionExpired } from '../store/sqlite/sqlite-link.ts'
import type { Tables } from '../store/tables.ts'
import { lastResortMs } from '../threads/thread-lanes.ts'
import { ThreadTimeoutError, ThreadWorker } from '../threads/thread-worker.ts'
import type { Goal, UndoRequest, UndoResponse } from './undo-requests.ts'

export type LogReplayDeps = {
  db: Kysely<Tables>
  createId: () => string
  /** The thread that replays logs; by default a new one. */
  thread?: ThreadWorker<UndoRequest, UndoResponse>
}

/** A content log that the thread has replayed, and its rows that count as cut off. */
export type LoadedLog = {
  cut: readonly number[]
  /**
   * Computes the update that brings the document to `goal`. Replays the rows appended meanwhile inside the transaction,
   * during which no further rows can be appended. Called at most once.
   */
  plan(trx: Transaction<Tables>, goal: Goal): Promise<Exclude<UndoResponse, { kind: 'ready' }>>
}

/** The run whose open calls are cut off, and the prefix of its receipts. */
type OpenCalls = { run: string; prefix: string }

// The store rolls a transaction back after ten seconds.
const planWithinMs = 8000

/** Replays content logs in a worker thread, before the transaction that needs a plan of changes; one at a time. */
export class LogReplay {
  readonly #deps: LogReplayDeps
  readonly #thread: ThreadWorker<UndoRequest, UndoResponse>
  // Without it, a transaction that waits for its plan could wait for the replay of another request, and block all
  // edits.
  readonly #mutex = new Mutex()
  #closed = false

  constructor(deps: LogReplayDeps) {
    this.#deps = deps
    const file = new URL(`./undo-thread${extname(import.meta.url)}`, import.meta.url)
    this.#thread = deps.thread ?? new ThreadWorker<UndoRequest, UndoResponse>(file)
  }

  /**
   * Replays a document's log in the thread and runs `work` with the result. `check` runs after the wait in the queue,
   * before the replay, and may throw. With `cut` the rows of open calls count as cut off.
   * @throws RequestError `unavailable` if the replay took too long; nothing has changed then.
   */
  async run<T>(
    document: string,
    work: (loaded: LoadedLog) => Promise<T>,
    { check, cut }: { check?: () => Promise<unknown>; cut?: OpenCalls } = {},
  ): Promise<T> {
    try {
      return await this.#mutex.runExclusive(async () => {
        await check?.()
        return this.#run(document, work, cut)
      })
    } catch (error) {
      throw isTooLong(error) ? tooLong(error) : error
    }
  }

  /** Queued requests are refused as `unavailable`. May be called twice. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#thread.close()
  }

  async #run<T>(document: string, work: (loaded: LoadedLog) => Promise<T>, cut: OpenCalls | undefined): Promise<T> {
    if (this.#closed) throw new RequestError('unavailable', 'The server is stopping.', 'Try again in a moment.')
    const ticket = this.#deps.createId()
    const name = contentName(document)
    const rows = await readHistory(this.#deps.db, name, 0)
    const seq = rows.at(-1)?.seq ?? 0
    const loaded = await this.#thread.ask({ kind: 'load', ticket, rows, ...(cut ? { cut } : {}) }, lastResortMs)
    try {
      return await work({
        cut: loaded.kind === 'ready' ? loaded.cut : [],
        plan: async (trx, goal) => {
          const since = await readHistory(trx, name, seq)
          const planned = await this.#thread.ask({ kind: 'plan', ticket, rows: since, goal }, planWithinMs)
          if (planned.kind === 'ready') throw new Error('the thread has answered another request')
          return planned
        },
      })
    } finally {
      // A failure before the plan leaves the replayed log in the thread; after a plan this request has no effect.
      await this.#thread.ask({ kind: 'drop', ticket })
    }
  }
}

function isTooLong(error: unknown): boolean {
  return error instanceof ThreadTimeoutError || (error instanceof StoreError && error.code === transactionExpired)
}

function tooLong(cause: unknown): RequestError {
  const message = 'This took too long and was cancelled. Nothing has changed.'
  return Object.assign(new RequestError('unavailable', message, 'Try again in a moment.'), { cause })
}
