/** How often something may go wrong in a while. */
export type AttemptLimit = { times: number; withinMs: number }

const remembered = 20_000

/** Counts what goes wrong by key (an address, an account), so that nobody guesses for long. Kept in memory: a restart forgives. The clock is one that nobody sets. */
export class Attempts {
  readonly #limit: AttemptLimit
  readonly #elapsed: () => number
  readonly #counts = new Map<string, { times: number; until: number }>()

  constructor(limit: AttemptLimit, elapsed: () => number) {
    this.#limit = limit
    this.#elapsed = elapsed
  }

  /** Counts one attempt. Answers how many milliseconds to wait when there have been too many, else 0. */
  take(key: string): number {
    const now = this.#elapsed()
    const known = this.#counts.get(key)
    const current = known && known.until > now ? known : { times: 0, until: now + this.#limit.withinMs }
    if (current.times >= this.#limit.times) return current.until - now
    current.times += 1
    // The newest stand last, so that what is dropped is the oldest.
    this.#counts.delete(key)
    this.#counts.set(key, current)
    if (this.#counts.size > remembered) this.#dropOldest()
    return 0
  }

  /** Takes one attempt back: it went well. */
  giveBack(key: string): void {
    const known = this.#counts.get(key)
    if (known && known.times > 0) known.times -= 1
  }

  #dropOldest(): void {
    const [oldest] = this.#counts.keys()
    if (oldest !== undefined) this.#counts.delete(oldest)
  }
}
