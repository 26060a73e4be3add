import type { YType } from '@copydesk/schema'
import * as Y from 'yjs'
import type { StructId } from './causal-order.ts'
import type { Struct } from './decode-update.ts'
import { type List, type Piece, Pieces, type Place, sameId, typeIn } from './pieces.ts'
import { UpdateTooCostlyError } from './scan-update.ts'

/** An item, or a part of one, in the resulting list. `isNew`: the document doesn't have it yet. */
export type ListedItem = { id: StructId; length: number; content: Y.Item['content']; deleted: boolean; isNew: boolean }

/**
 * Computes where Yjs would integrate the structs of an update, and the number of steps for that, without changing the
 * document. Yjs finds the position of an item among concurrent items (`Item.integrate`, the YATA algorithm of
 * Nicolaescu et al., "Near Real-Time Peer-to-Peer Shared Editing on Extensible Data Types", 2016); the cost is the
 * product of the numbers of concurrent items. This class executes the same steps on copies of the visited items, and
 * stops above a limit.
 */
export class TrialIntegration {
  readonly #doc: Y.Doc
  readonly #pieces: Pieces
  readonly #mostSteps: number
  readonly #parents = new Map<YType, YType>()
  #steps = 0
  /** The number of items that were compared to determine the order of two items. */
  #compared = 0

  constructor(doc: Y.Doc, mostSteps: number) {
    this.#doc = doc
    this.#pieces = new Pieces(doc, (steps) => this.#count(steps))
    this.#mostSteps = mostSteps
  }

  /** The number of items that Yjs will have to examine. */
  get steps(): number {
    return this.#steps
  }

  /** The number of items that will be split, each of which adds one item. */
  get splits(): number {
    return this.#pieces.splits
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
    const list = this.#pieces.childrenOf(type)
    let at: Piece | Y.Item | null = list ? list.first : type._start
    while (at) {
      if (at instanceof Y.Item) {
        const piece: Piece | undefined = this.#pieces.firstOf(at)
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
    const known = this.#pieces.stateOf(client)
    const end = struct.id.clock + struct.length
    const clock = Math.max(struct.id.clock, known)
    const place = struct instanceof Y.Item ? this.#placeOf(struct, clock) : undefined
    this.#pieces.append(place ?? { client, clock, length: end - clock, list: undefined })
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
      const { place } = this.#pieces.find({ client, clock: at })
      if (!place.list || place.known?.deleted) continue
      const before = place.list.added
      if (isStart) this.#pieces.startingAt({ client, clock: at })
      else this.#pieces.endingAt({ client, clock: at })
      if (place.list.added > before) lists.push(place.list)
    }
    return lists
  }

  #placeOf(item: Y.Item, clock: number): Piece | undefined {
    const { client } = item.id
    const before = item.origin && this.#pieces.endingAt(item.origin)
    const right = item.rightOrigin && this.#pieces.startingAt(item.rightOrigin)
    if ((before && !before.list) || (right && !right.list)) return undefined
    const list = this.#listOf(item, before, right)
    if (!list) return undefined
    if (before && right) this.#requireOrder(before, right)
    // If the beginning of the item is already known, the rest follows it.
    const left = clock === item.id.clock ? before : this.#pieces.endingAt({ client, clock: clock - 1 })
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
   * Editors insert an item between two others in the right order. If the order is wrong, the position that Yjs computes
   * differs between copies of the document, depending on their earlier content.
   */
  #requireOrder(left: Piece, right: Piece): void {
    if (left.list !== right.list) throw new RangeError('neighbours in different places')
    if (this.#pieces.rightOf(left) === right || (right.origin && this.#pieces.at(right.origin) === left)) return
    // Follows right origins, which usually lead to `right` in a few steps.
    let next: Place = left
    for (let hops = 0; next.list && next.rightOrigin && hops < mostHops; hops++) {
      next = this.#pieces.startingAt(next.rightOrigin)
      if (next === right) return
    }
    let other: Piece | null = left
    while (other && other !== right) {
      this.#compared += 1
      if (this.#compared > this.#mostSteps) throw tooManySteps(this.#mostSteps)
      other = this.#pieces.rightOf(other)
    }
    if (!other) throw new RangeError('neighbours in the wrong order')
  }

  #insert(piece: Piece, wanted: Piece | null, right: Piece | null): void {
    const { list } = piece
    const left = this.#leftOf(piece, wanted, right)
    piece.right = left ? this.#pieces.rightOf(left) : list.first
    if (left) left.right = piece
    else list.first = piece
    list.added += 1
  }

  /** The item after which Yjs integrates a piece, given its origins, between which there may be other items by now. */
  #leftOf(piece: Piece, wanted: Piece | null, right: Piece | null): Piece | null {
    let left = wanted
    let other = wanted ? this.#pieces.rightOf(wanted) : piece.list.first
    if (other === right) return left
    // For a key, Yjs iterates from the last value to the first.
    if (!wanted && piece.list.key !== null) this.#count(piece.list.had + piece.list.added)
    const conflicting = new Set<Place>()
    const before = new Set<Place>()
    for (; other && other !== right; other = this.#pieces.rightOf(other)) {
      this.#count(1)
      before.add(other)
      conflicting.add(other)
      if (sameId(piece.origin, other.origin)) {
        if (other.client < piece.client) {
          left = other
          conflicting.clear()
        } else if (sameId(piece.rightOrigin, other.rightOrigin)) break
      } else {
        const origin = other.origin && this.#pieces.at(other.origin)
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
      return root && this.#pieces.list(root, item.parentSub)
    }
    if (!(parent instanceof Y.ID)) return undefined
    const around = this.#pieces.at(parent)
    const type = around.list && typeIn(around.content)
    return type && this.#pieces.list(type, item.parentSub)
  }
}

const mostHops = 100

function tooManySteps(most: number): UpdateTooCostlyError {
  return new UpdateTooCostlyError(`more than ${most} steps to find positions among concurrent insertions`)
}
