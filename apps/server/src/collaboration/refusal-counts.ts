import { type Rate, TokenBucket } from './token-bucket.ts'

/** How many sockets of an account may be closed for what they sent, and for how long it is kept out beyond that. */
export type RefusalLimits = { refusals: Rate; keptOutMs: number }

const rememberedAccounts = 10_000

/**
 * Counts how often an account's sockets are closed for what was sent: each time costs the server a copy of the document, and as much
 * again when the client comes back. Whoever goes on and on is kept out for a while.
 */
export class RefusalCounts {
  readonly #limits: RefusalLimits
  readonly #elapsed: () => number
  readonly #accounts = new Map<string, { left: TokenBucket; keptOutUntil: number }>()

  /** `elapsed` is a clock that nobody sets, in milliseconds. */
  constructor(limits: RefusalLimits, elapsed: () => number) {
    this.#limits = limits
    this.#elapsed = elapsed
  }

  /** A socket of this account was closed for what it sent. */
  note(account: string): void {
    const now = this.#elapsed()
    const counted = this.#accounts.get(account) ?? {
      left: new TokenBucket(this.#limits.refusals, this.#elapsed),
      keptOutUntil: now,
    }
    if (counted.left.take(1) > 0) counted.keptOutUntil = now + this.#limits.keptOutMs
    // Who was refused last is remembered longest.
    this.#accounts.delete(account)
    this.#accounts.set(account, counted)
    const [oldest] = this.#accounts.keys()
    if (this.#accounts.size > rememberedAccounts && oldest !== undefined) this.#accounts.delete(oldest)
  }

  /** Whether an account may open nothing at present. */
  isKeptOut(account: string): boolean {
    return (this.#accounts.get(account)?.keptOutUntil ?? -Infinity) > this.#elapsed()
  }
}
