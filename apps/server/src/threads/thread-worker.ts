import { parentPort, Worker } from 'node:worker_threads'

/** A request took longer than its limit; the thread that worked on it was terminated. */
export class ThreadTimeoutError extends Error {
  override readonly name = 'ThreadTimeoutError'
}

type Numbered<T> = { id: number; body: T }
type Answer<T> = Numbered<{ ok: true; value: T } | { ok: false; message: string }>
type QueuedRequest<Request, Response> = {
  body: Request
  timeoutMs: number | undefined
  resolve: (value: Response) => void
  reject: (error: Error) => void
}
type ActiveRequest<Request, Response> = {
  id: number
  queued: QueuedRequest<Request, Response>
  timer: NodeJS.Timeout | undefined
}

/**
 * A worker thread for work that would block the event loop. The first request starts it; it handles one request at a
 * time. If it ends for any reason, the current request fails, and a new thread continues with the queued requests: no
 * request fails because of another.
 */
export class ThreadWorker<Request, Response> {
  readonly #file: URL
  #queue: QueuedRequest<Request, Response>[] = []
  #active: ActiveRequest<Request, Response> | undefined
  #thread: Worker | undefined
  #nextId = 1

  /** `file` is the module that runs in the thread and calls `answerRequests`. */
  constructor(file: URL) {
    this.#file = file
  }

  /**
   * Resolves with the thread's answer. Rejects with its error, or with `ThreadTimeoutError` when the thread has worked
   * on the request for `timeoutMs`; time in the queue isn't limited. Rejects with an `AbortError` when the signal is
   * aborted; a thread that works on the request is then terminated.
   */
  ask(body: Request, timeoutMs?: number, signal?: AbortSignal): Promise<Response> {
    return new Promise((resolve, reject) => {
      const abort = (): void => this.#abort(queued)
      const settle =
        <T>(act: (given: T) => void) =>
        (given: T): void => {
          signal?.removeEventListener('abort', abort)
          act(given)
        }
      const queued: QueuedRequest<Request, Response> = {
        body,
        timeoutMs,
        resolve: settle(resolve),
        reject: settle(reject),
      }
      this.#queue.push(queued)
      signal?.addEventListener('abort', abort)
      if (signal?.aborted) abort()
      this.#next()
    })
  }

  /** Whether the thread is working on a request. */
  get isBusy(): boolean {
    return this.#active !== undefined
  }

  /** Ends the thread; unanswered requests fail. */
  async close(): Promise<void> {
    const [thread, waiting] = [this.#thread, this.#queue]
    this.#queue = []
    const ended = new Error('the thread was ended')
    for (const { reject } of waiting) reject(ended)
    if (!thread) return
    this.#forget(thread, ended)
    await thread.terminate()
  }

  #next(): void {
    const queued = this.#active ? undefined : this.#queue.shift()
    if (!queued) return
    const { body, timeoutMs } = queued
    const id = this.#nextId++
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#expire(), timeoutMs)
    this.#active = { id, queued, timer }
    const request: Numbered<Request> = { id, body }
    try {
      this.#start().postMessage(request)
    } catch (error) {
      // The request can't be posted to a thread, or no thread can be started.
      this.#settle()?.reject(error instanceof Error ? error : new Error(String(error)))
      this.#next()
    }
  }

  #start(): Worker {
    if (this.#thread) return this.#thread
    const thread = new Worker(this.#file)
    thread.unref()
    thread.on('message', ({ id, body }: Answer<Response>) => {
      if (this.#thread !== thread || this.#active?.id !== id) return
      const queued = this.#settle()
      if (body.ok) queued?.resolve(body.value)
      else queued?.reject(new Error(body.message))
      this.#next()
    })
    thread.on('error', (error) => this.#forget(thread, error))
    thread.on('exit', () => this.#forget(thread, new Error('the thread ended')))
    this.#thread = thread
    return thread
  }

  #settle(): QueuedRequest<Request, Response> | undefined {
    const active = this.#active
    clearTimeout(active?.timer)
    this.#active = undefined
    return active?.queued
  }

  #abort(queued: QueuedRequest<Request, Response>): void {
    const ended = new DOMException('the request was aborted', 'AbortError')
    const thread = this.#thread
    if (this.#active?.queued === queued && thread) {
      this.#forget(thread, ended)
      void thread.terminate()
      return
    }
    this.#queue = this.#queue.filter((each) => each !== queued)
    queued.reject(ended)
  }

  #expire(): void {
    const thread = this.#thread
    if (!thread) return
    this.#forget(thread, new ThreadTimeoutError('it took too long'))
    void thread.terminate()
  }

  /** Fails the current request of this thread; a new thread continues with the queue. */
  #forget(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return
    this.#thread = undefined
    this.#settle()?.reject(error)
    this.#next()
  }
}

/**
 * The thread's part: answers each request with the result of `handle`, or with the message of the error that it throws.
 */
export function answerRequests<Request, Response>(handle: (request: Request) => Response | Promise<Response>): void {
  const answerTo = async ({ id, body }: Numbered<Request>): Promise<Answer<Response>> => {
    try {
      return { id, body: { ok: true, value: await handle(body) } }
    } catch (error) {
      return { id, body: { ok: false, message: error instanceof Error ? error.message : String(error) } }
    }
  }
  parentPort?.on('message', (request: Numbered<Request>) => {
    void answerTo(request).then((answer) => parentPort?.postMessage(answer))
  })
}
