import { isOver } from './time.ts'

export type RepetitionOptions = {
  /** The pause after each end of the work, in milliseconds. */
  every: number
  /** The pause before the first execution; `every` by default. */
  first?: number
  /** The longest pause after errors; an hour by default. */
  longest?: number
  work: (signal: AbortSignal) => Promise<void>
  onError: (error: unknown) => void
}

const hourMs = 60 * 60_000

/** Repeats work until it is closed. After an error the pause doubles, up to `longest`. */
export class Repetition {
  readonly #options: RepetitionOptions
  readonly #closed = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(options: RepetitionOptions) {
    this.#options = options
  }

  /** Aborted when this is closed. */
  get signal(): AbortSignal {
    return this.#closed.signal
  }

  start(): void {
    this.#running = this.#runRepeatedly()
  }

  /** Resolves when the current execution has ended. May be called twice. */
  async close(): Promise<void> {
    this.#closed.abort()
    await this.#running
  }

  async #runRepeatedly(): Promise<void> {
    const { every, first = every, longest = hourMs, work, onError } = this.#options
    for (let pause = first; await isOver(pause, this.signal);) {
      try {
        await work(this.signal)
        pause = every
      } catch (error) {
        onError(error)
        pause = Math.min(Math.max(pause, every) * 2, longest)
      }
    }
  }
}
