/** How often something may go wrong in a while. */
export type AttemptLimit = { times: number; withinMs: number }

const remembered = 20_000

/**
 * Counts what goes wrong by key (an address, an account), so that nobody guesses for long. Kept in memory: a restart
 * forgives. The clock is one that nobody sets.
 */
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

/** How often something may go wrong at once, and how often in an hour after that. */
export type SlowdownLimit = { atOnce: number; perHour: number }

const hour = 3_600_000

/**
 * Counts what goes wrong by key as `Attempts` does, and slows it down instead of keeping it out: what is over the limit
 * has to wait for one attempt's share of the hour, not for all of them.
 */
export class Slowdown {
  readonly #limit: SlowdownLimit
  readonly #elapsed: () => number
  readonly #levels = new Map<string, { level: number; at: number }>()

  constructor(limit: SlowdownLimit, elapsed: () => number) {
    this.#limit = limit
    this.#elapsed = elapsed
  }

  /**
   * Counts one attempt. Answers how many milliseconds to wait when there have been too many, and doesn't count it then;
   * else 0.
   */
  take(key: string): number {
    const { atOnce, perHour } = this.#limit
    const level = this.#levelOf(key)
    const tooMany = level + 1 - atOnce
    if (tooMany > 0) return Math.ceil((tooMany * hour) / perHour)
    this.#set(key, level + 1)
    return 0
  }

  /** Takes one attempt back: it went well. */
  giveBack(key: string): void {
    if (this.#levels.has(key)) this.#set(key, Math.max(0, this.#levelOf(key) - 1))
  }

  #levelOf(key: string): number {
    const known = this.#levels.get(key)
    if (!known) return 0
    const since = Math.max(0, this.#elapsed() - known.at)
    return Math.max(0, known.level - (since * this.#limit.perHour) / hour)
  }

  #set(key: string, level: number): void {
    // The newest stand last, so that what is dropped is the oldest.
    this.#levels.delete(key)
    this.#levels.set(key, { level, at: this.#elapsed() })
    const [oldest] = this.#levels.keys()
    if (this.#levels.size > remembered && oldest !== undefined) this.#levels.delete(oldest)
  }
}
