import * as Y from 'yjs'
import { decodeUpdate } from '../../store/updates/decode-update.ts'
import type { DocumentSize } from './document-size.ts'

/**
 * Text that a client has typed and that is not in the document yet: the Yjs text, the item after it, and its clocks
 * from `from` (inclusive) to `to` (exclusive).
 */
type Typed = { text: Y.XmlText; before: Y.ID | null; from: number; to: number }

// More updates than arrive between two other updates, even if many people type.
const keptAtMost = 200
// More than one update with typed text contains; pasted text gets the full check.
const typedBytes = 1024

/**
 * Buffers characters typed into texts whose structure is known. Only their position has to be checked, and a Yjs
 * transaction costs the same for two hundred such updates as for two, so they are buffered until the document is
 * needed.
 */
export class PlainTyping {
  readonly #doc: Y.Doc
  readonly #size: DocumentSize
  readonly #typed = new Map<number, Typed>()
  #updates: Uint8Array[] = []

  constructor(doc: Y.Doc, size: DocumentSize) {
    this.#doc = doc
    this.#size = size
  }

  /**
   * Buffers an update if it only inserts characters, under one of the sender's client ids, between two adjacent
   * characters of a text that `isPlain`. Such an update has no gap, is valid, needs no conflict resolution in Yjs, and
   * has no effects beyond the text.
   */
  keep(
    update: Uint8Array,
    isOwn: (client: number, isKnown: boolean) => boolean,
    isPlain: (text: Y.XmlText) => boolean,
    hasRoom: () => boolean,
  ): boolean {
    if (this.#updates.length >= keptAtMost || update.byteLength > typedBytes) return false
    const item = readLetters(update)
    if (!item || item.origin === null) return false
    const { client, clock } = item.id
    const typed = this.#typed.get(client)
    if (clock !== (typed?.to ?? Y.getState(this.#doc.store, client)) || !isOwn(client, clock > 0)) return false
    const text = this.#textAround(item.origin)
    if (!text || text._item?.deleted !== false || !isPlain(text)) return false
    if (typed ? typed.text !== text || !continuesTyping(item, typed) : !this.#isBetweenNeighbours(item)) return false
    // The insertion may split an item in two, and adds one.
    const growth = { pieces: typed ? 0 : 2, characters: item.length, blocks: 0 }
    if (!this.#size.hasRoom(growth) || (!typed && !this.#size.hasRoomIn(text, 2)) || !hasRoom()) return false
    this.#size.grow(growth)
    if (typed) typed.to += item.length
    else {
      this.#size.growList(text, 2)
      this.#typed.set(client, { text, before: item.rightOrigin, from: clock, to: clock + item.length })
    }
    this.#updates.push(update)
    return true
  }

  /** Removes and returns the buffered updates, oldest first. */
  take(): Uint8Array[] {
    const updates = this.#updates
    if (updates.length === 0) return updates
    this.#updates = []
    this.#typed.clear()
    return updates
  }

  /** Whether an item's origin and right origin are adjacent, so that Yjs needs no conflict resolution. */
  #isBetweenNeighbours({ origin, rightOrigin }: Y.Item): boolean {
    const structs = origin && this.#doc.store.clients.get(origin.client)
    if (!origin || !structs || origin.clock >= Y.getState(this.#doc.store, origin.client)) return false
    const left = structs[Y.findIndexSS(structs, origin.clock)]
    if (!(left instanceof Y.Item)) return false
    const isWithin = origin.clock < left.id.clock + left.length - 1
    const next = isWithin ? Y.createID(origin.client, origin.clock + 1) : (left.right?.id ?? null)
    return Y.compareIDs(next, rightOrigin)
  }

  #textAround({ client, clock }: Y.ID): Y.XmlText | undefined {
    const typed = this.#typed.get(client)
    if (typed && clock >= typed.from) return clock < typed.to ? typed.text : undefined
    const structs = this.#doc.store.clients.get(client)
    if (!structs || clock >= Y.getState(this.#doc.store, client)) return undefined
    const struct = structs[Y.findIndexSS(structs, clock)]
    return struct instanceof Y.Item && struct.parent instanceof Y.XmlText && struct.parentSub === null
      ? struct.parent
      : undefined
  }
}

/** Whether an item directly continues the text that its client has typed. */
function continuesTyping({ id, origin, rightOrigin }: Y.Item, { before }: Typed): boolean {
  return origin?.client === id.client && origin.clock === id.clock - 1 && Y.compareIDs(rightOrigin, before)
}

/** The item of an update that only inserts one string; undefined for any other update and for invalid bytes. */
function readLetters(update: Uint8Array): Y.Item | undefined {
  try {
    const { structs, ds } = decodeUpdate(update)
    const [item] = structs
    const isOne = structs.length === 1 && ds.clients.size === 0
    return isOne && item instanceof Y.Item && item.content instanceof Y.ContentString ? item : undefined
  } catch {
    return undefined
  }
}
