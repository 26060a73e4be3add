/** How much may come at once, and how much in a second after that. */
export type Rate = { burst: number; perSecond: number }

/**
 * Counts what somebody takes, so that more than a rate allows has to wait. Takes of any size are let through once, and
 * waited for afterwards.
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

  /** How many may be taken now without waiting. */
  get left(): number {
    this.take(0)
    return this.#left
  }

  /**
   * Takes so many, and owes at most so many afterwards. Answers how many milliseconds to wait before the next, 0 if
   * none.
   */
  take(count: number, owedAtMost = Infinity): number {
    const now = this.#now()
    const { burst, perSecond } = this.#rate
    // A clock that jumps back must not take anything away.
    const since = Math.max(0, now - this.#at)
    this.#at = now
    this.#left = Math.max(-owedAtMost, Math.min(burst, this.#left + (since * perSecond) / 1000) - count)
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left * 1000) / perSecond)
  }
}
