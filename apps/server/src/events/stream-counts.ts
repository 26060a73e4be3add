import type { Caller } from '../auth/callers.ts'
import type { SocketOrigin } from '../common/client-address.ts'
import { type GroupKind, groupsOf } from '../collaboration/limits/socket-groups.ts'

/** Limits of a group: the number of streams, and their unread bytes in total. */
export type StreamLimit = { streams: number; unread: number }

/** The limits for the streams of one account, of all guests at one address and of one link, and of the whole server. */
export type StreamLimits = Record<GroupKind | 'server', StreamLimit> & {
  /** The maximum of unread bytes of one stream, which is also allowed when its group is over its limit. */
  unread: number
  littleUnread: number
}

const mebibyte = 1024 * 1024

/** The limits documented in docs/protocol.md. */
export const defaultStreamLimits: StreamLimits = {
  account: { streams: 50, unread: 8 * mebibyte },
  guestsAtAddress: { streams: 500, unread: 32 * mebibyte },
  guestsByLink: { streams: 2000, unread: 64 * mebibyte },
  server: { streams: Infinity, unread: 128 * mebibyte },
  unread: mebibyte,
  littleUnread: mebibyte / 16,
}

/** A stream's entry in the counts of its groups. */
export type StreamPlace = {
  /** Sets the number of bytes that wait for its reader; returns whether it is too large. */
  isLagging(unread: number): boolean
  /** Must be called when the stream has ended. */
  leave(): void
}

type Group = { key: string; limit: StreamLimit; streams: number; unread: number }

/** Counts event streams per group. Groups without streams use no memory. */
export class StreamCounts {
  readonly #limits: StreamLimits
  readonly #groups = new Map<string, Group>()

  constructor(limits: StreamLimits = defaultStreamLimits) {
    this.#limits = limits
  }

  /** Counts one more stream, or returns the limit if one of its groups is full. */
  enter(caller: Caller, origin: SocketOrigin): { ok: true; place: StreamPlace } | { ok: false; most: number } {
    const names = [...groupsOf(caller, origin), { kind: 'server', id: '' } as const]
    const groups = names.map(({ kind, id }) => this.#group(`${kind} ${id}`, this.#limits[kind]))
    const full = groups.find(({ streams, limit }) => streams >= limit.streams)
    if (full) return { ok: false, most: full.limit.streams }
    let mine = 0
    const note = (unread: number): void => {
      for (const group of groups) group.unread += unread - mine
      mine = unread
    }
    for (const group of groups) {
      group.streams += 1
      this.#groups.set(group.key, group)
    }
    const place: StreamPlace = {
      isLagging: (unread) => {
        note(unread)
        if (unread <= this.#limits.littleUnread) return false
        return unread > this.#limits.unread || groups.some((group) => group.unread > group.limit.unread)
      },
      leave: () => {
        note(0)
        for (const group of groups) {
          group.streams -= 1
          if (group.streams === 0) this.#groups.delete(group.key)
        }
      },
    }
    return { ok: true, place }
  }

  #group(key: string, limit: StreamLimit): Group {
    return this.#groups.get(key) ?? { key, limit, streams: 0, unread: 0 }
  }
}
