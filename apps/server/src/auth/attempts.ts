/** The maximum number of attempts in a window. */
export type AttemptLimit = { times: number; withinMs: number }

const remembered = 20_000

/**
 * Counts attempts per key (an address, an account) in fixed windows, to limit guessing. Kept in memory: a restart
 * clears it. Uses a monotonic clock.
 */
export class Attempts {
  readonly #limit: AttemptLimit
  readonly #elapsed: () => number
  readonly #counts = new Map<string, { times: number; until: number }>()

  constructor(limit: AttemptLimit, elapsed: () => number) {
    this.#limit = limit
    this.#elapsed = elapsed
  }

  /** Counts one attempt. Returns the time to wait in milliseconds if there were too many, else 0. */
  take(key: string): number {
    const now = this.#elapsed()
    const known = this.#counts.get(key)
    const current = known && known.until > now ? known : { times: 0, until: now + this.#limit.withinMs }
    if (current.times >= this.#limit.times) return current.until - now
    current.times += 1
    // Keeps insertion order by recency, so that the oldest entry is evicted.
    this.#counts.delete(key)
    this.#counts.set(key, current)
    if (this.#counts.size > remembered) this.#dropOldest()
    return 0
  }

  /** Uncounts one attempt, because it succeeded. */
  refund(key: string): void {
    const known = this.#counts.get(key)
    if (known && known.times > 0) known.times -= 1
  }

  #dropOldest(): void {
    const [oldest] = this.#counts.keys()
    if (oldest !== undefined) this.#counts.delete(oldest)
  }
}

/** A leaky bucket: its capacity, and how many attempts drain per hour. */
export type SlowdownLimit = { atOnce: number; perHour: number }

const hour = 3_600_000

/**
 * Counts attempts per key as `Attempts` does, but as a leaky bucket: over the limit the next attempt is possible as
 * soon as one has drained, not only after the whole window.
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
   * Counts one attempt and returns 0. If there were too many, doesn't count it and returns the time to wait in
   * milliseconds.
   */
  take(key: string): number {
    const { atOnce, perHour } = this.#limit
    const level = this.#levelOf(key)
    const tooMany = level + 1 - atOnce
    if (tooMany > 0) return Math.ceil((tooMany * hour) / perHour)
    this.#set(key, level + 1)
    return 0
  }

  /** Uncounts one attempt, because it succeeded. */
  refund(key: string): void {
    if (this.#levels.has(key)) this.#set(key, Math.max(0, this.#levelOf(key) - 1))
  }

  #levelOf(key: string): number {
    const known = this.#levels.get(key)
    if (!known) return 0
    const since = Math.max(0, this.#elapsed() - known.at)
    return Math.max(0, known.level - (since * this.#limit.perHour) / hour)
  }

  #set(key: string, level: number): void {
    // Keeps insertion order by recency, so that the oldest entry is evicted.
    this.#levels.delete(key)
    this.#levels.set(key, { level, at: this.#elapsed() })
    const [oldest] = this.#levels.keys()
    if (this.#levels.size > remembered && oldest !== undefined) this.#levels.delete(oldest)
  }
}
