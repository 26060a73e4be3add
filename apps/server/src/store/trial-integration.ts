import type { YType } from '@copydesk/schema'
import * as Y from 'yjs'
import type { StructId } from './causal-order.ts'
import type { Struct } from './decode-update.ts'
import { UpdateTooCostlyError } from './scan-update.ts'

/**
 * A list of Yjs items: the children of a type (`key` null), or the values that a key of it has had; `had` is their
 * number. `added`: by how many items the update lengthens the list, including splits.
 */
export type List = {
  readonly parent: YType
  readonly key: string | null
  first: Piece | null
  had: number
  added: number
}

/** A part of a list that Yjs holds, or will hold, as one item. For an existing item, `right` is read on first use. */
type Piece = {
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

/** An item, or a part of one, in the resulting list. `isNew`: the document doesn't have it yet. */
export type ListedItem = { id: StructId; length: number; content: Y.Item['content']; deleted: boolean; isNew: boolean }

/** A garbage-collected struct; content inserted into it is collected, too. */
type Collected = { client: number; clock: number; length: number; list: undefined }
type Place = Piece | Collected

/**
 * Computes where Yjs would integrate the structs of an update, and how many steps that takes, without changing the
 * document. Yjs finds the position of an item among concurrent items (`Item.integrate`, the YATA algorithm of
 * Nicolaescu et al., "Near Real-Time Peer-to-Peer Shared Editing on Extensible Data Types", 2016); the cost is the
 * product of the numbers of concurrent items. This class follows the same steps on a copy of the items it meets, and
 * stops above a limit.
 */
export class TrialIntegration {
  readonly #doc: Y.Doc
  readonly #mostSteps: number
  readonly #lists = new Map<YType, Map<string | null, List>>()
  /** The parts of the document's items that the update splits, in order. */
  readonly #known = new Map<Y.Item, Piece[]>()
  /** By client id, in the order of clocks. */
  readonly #added = new Map<number, Place[]>()
  readonly #parents = new Map<YType, YType>()
  #steps = 0
  #splits = 0
  /** How many items were compared to find out which of two is to the left. */
  #compared = 0

  constructor(doc: Y.Doc, mostSteps: number) {
    this.#doc = doc
    this.#mostSteps = mostSteps
  }

  /** How many items Yjs will have to examine. */
  get steps(): number {
    return this.#steps
  }

  /** How many items will be split, each adding one item. */
  get splits(): number {
    return this.#splits
  }

  /** The type that contains a type, which may be new; null for a root type. */
  parentOf(type: YType): YType | null {
    return this.#parents.get(type) ?? (type._item?.parent as YType | undefined) ?? null
  }

  /** Whether the document does not have this type yet. */
  isNew(type: YType): boolean {
    return this.#parents.has(type)
  }

  /** The children of a type, in their resulting order. */
  *itemsOf(type: YType): Generator<ListedItem> {
    const list = this.#lists.get(type)?.get(null)
    let at: Piece | Y.Item | null = list ? list.first : type._start
    while (at) {
      if (at instanceof Y.Item) {
        const piece: Piece | undefined = this.#known.get(at)?.[0]
        if (!piece) yield { id: at.id, length: at.length, content: at.content, deleted: at.deleted, isNew: false }
        at = piece ?? at.right
      } else {
        const { client, clock, length, content, known } = at
        const deleted = known?.deleted ?? content instanceof Y.ContentDeleted
        yield { id: { client, clock }, length, content, deleted, isNew: !known }
        at = at.right === undefined ? (known?.right ?? null) : at.right
      }
    }
  }

  /**
   * Integrates a struct into the trial; its dependencies must be present. Returns its list, or undefined if Yjs will
   * collect it immediately because its parent is collected.
   * @throws UpdateTooCostlyError if Yjs would have to examine more than `mostSteps` items.
   * @throws RangeError if its left and right neighbours are in the wrong order.
   */
  add(struct: Struct): List | undefined {
    const { client } = struct.id
    const known = this.#stateOf(client)
    const end = struct.id.clock + struct.length
    const clock = Math.max(struct.id.clock, known)
    const place = struct instanceof Y.Item ? this.#placeOf(struct, clock) : undefined
    const added = place ?? { client, clock, length: end - clock, list: undefined }
    const pieces = this.#added.get(client)
    if (pieces) pieces.push(added)
    else this.#added.set(client, [added])
    return place?.list
  }

  /**
   * Splits the items at both ends of a deleted range, as Yjs does, if the document has them. Returns the lists that
   * become longer.
   */
  cutOut(client: number, clock: number, length: number): List[] {
    const lists: List[] = []
    const end = clock + length
    for (const [at, isStart] of [
      [clock, true],
      [end - 1, false],
    ] as const) {
      if (at >= Y.getState(this.#doc.store, client)) continue
      const { place } = this.#find({ client, clock: at })
      if (!place.list || place.known?.deleted) continue
      const before = place.list.added
      if (isStart) this.#startingAt({ client, clock: at })
      else this.#endingAt({ client, clock: at })
      if (place.list.added > before) lists.push(place.list)
    }
    return lists
  }

  /** The clock of the next struct of a client id. */
  #stateOf(client: number): number {
    const last = this.#added.get(client)?.at(-1)
    return last ? last.clock + last.length : Y.getState(this.#doc.store, client)
  }

  #placeOf(item: Y.Item, clock: number): Piece | undefined {
    const { client } = item.id
    const before = item.origin && this.#endingAt(item.origin)
    const right = item.rightOrigin && this.#startingAt(item.rightOrigin)
    if ((before && !before.list) || (right && !right.list)) return undefined
    const list = this.#listOf(item, before, right)
    if (!list) return undefined
    if (before && right) this.#requireOrder(before, right)
    // If the beginning of the item is already known, the rest follows it.
    const left = clock === item.id.clock ? before : this.#endingAt({ client, clock: clock - 1 })
    if (left && !left.list) return undefined
    const origin = left ? { client: left.client, clock: left.clock + left.length - 1 } : null
    const { content } = item
    const type = typeIn(content)
    if (type) this.#parents.set(type, list.parent)
    const length = item.id.clock + item.length - clock
    const rightOrigin = right && { client: right.client, clock: right.clock }
    const piece: Piece = { client, clock, length, origin, rightOrigin, right: null, list, content, known: undefined }
    this.#insert(piece, left, right)
    return piece
  }

  /**
   * Editors insert an item between two others in the right order. If the order is wrong, Yjs puts the item at a
   * different position in each copy of the document, depending on its earlier content.
   */
  #requireOrder(left: Piece, right: Piece): void {
    if (left.list !== right.list) throw new RangeError('neighbours in different places')
    if (this.#rightOf(left) === right || (right.origin && this.#at(right.origin) === left)) return
    // Walks from an item to its right neighbour, and so on.
    let next: Place = left
    for (let hops = 0; next.list && next.rightOrigin && hops < mostHops; hops++) {
      next = this.#startingAt(next.rightOrigin)
      if (next === right) return
    }
    let other: Piece | null = left
    while (other && other !== right) {
      this.#compared += 1
      if (this.#compared > this.#mostSteps) throw tooManySteps(this.#mostSteps)
      other = this.#rightOf(other)
    }
    if (!other) throw new RangeError('neighbours that are the wrong way round')
  }

  #insert(piece: Piece, wanted: Piece | null, right: Piece | null): void {
    const { list } = piece
    const left = this.#leftOf(piece, wanted, right)
    piece.right = left ? this.#rightOf(left) : list.first
    if (left) left.right = piece
    else list.first = piece
    list.added += 1
  }

  /** The item after which Yjs integrates a piece, given its origins, between which other items may be by now. */
  #leftOf(piece: Piece, wanted: Piece | null, right: Piece | null): Piece | null {
    let left = wanted
    let other = wanted ? this.#rightOf(wanted) : piece.list.first
    if (other === right) return left
    // For a key, Yjs walks from the last value to the first.
    if (!wanted && piece.list.key !== null) this.#count(piece.list.had + piece.list.added)
    const conflicting = new Set<Place>()
    const before = new Set<Place>()
    for (; other && other !== right; other = this.#rightOf(other)) {
      this.#count(1)
      before.add(other)
      conflicting.add(other)
      if (isSame(piece.origin, other.origin)) {
        if (other.client < piece.client) {
          left = other
          conflicting.clear()
        } else if (isSame(piece.rightOrigin, other.rightOrigin)) break
      } else {
        const origin = other.origin && this.#at(other.origin)
        if (!origin || !before.has(origin)) break
        if (!conflicting.has(origin)) {
          left = other
          conflicting.clear()
        }
      }
    }
    return left
  }

  #count(steps: number): void {
    this.#steps += steps
    if (this.#steps > this.#mostSteps) throw tooManySteps(this.#mostSteps)
  }

  #listOf(item: Y.Item, left: Piece | null, right: Piece | null): List | undefined {
    // Yjs writes the parent of an item only if neither neighbour implies it.
    const beside = left ?? right
    if (beside) return beside.list
    const { parent } = item
    if (typeof parent === 'string') {
      const root = this.#doc.share.get(parent)
      return root && this.#list(root, item.parentSub)
    }
    if (!(parent instanceof Y.ID)) return undefined
    const around = this.#at(parent)
    const type = around.list && typeIn(around.content)
    return type && this.#list(type, item.parentSub)
  }

  #list(parent: YType, key: string | null): List {
    const lists = this.#lists.get(parent) ?? new Map<string | null, List>()
    this.#lists.set(parent, lists)
    const known = lists.get(key)
    if (known) return known
    const list: List = { parent, key, first: null, had: 0, added: 0 }
    lists.set(key, list)
    const first = key === null ? parent._start : this.#firstValue(parent, key, list)
    if (first) list.first = this.#pieces(first)[0] ?? null
    return list
  }

  #firstValue(parent: YType, key: string, list: List): Y.Item | null {
    let value = parent._map.get(key) ?? null
    if (value) list.had = 1
    for (; value?.left; value = value.left) {
      list.had += 1
      this.#count(1)
    }
    return value
  }

  #rightOf(piece: Piece): Piece | null {
    if (piece.right === undefined) {
      const next = piece.known?.right
      piece.right = (next && this.#pieces(next)[0]) ?? null
    }
    return piece.right
  }

  /** The pieces of an item of the document. */
  #pieces(item: Y.Item): Piece[] {
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
    piece.list = this.#list(item.parent as YType, item.parentSub)
    return pieces
  }

  #at(id: StructId): Place {
    return this.#find(id).place
  }

  /** The piece that ends with this character; splits it if it continues. */
  #endingAt(id: StructId): Place {
    const { place, among, index } = this.#find(id)
    if (place.list && id.clock < place.clock + place.length - 1) this.#split(place, id.clock + 1, among, index)
    return place
  }

  /** The piece that begins with this character; splits it if it starts earlier. */
  #startingAt(id: StructId): Place {
    const { place, among, index } = this.#find(id)
    return place.list && id.clock > place.clock ? this.#split(place, id.clock, among, index) : place
  }

  #split(piece: Piece, clock: number, among: Place[], index: number): Piece {
    const origin = { client: piece.client, clock: clock - 1 }
    const rest: Piece = { ...piece, clock, length: piece.clock + piece.length - clock, origin }
    piece.length = clock - piece.clock
    piece.right = rest
    among.splice(index + 1, 0, rest)
    piece.list.added += 1
    this.#splits += 1
    return rest
  }

  #find(id: StructId): Found {
    const { client, clock } = id
    if (clock >= Y.getState(this.#doc.store, client)) return findIn(this.#added.get(client) ?? [], id)
    const structs = this.#doc.store.clients.get(client) ?? []
    const struct = structs[Y.findIndexSS(structs, clock)]
    if (struct instanceof Y.Item) return findIn(this.#pieces(struct), id)
    return { place: { client, clock, length: 1, list: undefined }, among: [], index: 0 }
  }
}

/** A piece and where it is stored. */
type Found = { place: Place; among: Place[]; index: number }

const mostHops = 100

function tooManySteps(most: number): UpdateTooCostlyError {
  return new UpdateTooCostlyError(`more than ${most} steps to find places among what others put there`)
}

/** Placeholder for the list of a piece until it is read. */
const none: List = { parent: new Y.XmlFragment(), key: null, first: null, had: 0, added: 0 }

function findIn(among: Place[], { client, clock }: StructId): Found {
  let [from, to] = [0, among.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const place = among[middle]
    if (!place || clock < place.clock) to = middle
    else if (clock >= place.clock + place.length) from = middle + 1
    else return { place, among, index: middle }
  }
  throw new RangeError(`nothing is at ${client}:${clock}`)
}

function typeIn(content: Y.Item['content']): YType | undefined {
  return content instanceof Y.ContentType ? content.type : undefined
}

function isSame(a: StructId | null, b: StructId | null): boolean {
  return a === b || (a !== null && b !== null && a.client === b.client && a.clock === b.clock)
}
