import type { StructId } from '../store/causal-order.ts'

/** An update that waits for what it builds on; `tries`: how often it was tried in vain. */
export type Held = { update: Uint8Array; isFullSync: boolean; missing: StructId; tries: number }

/**
 * What may wait of one document on one connection. Who types on while the line is down sends a frame a keystroke when it is back,
 * all built on the first; of others' changes that one lacks there are few.
 */
const limits = { bytes: 8 * 1024 * 1024, updates: 20_000, clients: 100, tries: 100 } as const
const overheadBytes = 256

/**
 * Updates that build on something missing, by what that is: to ask which of them can be tried costs nothing for the
 * others.
 */
export class HeldUpdates {
  /** By the client id that is missing, the highest clock first. */
  readonly #held = new Map<number, Held[]>()
  readonly #note: (bytes: number) => boolean
  #count = 0
  #bytes = 0

  /** `note` is told by how many bytes it grows or shrinks, and answers whether so much may wait in all. */
  constructor(note: (bytes: number) => boolean) {
    this.#note = note
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** False if it is one too many, or was tried too often. */
  add(held: Held): boolean {
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

  /** Takes out one whose missing struct the document has. */
  takeReady(isThere: (id: StructId) => boolean): Held | undefined {
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

function sizeOf({ update }: Held): number {
  return update.byteLength + overheadBytes
}

/** Where a clock belongs in a list that falls. */
function placeOf(clock: number, line: readonly Held[]): number {
  let [from, to] = [0, line.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((line[middle]?.missing.clock ?? 0) > clock) from = middle + 1
    else to = middle
  }
  return from
}
