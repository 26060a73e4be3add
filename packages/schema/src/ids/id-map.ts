import { firstIndex } from './first-index.ts'

/** `len` consecutive Yjs ids of one client. */
export type IdRange = { client: number; clock: number; len: number }

/** A part of a requested range; `offset` is the distance of its start from the start of its entry. */
export type Piece<T> = { range: IdRange } & ({ found: true; value: T; offset: number } | { found: false })

type Entry<T> = { clock: number; len: number; value: T }

/**
 * Values of Yjs ids, stored by ranges. An id has one value; added ranges must not overlap. Adding in ascending order is
 * cheap; lookup is a binary search. `join` may join an added range with the adjacent range before it: it returns the
 * value of the joined range, or `undefined` to keep both.
 */
export class IdMap<T> {
  readonly #clients = new Map<number, { entries: Entry<T>[]; sorted: boolean }>()
  readonly #join: (value: T, next: T) => T | undefined

  constructor(join: (value: T, next: T) => T | undefined = () => undefined) {
    this.#join = join
  }

  add({ client, clock, len }: IdRange, value: T): void {
    if (len <= 0) return
    let known = this.#clients.get(client)
    if (!known) {
      known = { entries: [], sorted: true }
      this.#clients.set(client, known)
    }
    const last = known.entries.at(-1)
    const joined = last && last.clock + last.len === clock ? this.#join(last.value, value) : undefined
    if (last && joined !== undefined) {
      last.len += len
      last.value = joined
      return
    }
    if (last && last.clock > clock) known.sorted = false
    known.entries.push({ clock, len, value })
  }

  /** Adds those ids of a range that have no value yet. */
  addNew(range: IdRange, value: T): void {
    for (const piece of this.pieces(range)) if (!piece.found) this.add(piece.range, value)
  }

  /** The value of one id; undefined without one. */
  get({ client, clock }: { client: number; clock: number }): T | undefined {
    const entries = this.#entriesOf(client)
    const entry = entries[firstEndingAfter(entries, clock)]
    return entry && entry.clock <= clock ? entry.value : undefined
  }

  /** The clock after the last id of a client; 0 without one. */
  end(client: number): number {
    const last = this.#entriesOf(client).at(-1)
    return last ? last.clock + last.len : 0
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

  /** The pieces of a range that have a value. */
  found(range: IdRange): Extract<Piece<T>, { found: true }>[] {
    return this.pieces(range).filter((piece) => piece.found)
  }

  /** All ranges, those of a client in the order of their clocks. */
  *[Symbol.iterator](): Generator<{ range: IdRange; value: T }, void, undefined> {
    for (const client of this.#clients.keys()) {
      for (const { clock, len, value } of this.#entriesOf(client)) yield { range: { client, clock, len }, value }
    }
  }

  #entriesOf(client: number): readonly Entry<T>[] {
    const known = this.#clients.get(client)
    if (!known) return []
    if (!known.sorted) {
      known.entries.sort((a, b) => a.clock - b.clock)
      known.sorted = true
    }
    return known.entries
  }
}

function firstEndingAfter(entries: readonly { clock: number; len: number }[], clock: number): number {
  return firstIndex(entries, (entry) => entry.clock + entry.len > clock)
}
