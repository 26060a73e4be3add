/** A rate limit: how much may be taken in one burst, and how much per second after that. */
export type Rate = { burst: number; perSecond: number }

/**
 * A token bucket that allows debt: a take of any size succeeds once, and later takes wait until the debt is paid back.
 */
export class TokenBucket {
  readonly #rate: Rate
  readonly #now: () => number
  #left: number
  #at: number

  constructor(rate: Rate, now: () => number) {
    this.#rate = rate
    this.#now = now
    this.#left = rate.burst
    this.#at = now()
  }

  /** How much may be taken now without waiting. */
  get left(): number {
    this.take(0)
    return this.#left
  }

  /** Whether the last take left a debt. */
  get isOverdrawn(): boolean {
    return this.#left < 0
  }

  /**
   * Takes `count`; the debt afterwards is at most `owedAtMost`. Returns how many milliseconds to wait before the next
   * take, 0 if none.
   */
  take(count: number, owedAtMost = Infinity): number {
    const now = this.#now()
    const { burst, perSecond } = this.#rate
    // A clock that is set back must not reduce the level.
    const since = Math.max(0, now - this.#at)
    this.#at = now
    this.#left = Math.max(-owedAtMost, Math.min(burst, this.#left + (since * perSecond) / 1000) - count)
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left * 1000) / perSecond)
  }
}
