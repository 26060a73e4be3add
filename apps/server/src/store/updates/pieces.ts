import type { YType } from '@copydesk/schema'
import { firstIndex } from '@copydesk/schema/ids'
import * as Y from 'yjs'
import type { StructId } from './causal-order.ts'

/**
 * A list of Yjs items: the children of a type (`key` null), or all values that a key of it has had; `had` is their
 * number. `added`: by how many items the update lengthens the list, including splits.
 */
export type List = {
  readonly parent: YType
  readonly key: string | null
  first: Piece | null
  had: number
  added: number
}

/** A part of a list that Yjs stores, or will store, as one item. For an existing item, `right` is read on first use. */
export type Piece = {
  client: number
  clock: number
  length: number
  origin: StructId | null
  rightOrigin: StructId | null
  right: Piece | null | undefined
  list: List
  content: Y.Item['content']
  /** The document's item that this piece is, or is a part of. */
  known: Y.Item | undefined
}

/** A garbage-collected struct; content inserted into it is collected, too. */
type Collected = { client: number; clock: number; length: number; list: undefined }
export type Place = Piece | Collected

type Found = { place: Place; among: Place[]; index: number }

/**
 * A copy of the items that a trial integration visits, split where an update splits them; the document stays unchanged.
 * `onStep` is called for the items over which Yjs iterates to find the first value of a key.
 */
export class Pieces {
  readonly #doc: Y.Doc
  readonly #onStep: (steps: number) => void
  readonly #lists = new Map<YType, Map<string | null, List>>()
  /** The parts of the document's items that the update splits, in order. */
  readonly #known = new Map<Y.Item, Piece[]>()
  /** By client id, in the order of clocks. */
  readonly #added = new Map<number, Place[]>()
  /** How many items are split, each adding one item. */
  splits = 0

  constructor(doc: Y.Doc, onStep: (steps: number) => void) {
    this.#doc = doc
    this.#onStep = onStep
  }

  /** The clock of the next struct of a client id. */
  stateOf(client: number): number {
    const last = this.#added.get(client)?.at(-1)
    return last ? last.clock + last.length : Y.getState(this.#doc.store, client)
  }

  /** Adds a struct that follows the others of its client id. */
  append(place: Place): void {
    const pieces = this.#added.get(place.client)
    if (pieces) pieces.push(place)
    else this.#added.set(place.client, [place])
  }

  /** The list of a type's children, if the trial has visited it. */
  childrenOf(type: YType): List | undefined {
    return this.#lists.get(type)?.get(null)
  }

  /** The first piece of an item of the document, if the trial has visited it. */
  firstOf(item: Y.Item): Piece | undefined {
    return this.#known.get(item)?.[0]
  }

  /** The list of a type's children, or of the values of one of its keys. */
  list(parent: YType, key: string | null): List {
    const lists = this.#lists.get(parent) ?? new Map<string | null, List>()
    this.#lists.set(parent, lists)
    const known = lists.get(key)
    if (known) return known
    const list: List = { parent, key, first: null, had: 0, added: 0 }
    lists.set(key, list)
    const first = key === null ? parent._start : this.#firstValue(parent, key, list)
    if (first) list.first = this.#piecesOf(first)[0] ?? null
    return list
  }

  #firstValue(parent: YType, key: string, list: List): Y.Item | null {
    let value = parent._map.get(key) ?? null
    if (value) list.had = 1
    for (; value?.left; value = value.left) {
      list.had += 1
      this.#onStep(1)
    }
    return value
  }

  /** The piece to the right, read from the document if necessary. */
  rightOf(piece: Piece): Piece | null {
    if (piece.right === undefined) {
      const next = piece.known?.right
      piece.right = (next && this.#piecesOf(next)[0]) ?? null
    }
    return piece.right
  }

  #piecesOf(item: Y.Item): Piece[] {
    const known = this.#known.get(item)
    if (known) return known
    const { id, length, origin, rightOrigin, content } = item
    const piece: Piece = {
      client: id.client,
      clock: id.clock,
      length,
      origin,
      rightOrigin,
      right: undefined,
      list: none,
      content,
      known: item,
    }
    const pieces = [piece]
    this.#known.set(item, pieces)
    // Set last, because reading a list may request its first item again.
    piece.list = this.list(item.parent as YType, item.parentSub)
    return pieces
  }

  /** The piece that contains a character. */
  at(id: StructId): Place {
    return this.find(id).place
  }

  /** The piece that ends with this character; splits it if it continues. */
  endingAt(id: StructId): Place {
    const { place, among, index } = this.find(id)
    if (place.list && id.clock < place.clock + place.length - 1) this.#split(place, id.clock + 1, among, index)
    return place
  }

  /** The piece that begins with this character; splits it if it starts earlier. */
  startingAt(id: StructId): Place {
    const { place, among, index } = this.find(id)
    return place.list && id.clock > place.clock ? this.#split(place, id.clock, among, index) : place
  }

  #split(piece: Piece, clock: number, among: Place[], index: number): Piece {
    const origin = { client: piece.client, clock: clock - 1 }
    const rest: Piece = { ...piece, clock, length: piece.clock + piece.length - clock, origin }
    piece.length = clock - piece.clock
    piece.right = rest
    among.splice(index + 1, 0, rest)
    piece.list.added += 1
    this.splits += 1
    return rest
  }

  /** The piece that contains a character, and where it is stored. */
  find(id: StructId): Found {
    const { client, clock } = id
    if (clock >= Y.getState(this.#doc.store, client)) return findIn(this.#added.get(client) ?? [], id)
    const structs = this.#doc.store.clients.get(client) ?? []
    const struct = structs[Y.findIndexSS(structs, clock)]
    if (struct instanceof Y.Item) return findIn(this.#piecesOf(struct), id)
    return { place: { client, clock, length: 1, list: undefined }, among: [], index: 0 }
  }
}

/** Placeholder for the list of a piece until it is read. */
const none: List = { parent: new Y.XmlFragment(), key: null, first: null, had: 0, added: 0 }

function findIn(among: Place[], { client, clock }: StructId): Found {
  const index = firstIndex(among, (place) => place.clock + place.length > clock)
  const place = among[index]
  if (!place || place.clock > clock) throw new RangeError(`nothing is at ${client}:${clock}`)
  return { place, among, index }
}

/** The type in an item's content, if it is one. */
export function typeIn(content: Y.Item['content']): YType | undefined {
  return content instanceof Y.ContentType ? content.type : undefined
}

/** Whether two ids are equal, or both missing. */
export function sameId(a: StructId | null, b: StructId | null): boolean {
  return a === b || (a !== null && b !== null && a.client === b.client && a.clock === b.clock)
}
