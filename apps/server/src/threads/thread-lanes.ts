import { ThreadWorker } from './thread-worker.ts'

/**
 * A thread that works longer than this on one request has failed. In milliseconds; several times the duration of the
 * largest accepted request on a slow machine.
 */
export const lastResortMs = 60_000

/**
 * Two threads for the same work. Long requests use only one of them, so short requests wait only for short ones. Each
 * thread is started with its first request. Only the size of a request determines whether it is long.
 */
export class ThreadLanes<Request, Response> {
  readonly #short: ThreadWorker<Request, Response>
  readonly #long: ThreadWorker<Request, Response>

  /** `file`: as for `ThreadWorker`. */
  constructor(file: URL) {
    this.#short = new ThreadWorker(file)
    this.#long = new ThreadWorker(file)
  }

  /** Resolves and rejects as `ThreadWorker.ask` does with a limit of `lastResortMs`. */
  ask(body: Request, isLong: boolean): Promise<Response> {
    const thread = isLong || (this.#short.isBusy && !this.#long.isBusy) ? this.#long : this.#short
    return thread.ask(body, lastResortMs)
  }

  /** Ends both threads; unanswered requests fail. */
  async close(): Promise<void> {
    await Promise.all([this.#short.close(), this.#long.close()])
  }
}
