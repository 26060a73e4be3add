import { Semaphore } from 'async-mutex'
import type { Caller } from '../../auth/callers.ts'
import type { SocketOrigin } from '../../common/client-address.ts'
import { type Rate, TokenBucket } from './token-bucket.ts'

/**
 * The groups of sockets: those of an account (or a run), of all guests at one address, or of all guests of one link.
 */
export type GroupKind = 'account' | 'guestsAtAddress' | 'guestsByLink'

/** The close reason for a client whose group is full. */
export const fullReasons: Readonly<Record<GroupKind, string>> = {
  account: 'this account has too many connections; close some of its windows',
  guestsAtAddress: 'there are too many guests at this address; try again later',
  guestsByLink: 'there are too many guests with this link; try again later',
}

/**
 * Limits for all sockets of a group together. `unread`: bytes that clients have not read yet; `held`: bytes of updates
 * with missing dependencies; `work`: the cost of their frames for the server, in steps of some 50 ns.
 */
export type GroupLimits = { sockets: number; bytes: Rate; work: Rate; unread: number; held: number }

const answersAtOnce = 4

type CountedSocket = { readonly unread: number; readonly heldBytes: number }

export type SocketGroup = {
  readonly key: string
  readonly limits: GroupLimits
  readonly bytes: TokenBucket
  readonly work: TokenBucket
  /** Limits how many sockets receive a whole document at the same time, since each copy is completely in memory. */
  readonly answers: Semaphore
  readonly sockets: Set<CountedSocket>
}

type GroupName = { kind: GroupKind; id: string }

/**
 * The groups of a caller's socket. Guest sessions cost nothing, so all guests at an address count together, and all
 * guests of a link at any address. The address comes first: a socket over the limit of its address must not count for
 * its link.
 */
export function groupsOf(caller: Caller, { address, distinguishesCallers }: SocketOrigin): GroupName[] {
  if (caller.kind === 'run') return [{ kind: 'account', id: caller.run }]
  const { user, guest, link } = caller
  const own: GroupName = { kind: 'account', id: user.id }
  if (!guest) return [own]
  const here: GroupName[] = distinguishesCallers ? [{ kind: 'guestsAtAddress', id: address }] : []
  const by: GroupName[] = link === undefined ? [] : [{ kind: 'guestsByLink', id: link }]
  return [own, ...here, ...by]
}

/** The sum of a value over all sockets of a group. */
export function sumOf({ sockets }: SocketGroup, what: keyof CountedSocket): number {
  let sum = 0
  for (const socket of sockets) sum += socket[what]
  return sum
}

export class SocketGroups {
  readonly #limits: Record<GroupKind, GroupLimits>
  readonly #now: () => number
  readonly #groups = new Map<string, SocketGroup>()

  constructor(limits: Record<GroupKind, GroupLimits>, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /** Adds a socket to all of these groups; or to none, and returns the group that is full. `leave` undoes it. */
  join(
    socket: CountedSocket,
    names: readonly GroupName[],
  ): { ok: true; groups: SocketGroup[] } | { ok: false; full: GroupKind } {
    const groups = names.map((name) => this.#group(name))
    const full = groups.findIndex(({ sockets, limits }) => sockets.size >= limits.sockets && !sockets.has(socket))
    const kind = names[full]?.kind
    if (kind !== undefined) return { ok: false, full: kind }
    for (const group of groups) {
      group.sockets.add(socket)
      this.#groups.set(group.key, group)
    }
    return { ok: true, groups }
  }

  /** Removes a socket from these groups. */
  leave(socket: CountedSocket, groups: Iterable<SocketGroup>): void {
    for (const { key, sockets } of groups) {
      sockets.delete(socket)
      if (sockets.size === 0) this.#groups.delete(key)
    }
  }

  #group({ kind, id }: GroupName): SocketGroup {
    const key = `${kind} ${id}`
    const limits = this.#limits[kind]
    const known = this.#groups.get(key)
    if (known) return known
    const bucket = (rate: Rate): TokenBucket => new TokenBucket(rate, this.#now)
    const answers = new Semaphore(answersAtOnce)
    return { key, limits, bytes: bucket(limits.bytes), work: bucket(limits.work), answers, sockets: new Set() }
  }
}
