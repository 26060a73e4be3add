import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

// A commit writes some five pages of 4 KiB.
const everyCommits = 1000

/** Checkpoints SQLite's WAL into the database file regularly, in a separate thread that starts on first use. */
export class Checkpoints {
  readonly #path: string
  #thread: Worker | undefined
  #commits = 0
  #isBusy = false

  constructor(path: string) {
    this.#path = path
  }

  /** Counts a commit. */
  note(): void {
    this.#commits += 1
    if (this.#commits < everyCommits || this.#isBusy) return
    this.#commits = 0
    this.#isBusy = true
    this.#thread ??= this.#start()
    this.#thread.postMessage(null)
  }

  #start(): Worker {
    const file = new URL(`./checkpoint-thread${extname(import.meta.url)}`, import.meta.url)
    const thread = new Worker(file, { workerData: { path: this.#path } })
    thread.on('message', () => (this.#isBusy = false))
    // If this thread fails, the writer's automatic checkpoints replace it.
    thread.on('error', () => (this.#thread = undefined))
    thread.on('exit', () => (this.#isBusy = false))
    thread.unref()
    return thread
  }
}
