/** `len` consecutive Yjs ids of one client. */
export type IdRange = { client: number; clock: number; len: number }

/** A part of a requested range; `offset` is the distance of its start from the start of its entry. */
export type Piece<T> = { range: IdRange } & ({ found: true; value: T; offset: number } | { found: false })

type Entry<T> = { clock: number; len: number; value: T }

/**
 * Values of Yjs ids, stored by ranges. An id has one value; added ranges must not overlap. Adding in ascending order is
 * cheap; lookup is a binary search.
 */
export class IdMap<T> {
  readonly #clients = new Map<number, { entries: Entry<T>[]; sorted: boolean }>()

  add({ client, clock, len }: IdRange, value: T): void {
    if (len <= 0) return
    let known = this.#clients.get(client)
    if (!known) {
      known = { entries: [], sorted: true }
      this.#clients.set(client, known)
    }
    const last = known.entries.at(-1)
    if (last && last.clock > clock) known.sorted = false
    known.entries.push({ clock, len, value })
  }

  /** The value of one id. */
  get(client: number, clock: number): T | undefined {
    const entries = this.#entriesOf(client)
    const entry = entries[firstEndingAfter(entries, clock)]
    return entry && entry.clock <= clock ? entry.value : undefined
  }

  /** Splits a range where its value changes. */
  pieces({ client, clock, len }: IdRange): Piece<T>[] {
    const entries = this.#entriesOf(client)
    const pieces: Piece<T>[] = []
    const end = clock + len
    let position = clock
    for (let index = firstEndingAfter(entries, clock); position < end; index++) {
      const entry = entries[index]
      if (!entry || entry.clock >= end) break
      if (entry.clock > position) {
        pieces.push({ range: { client, clock: position, len: entry.clock - position }, found: false })
        position = entry.clock
      }
      const until = Math.min(end, entry.clock + entry.len)
      const range = { client, clock: position, len: until - position }
      pieces.push({ range, found: true, value: entry.value, offset: position - entry.clock })
      position = until
    }
    if (position < end) pieces.push({ range: { client, clock: position, len: end - position }, found: false })
    return pieces
  }

  /** The ranges whose value `wanted` accepts. */
  rangesWith(wanted: (value: T) => boolean): IdRange[] {
    const found: IdRange[] = []
    for (const [client, { entries }] of this.#clients) {
      for (const { clock, len, value } of entries) if (wanted(value)) found.push({ client, clock, len })
    }
    return found
  }

  #entriesOf(client: number): Entry<T>[] {
    const known = this.#clients.get(client)
    if (!known) return []
    if (!known.sorted) {
      known.entries.sort((a, b) => a.clock - b.clock)
      known.sorted = true
    }
    return known.entries
  }
}

/**
 * The index of the first of these ranges that ends after a clock, by binary search: they are in order and don't
 * overlap.
 */
export function firstEndingAfter(entries: readonly Pick<IdRange, 'clock' | 'len'>[], clock: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    const entry = entries[middle]
    if (entry && entry.clock + entry.len <= clock) low = middle + 1
    else high = middle
  }
  return low
}
