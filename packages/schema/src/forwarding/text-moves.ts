import * as Y from 'yjs'
import type { CopiedRun } from './match-texts.ts'
import { itemOf, itemsIn, type Unit } from './text-units.ts'

/** A Y type with any kind of events. */
type YType = object

/** A position next to a character of a text, or at the beginning of an empty block. */
export type Place = { text: Y.XmlText; id: Y.ID; side: 'after' | 'before' } | { block: Y.XmlElement }

/** Where the characters of deleted texts were moved. */
export type Moves = {
  readonly size: number
  has(type: YType): boolean
  /** Records where a text was moved; the oldest records are evicted. */
  add(unit: Unit, runs: readonly CopiedRun[], written: readonly Unit[]): void
  /** Records that characters of an old text were forwarded under new ids, after the text itself was moved. */
  addForwarded(from: Y.XmlText, item: Y.Item, to: { text: Y.XmlText; id: Y.ID }): void
  /** Treats a new text in a deleted block as a part of the block's old text; returns whether that was possible. */
  adopt(text: Y.XmlText): boolean
  /** Whether a character was forwarded, and not copied with its text. */
  isForwarded(id: Y.ID): boolean
  /** Whether the moved text already contains a copy of this item. */
  holds(text: Y.XmlText, item: Y.Item): boolean
  /** The current position for content after `left` in an old text; undefined if that was deleted permanently. */
  placeFor(text: Y.XmlText, left: Y.Item | null): Place | undefined
  clear(): void
}

/** Where consecutive characters of a deleted text were moved. */
type Segment = { client: number; clock: number; length: number; to: Y.XmlText; toClient: number; toClock: number }
/** Where a deleted text was moved; `otherwise` is the place in an empty block, or next to another text. */
type Target = { segments: Segment[]; otherwise?: Place }

// As many as a node may have children: a whole document that is put into a quote.
const mostTexts = 30_000

/** Creates an empty record of moves. */
export function createMoves(): Moves {
  const targets = new Map<YType, Target>()
  const forwarded = new Map<number, { clock: number; length: number }[]>()
  const remember = (type: YType, target: Target): void => {
    targets.set(type, target)
    const oldest = targets.size > mostTexts ? targets.keys().next() : undefined
    if (oldest?.done === false) targets.delete(oldest.value)
  }
  return {
    get size() {
      return targets.size
    },
    has: (type) => targets.has(type),
    add(unit, runs, written) {
      const block = written[runs[0]?.now ?? -1]?.type
      if (unit.text === '' && block instanceof Y.XmlElement) {
        for (const type of [unit.type, ...unit.empties]) remember(type, { segments: [], otherwise: { block } })
      } else if (unit.text !== '') {
        remember(unit.type, { segments: runs.flatMap((run) => segmentsOf(unit, run, written)) })
      }
    },
    addForwarded(from, { id, length }, { text, id: { client, clock } }) {
      const segment = { client: id.client, clock: id.clock, length, to: text, toClient: client, toClock: clock }
      targets.get(from)?.segments.push(segment)
      forwarded.set(client, [...(forwarded.get(client) ?? []), { clock, length }])
    },
    adopt(text) {
      const item = text._item
      const block = itemOf(item?.parent ?? null)
      if (!item || !block?.deleted) return false
      const otherwise = placeNextTo(item, targets) ?? placeInBlock(block, targets)
      if (otherwise) remember(text, { segments: [], otherwise })
      return otherwise !== undefined
    },
    isForwarded: ({ client, clock }) =>
      forwarded.get(client)?.some((range) => range.clock <= clock && clock < range.clock + range.length) ?? false,
    holds(text, { id }) {
      const segments = targets.get(text)?.segments ?? []
      return segments.some(
        ({ client, clock, length }) => client === id.client && clock <= id.clock && id.clock < clock + length,
      )
    },
    placeFor(text, left) {
      const target = targets.get(text)
      return target && follow(placeIn(target, text, left), targets)
    },
    clear() {
      targets.clear()
      forwarded.clear()
    },
  }
}

function segmentsOf(unit: Unit, run: CopiedRun, written: readonly Unit[]): Segment[] {
  const target = written[run.now]
  const to = target?.type
  if (!target || !(to instanceof Y.XmlText)) return []
  const shift = run.at - run.from
  const segments: Segment[] = []
  let next = firstPieceFrom(target, run.at)
  for (const old of unit.pieces) {
    const until = Math.min(old.start + old.length, run.from + run.length)
    for (let start = Math.max(old.start, run.from); start < until;) {
      const now = target.pieces[next]
      if (!now) return segments
      const length = Math.min(until, now.start - shift + now.length) - start
      const clock = old.clock + start - old.start
      const toClock = now.clock + start + shift - now.start
      segments.push({ client: old.client, clock, length, to, toClient: now.client, toClock })
      start += length
      if (start + shift === now.start + now.length) next++
    }
  }
  return segments
}

// By binary search: all paragraphs of a document may have been joined to one text.
function firstPieceFrom({ pieces }: Unit, at: number): number {
  let low = 0
  let high = pieces.length
  while (low < high) {
    const middle = (low + high) >> 1
    const piece = pieces[middle]
    if (piece && piece.start + piece.length <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** Next to the nearest moved character: to the left of the gap after `left`, else to the right of it. */
function placeIn({ segments, otherwise }: Target, text: Y.XmlText, left: Y.Item | null): Place | undefined {
  for (let item = left; item !== null; item = item.left) {
    const place = lastOf(segments, item, item.id.clock + item.length - 1)
    if (place) return place
  }
  for (let item = left ? left.right : text._start; item !== null; item = item.right) {
    const place = firstOf(segments, item, item.id.clock)
    if (place) return place
  }
  return otherwise
}

function lastOf(segments: readonly Segment[], { id }: Y.Item, upTo: number): Place | undefined {
  let place: Place | undefined
  let highest = -1
  for (const { client, clock, length, to, toClient, toClock } of segments) {
    const last = Math.min(upTo, clock + length - 1)
    if (client !== id.client || last < Math.max(clock, id.clock) || last <= highest) continue
    highest = last
    place = { text: to, id: Y.createID(toClient, toClock + last - clock), side: 'after' }
  }
  return place
}

function firstOf(segments: readonly Segment[], { id, length: size }: Y.Item, from: number): Place | undefined {
  let place: Place | undefined
  let lowest = Infinity
  for (const { client, clock, length, to, toClient, toClock } of segments) {
    const first = Math.max(from, clock)
    if (client !== id.client || first >= Math.min(id.clock + size, clock + length) || first >= lowest) continue
    lowest = first
    place = { text: to, id: Y.createID(toClient, toClock + first - clock), side: 'before' }
  }
  return place
}

// The destination may have been moved again.
function follow(start: Place | undefined, targets: ReadonlyMap<YType, Target>): Place | undefined {
  let place = start
  while (place) {
    const type = 'block' in place ? place.block : place.text
    if (!type._item?.deleted) return place
    const target = targets.get(type)
    if (!target) return undefined
    place = 'block' in place ? target.otherwise : placeNextToId(target, place)
  }
  return undefined
}

function placeNextToId(target: Target, { text, id, side }: Exclude<Place, { block: Y.XmlElement }>): Place | undefined {
  const item = text.doc ? Y.getItem(text.doc.store, id) : undefined
  if (!(item instanceof Y.Item)) return undefined
  if (side === 'after') return lastOf(target.segments, item, id.clock) ?? placeIn(target, text, item.left)
  return firstOf(target.segments, item, id.clock) ?? placeIn(target, text, item)
}

function placeNextTo(item: Y.Item, targets: ReadonlyMap<YType, Target>): Place | undefined {
  for (let each = item.left; each !== null; each = each.left) {
    const [text, target] = targetOf(each, targets)
    if (text && target) return placeIn(target, text, lastItem(text))
  }
  for (let each = item.right; each !== null; each = each.right) {
    const [text, target] = targetOf(each, targets)
    if (text && target) return placeIn(target, text, null)
  }
  return undefined
}

function targetOf({ content }: Y.Item, targets: ReadonlyMap<YType, Target>): [Y.XmlText?, Target?] {
  const type = content instanceof Y.ContentType ? content.type : undefined
  return type instanceof Y.XmlText ? [type, targets.get(type)] : []
}

function placeInBlock({ content }: Y.Item, targets: ReadonlyMap<YType, Target>): Place | undefined {
  return content instanceof Y.ContentType ? targets.get(content.type)?.otherwise : undefined
}

function lastItem(text: Y.XmlText): Y.Item | null {
  return [...itemsIn(text)].at(-1) ?? null
}
