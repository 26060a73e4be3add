import { RefusalCounts, type RefusalLimits } from './refusal-counts.ts'
import { type Rate, TokenBucket } from './token-bucket.ts'

/** How much of the server one address, one account and one socket may have. Generous: whoever writes, pastes and reloads meets none of it. */
export type SocketLimits = RefusalLimits & {
  socketsPerAddress: number
  /** Sockets of an address that have opened nothing yet. */
  strangersPerAddress: number
  upgradesPerAddress: Rate
  socketsPerAccount: number
  bytesPerAccount: Rate
  bytes: Rate
  messages: Rate
  /** Bytes that may wait for a client to read them: on one socket, and on all of an account's together. */
  unread: number
  unreadPerAccount: number
  /** Milliseconds between two looks at a socket: whether its client is still there, and whether it is in use. */
  lookEveryMs: number
  /** How long a client may give no sign of life, have no document open, and owe what its changes build on. */
  silentMs: number
  idleMs: number
  heldMs: number
}

const mebibyte = 1024 * 1024

/** The limits that docs/protocol.md names. Behind a proxy that nobody has declared, all people share one address. */
export const defaultSocketLimits: SocketLimits = {
  socketsPerAddress: 5000,
  strangersPerAddress: 1000,
  upgradesPerAddress: { burst: 2000, perSecond: 100 },
  socketsPerAccount: 100,
  bytesPerAccount: { burst: 256 * mebibyte, perSecond: 16 * mebibyte },
  bytes: { burst: 64 * mebibyte, perSecond: 8 * mebibyte },
  messages: { burst: 20_000, perSecond: 2000 },
  unread: 16 * mebibyte,
  unreadPerAccount: 64 * mebibyte,
  // A provider that sends the same broken change again and again comes back after a second or more: alone it is never kept out.
  refusals: { burst: 60, perSecond: 1 },
  keptOutMs: 60_000,
  lookEveryMs: 15_000,
  silentMs: 60_000,
  idleMs: 60_000,
  // A provider answers the server's question at once; whoever doesn't has lost what it would answer with.
  heldMs: 60_000,
}

const rememberedAddresses = 20_000

/** What is counted of a socket's account. */
export type SocketAccount = { bytes: TokenBucket; sockets: Set<{ readonly unread: number }> }

type Address = { sockets: number; strangers: number; upgrades: TokenBucket }

/** Counts sockets by address and by account. */
export class SocketCounts {
  readonly limits: SocketLimits
  readonly refusals: RefusalCounts
  readonly #now: () => number
  readonly #addresses = new Map<string, Address>()
  readonly #accounts = new Map<string, SocketAccount>()

  constructor(limits: SocketLimits, now: () => number) {
    this.limits = limits
    this.#now = now
    this.refusals = new RefusalCounts(limits, now)
  }

  /** Whether one more socket may come from an address; if not, how many seconds to wait before asking again. */
  ask(address: string): { ok: true } | { ok: false; waitSeconds: number } {
    const { limits } = this
    const counted = this.#address(address)
    // Whoever is sent away isn't counted, or others behind the same address would wait for it.
    const waitMs = counted.upgrades.take(0)
    const isFull = counted.sockets >= limits.socketsPerAddress || counted.strangers >= limits.strangersPerAddress
    if (waitMs === 0 && !isFull) {
      counted.upgrades.take(1)
      return { ok: true }
    }
    return { ok: false, waitSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
  }

  /** A socket of this address is open. Answers what to call once when it has opened a document, and once when it is closed. */
  enter(address: string): { known: () => void; left: () => void } {
    const counted = this.#address(address)
    counted.sockets += 1
    counted.strangers += 1
    let isStranger = true
    const known = (): void => {
      if (isStranger) counted.strangers -= 1
      isStranger = false
    }
    return {
      known,
      left: () => {
        known()
        counted.sockets -= 1
      },
    }
  }

  /** Counts a socket as an account's; undefined if it has too many. `leave` ends that. */
  join(account: string, socket: { readonly unread: number }): SocketAccount | undefined {
    const counted = this.#accounts.get(account) ?? {
      bytes: new TokenBucket(this.limits.bytesPerAccount, this.#now),
      sockets: new Set(),
    }
    if (counted.sockets.size >= this.limits.socketsPerAccount && !counted.sockets.has(socket)) return undefined
    counted.sockets.add(socket)
    this.#accounts.set(account, counted)
    return counted
  }

  /** A socket is no account's any more. */
  leave(socket: { readonly unread: number }, account: string): void {
    const counted = this.#accounts.get(account)
    counted?.sockets.delete(socket)
    if (counted?.sockets.size === 0) this.#accounts.delete(account)
  }

  #address(address: string): Address {
    const known = this.#addresses.get(address)
    if (known) return known
    const made = { sockets: 0, strangers: 0, upgrades: new TokenBucket(this.limits.upgradesPerAddress, this.#now) }
    this.#addresses.set(address, made)
    if (this.#addresses.size > rememberedAddresses) this.#forgetUnused()
    return made
  }

  #forgetUnused(): void {
    for (const [address, { sockets }] of this.#addresses) if (sockets === 0) this.#addresses.delete(address)
  }
}
