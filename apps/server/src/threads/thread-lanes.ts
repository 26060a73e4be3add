import { ThreadWorker } from './thread-worker.ts'

/**
 * How long the worst that is let in takes on a slow machine, and several times that: a thread that is still at it has
 * gone wrong.
 */
export const lastResortMs = 60_000

/**
 * Two threads for the same work, of which long work has one and never both: what is short waits for what is short only.
 * Each is started with its first request. What is long is told by its size alone.
 */
export class ThreadLanes<Request, Response> {
  readonly #short: ThreadWorker<Request, Response>
  readonly #long: ThreadWorker<Request, Response>

  /** `file` as for `ThreadWorker`. */
  constructor(file: URL) {
    this.#short = new ThreadWorker(file)
    this.#long = new ThreadWorker(file)
  }

  /** Resolves and rejects as `ThreadWorker.ask` does, after `lastResortMs` of work at the latest. */
  ask(body: Request, isLong: boolean): Promise<Response> {
    const thread = isLong || (this.#short.isBusy && !this.#long.isBusy) ? this.#long : this.#short
    return thread.ask(body, lastResortMs)
  }

  /** Ends both threads; what was asked and isn't answered fails. */
  async close(): Promise<void> {
    await Promise.all([this.#short.close(), this.#long.close()])
  }
}
