import { parentPort, Worker } from 'node:worker_threads'

/** A request took longer than its limit; the thread that worked on it was ended. */
export class ThreadTimeoutError extends Error {
  override readonly name = 'ThreadTimeoutError'
}

type Numbered<T> = { id: number; body: T }
type Answer<T> = Numbered<{ ok: true; value: T } | { ok: false; message: string }>
type Pending<T> = { resolve: (value: T) => void; reject: (error: Error) => void; timer: NodeJS.Timeout | undefined }

/**
 * A thread for work that would hold up the event loop. It is started with the first request, works on one after the other,
 * and is started anew after it ended, however it ended; its own requests fail then.
 */
export class ThreadWorker<Request, Response> {
  readonly #file: URL
  readonly #pending = new Map<number, Pending<Response>>()
  #thread: Worker | undefined
  #nextId = 1

  /** `file` is the module that runs in the thread and calls `answerRequests`. */
  constructor(file: URL) {
    this.#file = file
  }

  /**
   * Resolves with what the thread answers. Rejects with its error, or with `ThreadTimeoutError` when all that was asked
   * before it and it took longer than `timeoutMs`.
   */
  ask(body: Request, timeoutMs?: number): Promise<Response> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#expire(id), timeoutMs)
      this.#pending.set(id, { resolve, reject, timer })
      const request: Numbered<Request> = { id, body }
      this.#start().postMessage(request)
    })
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  #start(): Worker {
    if (this.#thread) return this.#thread
    const thread = new Worker(this.#file)
    thread.unref()
    thread.on('message', ({ id, body }: Answer<Response>) => {
      const pending = this.#settle(id)
      if (body.ok) pending?.resolve(body.value)
      else pending?.reject(new Error(body.message))
    })
    thread.on('error', (error) => this.#forget(thread, error))
    thread.on('exit', () => this.#forget(thread, new Error('the thread ended')))
    this.#thread = thread
    return thread
  }

  #settle(id: number): Pending<Response> | undefined {
    const pending = this.#pending.get(id)
    clearTimeout(pending?.timer)
    this.#pending.delete(id)
    return pending
  }

  #expire(id: number): void {
    this.#settle(id)?.reject(new ThreadTimeoutError('it took too long'))
    const thread = this.#thread
    if (!thread) return
    this.#forget(thread, new Error('the thread was ended'))
    void thread.terminate()
  }

  /** The next request gets a new thread; what this one still had fails. */
  #forget(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return
    this.#thread = undefined
    for (const id of this.#pending.keys()) this.#settle(id)?.reject(error)
  }
}

/** The thread's side: answers each request with what `handle` makes of it, or with the message of what it throws. */
export function answerRequests<Request, Response>(handle: (request: Request) => Response): void {
  parentPort?.on('message', ({ id, body }: Numbered<Request>) => {
    let answer: Answer<Response>
    try {
      answer = { id, body: { ok: true, value: handle(body) } }
    } catch (error) {
      answer = { id, body: { ok: false, message: error instanceof Error ? error.message : String(error) } }
    }
    parentPort?.postMessage(answer)
  })
}
