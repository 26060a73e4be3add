import { type Rate, TokenBucket } from './token-bucket.ts'

/**
 * How many sockets of an account may be closed for what they sent, and for how many milliseconds the account is then
 * locked out.
 */
export type RefusalLimits = { refusals: Rate; keptOutMs: number }

const rememberedAccounts = 10_000

/**
 * Counts how often an account's sockets are closed for what they sent. Each time costs the server a copy of the
 * document, and the same again when the client reconnects. An account that keeps doing this is locked out for a while.
 */
export class RefusalCounts {
  readonly #limits: RefusalLimits
  readonly #elapsed: () => number
  readonly #accounts = new Map<string, { left: TokenBucket; keptOutUntil: number }>()

  /** `elapsed` is a monotonic clock in milliseconds. */
  constructor(limits: RefusalLimits, elapsed: () => number) {
    this.#limits = limits
    this.#elapsed = elapsed
  }

  /** Counts a socket of this account that was closed for what it sent. */
  note(account: string): void {
    const now = this.#elapsed()
    const counted = this.#accounts.get(account) ?? {
      left: new TokenBucket(this.#limits.refusals, this.#elapsed),
      keptOutUntil: now,
    }
    if (counted.left.take(1) > 0) counted.keptOutUntil = now + this.#limits.keptOutMs
    // Moves the account to the end, so that the least recently refused one is forgotten first.
    this.#accounts.delete(account)
    this.#accounts.set(account, counted)
    const [oldest] = this.#accounts.keys()
    if (this.#accounts.size > rememberedAccounts && oldest !== undefined) this.#accounts.delete(oldest)
  }

  /** Whether an account is locked out at present. */
  isKeptOut(account: string): boolean {
    return (this.#accounts.get(account)?.keptOutUntil ?? -Infinity) > this.#elapsed()
  }
}
