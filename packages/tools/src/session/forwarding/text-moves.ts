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
  addBrought(from: Y.XmlText, item: Y.Item, to: { text: Y.XmlText; id: Y.ID }): void
  /** Treats a new text in a deleted block as a part of the block's old text; returns whether that was possible. */
  adopt(text: Y.XmlText): boolean
  /** Whether a character was forwarded, and not copied with its text. */
  isBrought(id: Y.ID): boolean
  /** Whether the moved text already contains a copy of this item. */
  holds(text: Y.XmlText, item: Y.Item): boolean
  /** The current position for content after `left` in an old text; undefined if that was deleted permanently. */
  placeFor(text: Y.XmlText, left: Y.Item | null): Place | undefined
  clear(): void
}

type Segment = { client: number; clock: number; length: number; to: Y.XmlText; toClient: number; toClock: number }
type Home = { segments: Segment[]; otherwise?: Place }

// Enough for a document whose every block was changed at the same time, and still only a few megabytes.
const mostTexts = 5_000

/** Creates an empty record of moves. */
export function createMoves(): Moves {
  const homes = new Map<YType, Home>()
  const brought = new Map<number, { clock: number; length: number }[]>()
  const remember = (type: YType, home: Home): void => {
    homes.set(type, home)
    const oldest = homes.size > mostTexts ? homes.keys().next() : undefined
    if (oldest?.done === false) homes.delete(oldest.value)
  }
  return {
    get size() {
      return homes.size
    },
    has: (type) => homes.has(type),
    add(unit, runs, written) {
      const block = written[runs[0]?.now ?? -1]?.type
      if (unit.text === '' && block instanceof Y.XmlElement) {
        for (const type of [unit.type, ...unit.empties]) remember(type, { segments: [], otherwise: { block } })
      } else if (unit.text !== '') {
        remember(unit.type, { segments: runs.flatMap((run) => segmentsOf(unit, run, written)) })
      }
    },
    addBrought(from, { id, length }, to) {
      const home = homes.get(from)
      home?.segments.push({
        client: id.client,
        clock: id.clock,
        length,
        to: to.text,
        toClient: to.id.client,
        toClock: to.id.clock,
      })
      brought.set(to.id.client, [...(brought.get(to.id.client) ?? []), { clock: to.id.clock, length }])
    },
    adopt(text) {
      const item = text._item
      const block = itemOf(item?.parent ?? null)
      if (!item || !block?.deleted) return false
      const otherwise = placeBeside(item, homes) ?? blockHome(block, homes)
      if (otherwise) remember(text, { segments: [], otherwise })
      return otherwise !== undefined
    },
    isBrought: ({ client, clock }) =>
      brought.get(client)?.some((range) => range.clock <= clock && clock < range.clock + range.length) ?? false,
    holds(text, { id }) {
      const segments = homes.get(text)?.segments ?? []
      return segments.some(
        ({ client, clock, length }) => client === id.client && clock <= id.clock && id.clock < clock + length,
      )
    },
    placeFor(text, left) {
      const home = homes.get(text)
      return home && follow(placeIn(home, text, left), homes)
    },
    clear() {
      homes.clear()
      brought.clear()
    },
  }
}

function segmentsOf(unit: Unit, run: CopiedRun, written: readonly Unit[]): Segment[] {
  const target = written[run.now]
  const to = target?.type
  if (!target || !(to instanceof Y.XmlText)) return []
  const shift = run.at - run.from
  return unit.pieces.flatMap((old) =>
    target.pieces.flatMap((now): Segment[] => {
      const start = Math.max(old.start, run.from, now.start - shift)
      const end = Math.min(old.start + old.length, run.from + run.length, now.start - shift + now.length)
      if (start >= end) return []
      const toClock = now.clock + start + shift - now.start
      const clock = old.clock + start - old.start
      return [{ client: old.client, clock, length: end - start, to, toClient: now.client, toClock }]
    }),
  )
}

/** Next to the nearest moved character: to the left of the gap after `left`, else to the right of it. */
function placeIn({ segments, otherwise }: Home, text: Y.XmlText, left: Y.Item | null): Place | undefined {
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
function follow(start: Place | undefined, homes: ReadonlyMap<YType, Home>): Place | undefined {
  let place = start
  while (place) {
    const type = 'block' in place ? place.block : place.text
    if (!type._item?.deleted) return place
    const home = homes.get(type)
    if (!home) return undefined
    place = 'block' in place ? home.otherwise : placeBesideId(home, place)
  }
  return undefined
}

function placeBesideId(home: Home, { text, id, side }: Exclude<Place, { block: Y.XmlElement }>): Place | undefined {
  const item = text.doc ? Y.getItem(text.doc.store, id) : undefined
  if (!(item instanceof Y.Item)) return undefined
  if (side === 'after') return lastOf(home.segments, item, id.clock) ?? placeIn(home, text, item.left)
  return firstOf(home.segments, item, id.clock) ?? placeIn(home, text, item)
}

function placeBeside(item: Y.Item, homes: ReadonlyMap<YType, Home>): Place | undefined {
  for (let each = item.left; each !== null; each = each.left) {
    const [text, home] = homeOf(each, homes)
    if (text && home) return placeIn(home, text, lastItem(text))
  }
  for (let each = item.right; each !== null; each = each.right) {
    const [text, home] = homeOf(each, homes)
    if (text && home) return placeIn(home, text, null)
  }
  return undefined
}

function homeOf({ content }: Y.Item, homes: ReadonlyMap<YType, Home>): [Y.XmlText?, Home?] {
  const type = content instanceof Y.ContentType ? content.type : undefined
  return type instanceof Y.XmlText ? [type, homes.get(type)] : []
}

function blockHome({ content }: Y.Item, homes: ReadonlyMap<YType, Home>): Place | undefined {
  return content instanceof Y.ContentType ? homes.get(content.type)?.otherwise : undefined
}

function lastItem(text: Y.XmlText): Y.Item | null {
  return [...itemsIn(text)].at(-1) ?? null
}
