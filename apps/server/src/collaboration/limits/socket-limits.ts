import { FrameScheduler } from './frame-scheduler.ts'
import type { SocketOrigin } from '../../common/client-address.ts'
import { type GroupKind, type GroupLimits, SocketGroups } from './socket-groups.ts'
import { type Rate, TokenBucket } from './token-bucket.ts'

/**
 * Limits on the server's resources per address, account, link and socket. People who write, paste and reload don't
 * reach them.
 */
export type SocketLimits = RefusalLimits &
  Record<GroupKind, GroupLimits> & {
    socketsPerAddress: number
    /** Sockets of an address that have not opened a document yet. */
    unauthenticatedPerAddress: number
    upgradesPerAddress: Rate
    /** Tokens of an address that were checked and refused. */
    refusedTokensPerAddress: Rate
    bytes: Rate
    messages: Rate
    /** The number of bytes that the client of one socket may leave unread. */
    unread: number
    /** Milliseconds between two checks of a socket: whether its client responds, and whether it is in use. */
    checkEveryMs: number
    /**
     * Milliseconds after which a socket is closed: without data from the client, without an open document, and with
     * held updates.
     */
    silentMs: number
    idleMs: number
    heldMs: number
  }

const mebibyte = 1024 * 1024
const million = 1_000_000

/** The limits in docs/protocol.md. Behind an undeclared proxy all users share one address. */
export const defaultSocketLimits: SocketLimits = {
  socketsPerAddress: 5000,
  unauthenticatedPerAddress: 1000,
  upgradesPerAddress: { burst: 2000, perSecond: 100 },
  // A page whose session has expired requests a document and its room once, then waits for the user.
  refusedTokensPerAddress: { burst: 600, perSecond: 10 },
  account: {
    sockets: 100,
    bytes: { burst: 256 * mebibyte, perSecond: 16 * mebibyte },
    work: { burst: 40 * million, perSecond: 4 * million },
    unread: 64 * mebibyte,
    held: 32 * mebibyte,
  },
  // A school class opens a link at the same time, from one address.
  guestsAtAddress: {
    sockets: 500,
    bytes: { burst: 512 * mebibyte, perSecond: 32 * mebibyte },
    work: { burst: 60 * million, perSecond: 6 * million },
    unread: 256 * mebibyte,
    held: 64 * mebibyte,
  },
  guestsByLink: {
    sockets: 2000,
    bytes: { burst: 1024 * mebibyte, perSecond: 64 * mebibyte },
    work: { burst: 80 * million, perSecond: 8 * million },
    unread: 512 * mebibyte,
    held: 128 * mebibyte,
  },
  bytes: { burst: 64 * mebibyte, perSecond: 8 * mebibyte },
  messages: { burst: 20_000, perSecond: 2000 },
  unread: 16 * mebibyte,
  // A provider that repeatedly sends the same broken change reconnects after a second or more: it alone never causes a
  // lockout.
  refusals: { burst: 60, perSecond: 1 },
  blockedMs: 60_000,
  checkEveryMs: 15_000,
  silentMs: 60_000,
  idleMs: 60_000,
  // A provider answers the server's sync request immediately; one that doesn't no longer has the missing updates.
  heldMs: 60_000,
}

const rememberedAddresses = 20_000

type Address = { sockets: number; unauthenticated: number; upgrades: TokenBucket; refusedTokens: TokenBucket }

export type CountedSocket = {
  /** Must be called when the socket has opened a document. */
  noteAuthenticated(): void
  refused(): void
  /** Whether so many tokens were refused that tokens of unknown sockets aren't checked now. */
  readonly isOverTokenLimit: boolean
  /** Must be called when the socket is closed. */
  closed(): void
}

export class SocketCounts {
  readonly limits: SocketLimits
  readonly refusals: RefusalCounts
  readonly groups: SocketGroups
  readonly scheduler = new FrameScheduler()
  readonly #now: () => number
  readonly #addresses = new Map<string, Address>()

  constructor(limits: SocketLimits, now: () => number) {
    this.limits = limits
    this.#now = now
    this.refusals = new RefusalCounts(limits, now)
    this.groups = new SocketGroups(limits, now)
  }

  /** Whether an address may open one more socket; if not, the seconds to wait before the next attempt. */
  checkNewSocket(address: string): { ok: true } | { ok: false; waitSeconds: number } {
    const { limits } = this
    const counted = this.#address(address)
    // A refused attempt isn't counted; otherwise others at the same address would have to wait for it.
    const waitMs = counted.upgrades.take(0)
    const isFull =
      counted.sockets >= limits.socketsPerAddress || counted.unauthenticated >= limits.unauthenticatedPerAddress
    if (waitMs === 0 && !isFull) {
      counted.upgrades.take(1)
      return { ok: true }
    }
    return { ok: false, waitSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
  }

  /** Counts a newly opened socket of this address. */
  countSocket({ address, distinguishesCallers }: SocketOrigin): CountedSocket {
    const counted = this.#address(address)
    const { refusedTokens } = counted
    const { burst } = this.limits.refusedTokensPerAddress
    counted.sockets += 1
    counted.unauthenticated += 1
    let isUnauthenticated = true
    const noteAuthenticated = (): void => {
      if (isUnauthenticated) counted.unauthenticated -= 1
      isUnauthenticated = false
    }
    return {
      noteAuthenticated,
      // The debt is capped: after hours of guessed tokens, others at the same address must not be locked out for hours.
      refused: () => void (distinguishesCallers && refusedTokens.take(1, burst)),
      get isOverTokenLimit() {
        return refusedTokens.take(0) > 0
      },
      closed: () => {
        noteAuthenticated()
        counted.sockets -= 1
      },
    }
  }

  #address(address: string): Address {
    const noteAuthenticated = this.#addresses.get(address)
    if (noteAuthenticated) return noteAuthenticated
    const { upgradesPerAddress, refusedTokensPerAddress } = this.limits
    const made = {
      sockets: 0,
      unauthenticated: 0,
      upgrades: new TokenBucket(upgradesPerAddress, this.#now),
      refusedTokens: new TokenBucket(refusedTokensPerAddress, this.#now),
    }
    this.#addresses.set(address, made)
    if (this.#addresses.size > rememberedAddresses) this.#forgetUnused()
    return made
  }

  #forgetUnused(): void {
    for (const [address, { sockets }] of this.#addresses) if (sockets === 0) this.#addresses.delete(address)
  }
}

/**
 * How many sockets of an account may be closed because of the client's data, and for how many milliseconds the account
 * is then locked out.
 */
type RefusalLimits = { refusals: Rate; blockedMs: number }

const rememberedAccounts = 10_000

/**
 * Counts how often an account's sockets are closed because of the client's data. Each time costs the server a copy of
 * the document, and the same again when the client reconnects. An account above the limit is locked out for a while.
 */
export class RefusalCounts {
  readonly #limits: RefusalLimits
  readonly #elapsed: () => number
  readonly #accounts = new Map<string, { closed: TokenBucket; blockedUntil: number }>()

  /** `elapsed` is a monotonic clock in milliseconds. */
  constructor(limits: RefusalLimits, elapsed: () => number) {
    this.#limits = limits
    this.#elapsed = elapsed
  }

  /** Counts a socket of this account that was closed because of the client's data. */
  note(account: string): void {
    const now = this.#elapsed()
    const counted = this.#accounts.get(account) ?? {
      closed: new TokenBucket(this.#limits.refusals, this.#elapsed),
      blockedUntil: now,
    }
    if (counted.closed.take(1) > 0) counted.blockedUntil = now + this.#limits.blockedMs
    // Moves the account to the end, so that the least recently refused account is evicted first.
    this.#accounts.delete(account)
    this.#accounts.set(account, counted)
    const [oldest] = this.#accounts.keys()
    if (this.#accounts.size > rememberedAccounts && oldest !== undefined) this.#accounts.delete(oldest)
  }

  /** Whether an account is locked out at present. */
  isBlocked(account: string): boolean {
    return (this.#accounts.get(account)?.blockedUntil ?? -Infinity) > this.#elapsed()
  }
}
