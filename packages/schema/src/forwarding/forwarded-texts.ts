import * as Y from 'yjs'
import { IdMap, type IdRange } from '../ids/id-map.ts'
import type { Place } from './text-moves.ts'
import { itemOf } from './text-units.ts'
import type { TypedText } from './type-at.ts'

/** The client that typed a forwarded text, and the value of its insertion mark if it was suggesting. */
type Typing = { typist: number; tracked: unknown }

type Character = { text: Y.XmlText; id: Y.ID }

/** Consecutive text that was forwarded for one client: its undeleted pieces, and its last id. */
type ForwardedText = { text: Y.XmlText; pieces: { ids: IdRange; string: string }[]; last: Y.ID } & Typing

/**
 * The texts that were forwarded, and their order. A user who continues typing before receiving the forwarded text
 * inserts at the same position concurrently with the forwarder; Yjs orders the two by client id, not by time.
 */
export type ForwardedTexts = {
  /** Records text that was typed at a new position for the client `typist`. */
  add(typed: TypedText, typing: Typing): void
  /** Records that forwarded text was copied with the text around it. */
  addCopy(range: IdRange, id: Y.ID): void
  /** The client that typed a character; undefined if it was not forwarded. */
  typingOf(id: Y.ID): Typing | undefined
  /**
   * The text that was forwarded for the client of `item`, and that Yjs placed after `item` although it was typed
   * before.
   */
  typedBefore(item: Y.Item): ForwardedText | undefined
  /**
   * The place after the text that was forwarded for the client of `item`, for an `item` that is to be forwarded too.
   */
  placeAfter(place: Place, item: Y.Item): Place
  clear(): void
}

// The oldest texts have no concurrent typing any more.
const mostBeginnings = 10_000

/** Creates an empty record. */
export function createForwardedTexts(): ForwardedTexts {
  let forwarded = new IdMap<Typing>()
  const beginnings = new Map<string, TypedText>()
  return {
    add(typed, typing) {
      const { first, end } = typed
      forwarded.add({ client: first.id.client, clock: first.id.clock, len: end - first.id.clock }, typing)
      const position = positionOf(first, typing.typist)
      // Text to the left of later text of its typist is already in the right order.
      if (first.rightOrigin?.client === typing.typist) beginnings.delete(position)
      else beginnings.set(position, typed)
      const oldest = beginnings.size > mostBeginnings ? beginnings.keys().next() : undefined
      if (oldest?.done === false) beginnings.delete(oldest.value)
    },
    addCopy(range, { client, clock }) {
      for (const { range: from, value } of forwarded.found(range)) {
        forwarded.add({ client, clock: clock + from.clock - range.clock, len: from.len }, value)
      }
    },
    typingOf: (id) => forwarded.get(id),
    typedBefore(item) {
      if (beginnings.size === 0) return undefined
      const { client } = item.id
      for (const inserted of insertions(item)) {
        const typed = beginnings.get(positionOf(inserted, client))
        if (!typed || client > typed.id.client) continue
        // The author of the insertion had received the forwarded text, and typed before it.
        if (inserted.rightOrigin && forwarded.get(inserted.rightOrigin)?.typist === client) return undefined
        return textAt(typed, client, forwarded)
      }
      return undefined
    },
    placeAfter(place, { id: { client }, rightOrigin }) {
      const isBeforeOwn = rightOrigin?.client === client
      const next = isBeforeOwn ? undefined : characterAfter(place)
      const last = next && textAt(next, client, forwarded)?.last
      return last ? { text: next.text, id: last, side: 'after' } : place
    },
    clear() {
      forwarded = new IdMap()
      beginnings.clear()
    },
  }
}

/** The item; also, if it begins a text that its client has inserted into a block, the item that contains the text. */
function insertions(item: Y.Item): Y.Item[] {
  const holder = item.origin ? undefined : itemOf(item.parent)
  return holder?.id.client === item.id.client ? [item, holder] : [item]
}

// Two concurrent insertions are ordered by client id if they have the same origin.
function positionOf({ origin, parent }: Y.Item, typist: number): string {
  const holder = itemOf(parent)?.id
  return origin ? `${typist} after ${origin.client}:${origin.clock}` : `${typist} in ${holder?.client}:${holder?.clock}`
}

/** The character to the right of a place, if the place doesn't depend on it. */
function characterAfter(place: Place): Character | undefined {
  if ('block' in place) {
    const text = place.block.toArray().find((child) => child instanceof Y.XmlText)
    return text && firstCharacter(text, text._start)
  }
  const { text, id, side } = place
  const item = text.doc ? Y.getItem(text.doc.store, id) : undefined
  if (side === 'before' || !(item instanceof Y.Item)) return undefined
  const isLast = id.clock === item.lastId.clock
  return isLast ? firstCharacter(text, item.right) : { text, id: Y.createID(id.client, id.clock + 1) }
}

function firstCharacter(text: Y.XmlText, start: Y.Item | null): Character | undefined {
  let item = start
  while (item && (item.deleted || !item.countable)) item = item.right
  return item ? { text, id: item.id } : undefined
}

function textAt({ text, id }: Character, typist: number, forwarded: IdMap<Typing>): ForwardedText | undefined {
  const first = text.doc ? Y.getItem(text.doc.store, id) : undefined
  const typing = forwarded.get(id)
  if (!(first instanceof Y.Item) || typing?.typist !== typist) return undefined
  const found: ForwardedText = { ...typing, text, pieces: [], last: id }
  for (let item: Y.Item | null = first; item !== null; item = item.right) {
    const skipped = item === first ? id.clock - item.id.clock : 0
    const all = { client: item.id.client, clock: item.id.clock + skipped, len: item.length - skipped }
    for (const { range, ...piece } of forwarded.pieces(all)) {
      if (!piece.found || piece.value.typist !== typist) return found
      found.last = Y.createID(range.client, range.clock + range.len - 1)
      if (item.deleted || !(item.content instanceof Y.ContentString)) continue
      const start = range.clock - item.id.clock
      found.pieces.push({ ids: range, string: item.content.str.slice(start, start + range.len) })
    }
  }
  return found
}
