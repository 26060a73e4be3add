import type { StructId } from '../../store/updates/causal-order.ts'

/** An update whose dependencies are missing; `tries`: how often it was tried without success. */
export type HeldUpdate = { update: Uint8Array; isFullSync: boolean; missing: StructId; tries: number }

/**
 * Limits for held updates of one document on one connection. A client that typed while its connection was down sends a
 * frame per keystroke after reconnecting, all of which depend on the first; other held updates are rare.
 */
const limits = { bytes: 8 * 1024 * 1024, updates: 20_000, clients: 100, tries: 100 } as const
const overheadBytes = 256

/** Held updates, indexed by their missing struct, so that updates that can be tried are found without a search. */
export class HeldUpdates {
  /** Ordered by the missing client id, the highest clock first. */
  readonly #held = new Map<number, HeldUpdate[]>()
  readonly #note: (bytes: number) => boolean
  #count = 0
  #bytes = 0

  /** `note` receives the change in bytes and returns whether the new total is allowed. */
  constructor(note: (bytes: number) => boolean) {
    this.#note = note
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** False if there are too many held updates, or this update was tried too often. */
  add(held: HeldUpdate): boolean {
    const { client, clock } = held.missing
    const line = this.#held.get(client) ?? []
    this.#held.set(client, line)
    line.splice(placeOf(clock, line), 0, held)
    this.#count += 1
    this.#bytes += sizeOf(held)
    const hasRoom = this.#note(sizeOf(held))
    return (
      hasRoom &&
      this.#count <= limits.updates &&
      this.#bytes <= limits.bytes &&
      this.#held.size <= limits.clients &&
      held.tries <= limits.tries
    )
  }

  /** Removes and returns an update whose missing struct has arrived. */
  takeReady(isThere: (id: StructId) => boolean): HeldUpdate | undefined {
    for (const [client, line] of this.#held) {
      const lowest = line.at(-1)
      if (!lowest || !isThere(lowest.missing)) continue
      line.pop()
      if (line.length === 0) this.#held.delete(client)
      this.#count -= 1
      this.#bytes -= sizeOf(lowest)
      this.#note(-sizeOf(lowest))
      return lowest
    }
    return undefined
  }

  clear(): void {
    this.#held.clear()
    this.#note(-this.#bytes)
    this.#count = 0
    this.#bytes = 0
  }
}

function sizeOf({ update }: HeldUpdate): number {
  return update.byteLength + overheadBytes
}

/** The index of a clock in a list in descending order. */
function placeOf(clock: number, line: readonly HeldUpdate[]): number {
  let [from, to] = [0, line.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((line[middle]?.missing.clock ?? 0) > clock) from = middle + 1
    else to = middle
  }
  return from
}
