import type { YType } from '@copydesk/schema'
import * as Y from 'yjs'
import type { StructId } from './causal-order.ts'
import type { Struct } from './decode-update.ts'
import { UpdateTooCostlyError } from './scan-update.ts'

/**
 * A list of Yjs items: the children of a type (`key` null), or the values that a key of it has had, of which there were
 * `had`. `added`: how many items the update makes it longer by, counting those that it splits.
 */
export type List = {
  readonly parent: YType
  readonly key: string | null
  first: Piece | null
  had: number
  added: number
}

/**
 * A part of a list that Yjs holds or will hold as one item. Of one that the document has, `right` is read when it is
 * first asked for.
 */
type Piece = {
  client: number
  clock: number
  length: number
  origin: StructId | null
  rightOrigin: StructId | null
  right: Piece | null | undefined
  list: List
  content: Y.Item['content']
  /** The item of the document that it is or is a part of. */
  known: Y.Item | undefined
}

/** An item that a list will have, or a part of one. `isNew`: the document doesn't have it yet. */
export type ListedItem = { id: StructId; length: number; content: Y.Item['content']; deleted: boolean; isNew: boolean }

/** What Yjs has thrown away, with whatever comes into it. */
type Collected = { client: number; clock: number; length: number; list: undefined }
type Place = Piece | Collected

/**
 * Finds out where the structs of an update would be put, and how many steps that takes, without touching the document.
 * Yjs looks for the place of an item among those that others put there at once (`Item.integrate`, the YATA algorithm of
 * Nicolaescu et al., "Near Real-Time Peer-to-Peer Shared Editing on Extensible Data Types", 2016); its cost is the
 * product of how many there are. This follows the same steps on a copy of what it meets, and stops where they are too
 * many.
 */
export class TrialIntegration {
  readonly #doc: Y.Doc
  readonly #mostSteps: number
  readonly #lists = new Map<YType, Map<string | null, List>>()
  /** The parts of items of the document which the update splits, in their order. */
  readonly #known = new Map<Y.Item, Piece[]>()
  /** By client id, in the order of their clocks. */
  readonly #added = new Map<number, Place[]>()
  readonly #parents = new Map<YType, YType>()
  #steps = 0
  #splits = 0
  /** How many items were looked at to find out which of two is to the left. */
  #compared = 0

  constructor(doc: Y.Doc, mostSteps: number) {
    this.#doc = doc
    this.#mostSteps = mostSteps
  }

  /** How many items Yjs will have to look at. */
  get steps(): number {
    return this.#steps
  }

  /** How many items will be divided, which makes as many more. */
  get splits(): number {
    return this.#splits
  }

  /** The type that a type lies in, which may be new; null for a root type. */
  parentOf(type: YType): YType | null {
    return this.#parents.get(type) ?? (type._item?.parent as YType | undefined) ?? null
  }

  /** Whether the document does not have this type yet. */
  isNew(type: YType): boolean {
    return this.#parents.has(type)
  }

  /** The children of a type, in the order that they will have. */
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
   * Puts a struct in its place; everything it builds on must be there. Answers the list that it is in, or undefined if
   * Yjs will collect it at once, since what it would be in is collected.
   * @throws UpdateTooCostlyError if Yjs would have to look at more than `mostSteps` items. @throws RangeError if it is
   * between two others that are the wrong way round.
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
   * Divides the items at both ends of a stretch that is deleted, as Yjs does, if the document has them. Answers the
   * lists that become longer.
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

  /** The clock that the next struct of a client id has. */
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
    // Of an item whose beginning is known the rest goes behind that.
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
   * Editors put an item between two others of which the one is to the left of the other. If not, Yjs puts it at another
   * place in each copy of the document, by what that held before.
   */
  #requireOrder(left: Piece, right: Piece): void {
    if (left.list !== right.list) throw new RangeError('neighbours in different places')
    if (this.#rightOf(left) === right || (right.origin && this.#at(right.origin) === left)) return
    // An item is to the left of its right neighbour, and so on.
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

  /** Where Yjs puts an item that was put between two others, which may by now have others between them. */
  #leftOf(piece: Piece, wanted: Piece | null, right: Piece | null): Piece | null {
    let left = wanted
    let other = wanted ? this.#rightOf(wanted) : piece.list.first
    if (other === right) return left
    // Of a key Yjs looks for the first value from its last one.
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
    // Yjs writes what an item is in only where nothing beside it says so.
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

  /** The parts of an item of the document. */
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
    // Only now: to read a list may ask for its first item again.
    piece.list = this.#list(item.parent as YType, item.parentSub)
    return pieces
  }

  #at(id: StructId): Place {
    return this.#find(id).place
  }

  /** What ends with this character; it is split there if it goes on. */
  #endingAt(id: StructId): Place {
    const { place, among, index } = this.#find(id)
    if (place.list && id.clock < place.clock + place.length - 1) this.#split(place, id.clock + 1, among, index)
    return place
  }

  /** What begins with this character. */
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

/** Where a place is kept. */
type Found = { place: Place; among: Place[]; index: number }

const mostHops = 100

function tooManySteps(most: number): UpdateTooCostlyError {
  return new UpdateTooCostlyError(`more than ${most} steps to find places among what others put there`)
}

/** Stands in for the list of a piece until that is read. */
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
