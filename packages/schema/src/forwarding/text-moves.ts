import * as Y from 'yjs'
import { firstIndex } from '../ids/first-index.ts'
import { IdMap, type IdRange } from '../ids/id-map.ts'
import type { CopiedRun } from './match-texts.ts'
import { idsOf, itemOf, itemsIn, type Unit } from './text-units.ts'

/** A Y type with any kind of events. */
type YType = object

/** A position next to a character of a text, or at the beginning of an empty block. */
export type Place = { text: Y.XmlText; id: Y.ID; side: 'after' | 'before' } | { block: Y.XmlElement }

/** A record of the destinations of moved characters. */
export type Moves = {
  readonly size: number
  has(type: YType): boolean
  /** Records the destination of a text; the oldest records are evicted. */
  add(unit: Unit, runs: readonly CopiedRun[], written: readonly Unit[]): void
  /** Records that characters of an old text were forwarded under new ids, after the text itself was moved. */
  addLater(from: Y.XmlText, item: Y.Item, to: Moved): void
  /** The copies of consecutive characters of an old text; omits characters without a copy. */
  copiesOf(text: YType, range: IdRange): { range: IdRange; id: Y.ID }[]
  /** Treats a new text in a deleted block as a part of the block's old text; returns whether that was possible. */
  adopt(text: Y.XmlText): boolean
  /** Whether the moved text already contains a copy of this item. */
  holds(text: Y.XmlText, item: Y.Item): boolean
  /**
   * The current position for content after the id `left` of an old text; undefined if the place was deleted
   * permanently.
   */
  placeFor(text: Y.XmlText, left: Y.ID | undefined): Place | undefined
  clear(): void
}

/** The destination of consecutive characters of a deleted text: the text, and the new id of the first one. */
type Moved = { text: Y.XmlText; id: Y.ID }
type MovedIds = IdMap<Moved>
/** The destination of a deleted text; `otherwise` is the place in an empty block, or next to another text. */
type Target = { moved: MovedIds; otherwise?: Place }

// The maximum number of children of a node: a whole document can be wrapped in a quote.
const mostTexts = 30_000

/** Creates an empty record of moves. */
export function createMoves(): Moves {
  const targets = new Map<YType, Target>()
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
        for (const type of [unit.type, ...unit.empties]) remember(type, { moved: new IdMap(), otherwise: { block } })
      } else if (unit.text !== '') {
        const moved: MovedIds = new IdMap()
        for (const run of runs) addRun(moved, unit, run, written)
        remember(unit.type, { moved })
      }
    },
    addLater(from, item, to) {
      const moved = targets.get(from)?.moved
      for (const { range, found } of moved?.pieces(idsOf(item)) ?? []) {
        if (!found) moved?.add(range, placeOf(to, range.clock - item.id.clock))
      }
    },
    copiesOf(text, ids) {
      const found = targets.get(text)?.moved.found(ids) ?? []
      return found.map(({ range, value, offset }) => ({ range, id: placeOf(value, offset).id }))
    },
    adopt(text) {
      const item = text._item
      const block = itemOf(item?.parent ?? null)
      if (!item || !block?.deleted) return false
      const otherwise = placeNextTo(item, targets) ?? placeInBlock(block, targets)
      if (otherwise) remember(text, { moved: new IdMap(), otherwise })
      return otherwise !== undefined
    },
    holds: (text, { id }) => targets.get(text)?.moved.get(id) !== undefined,
    placeFor(text, left) {
      const target = targets.get(text)
      if (!target) return undefined
      const start = left ? placeNextToId(target, { text, id: left, side: 'after' }) : placeIn(target, text, null)
      return follow(start, targets)
    },
    clear: () => targets.clear(),
  }
}

function addRun(moved: MovedIds, unit: Unit, run: CopiedRun, written: readonly Unit[]): void {
  const target = written[run.now]
  const text = target?.type
  if (!target || !(text instanceof Y.XmlText)) return
  const shift = run.at - run.from
  // A binary search: all paragraphs of a document may have been joined to one text.
  let next = firstIndex(target.pieces, ({ start, len }) => start + len > run.at)
  for (const old of unit.pieces) {
    const until = Math.min(old.start + old.len, run.from + run.length)
    for (let start = Math.max(old.start, run.from); start < until;) {
      const now = target.pieces[next]
      if (!now) return
      const len = Math.min(until, now.start - shift + now.len) - start
      const id = Y.createID(now.client, now.clock + start + shift - now.start)
      moved.add({ client: old.client, clock: old.clock + start - old.start, len }, { text, id })
      start += len
      if (start + shift === now.start + now.len) next++
    }
  }
}

/** Next to the nearest moved character: to the left of the gap after `left`, else to the right of it. */
function placeIn({ moved, otherwise }: Target, text: Y.XmlText, left: Y.Item | null): Place | undefined {
  for (let item = left; item !== null; item = item.left) {
    const place = lastOf(moved, idsOf(item))
    if (place) return place
  }
  for (let item = left ? left.right : text._start; item !== null; item = item.right) {
    const place = firstOf(moved, idsOf(item))
    if (place) return place
  }
  return otherwise
}

function lastOf(moved: MovedIds, range: IdRange): Place | undefined {
  const last = moved.found(range).at(-1)
  return last && { ...placeOf(last.value, last.offset + last.range.len - 1), side: 'after' }
}

function firstOf(moved: MovedIds, range: IdRange): Place | undefined {
  const [first] = moved.found(range)
  return first && { ...placeOf(first.value, first.offset), side: 'before' }
}

function placeOf({ text, id }: Moved, offset: number): Moved {
  return { text, id: Y.createID(id.client, id.clock + offset) }
}

// The destination may have been moved again.
function follow(start: Place | undefined, targets: ReadonlyMap<YType, Target>): Place | undefined {
  let place = start
  while (place) {
    const type = 'block' in place ? place.block : place.text
    if (!type._item?.deleted) return place
    const target = targets.get(type)
    if ('block' in place) place = target ? target.otherwise : placeInText(place.block, targets)
    else place = target && placeNextToId(target, place)
  }
  return undefined
}

function placeNextToId(target: Target, { text, id, side }: Exclude<Place, { block: Y.XmlElement }>): Place | undefined {
  const item = text.doc ? Y.getItem(text.doc.store, id) : undefined
  if (!(item instanceof Y.Item)) return undefined
  const offset = id.clock - item.id.clock
  if (side === 'after')
    return lastOf(target.moved, { ...idsOf(item), len: offset + 1 }) ?? placeIn(target, text, item.left)
  const rest = { client: id.client, clock: id.clock, len: item.length - offset }
  return firstOf(target.moved, rest) ?? placeIn(target, text, item)
}

// A block that was empty when text was moved into it, and contained text when it was moved itself.
function placeInText(block: Y.XmlElement, targets: ReadonlyMap<YType, Target>): Place | undefined {
  for (const child of itemsIn(block)) {
    const [text, target] = targetOf(child, targets)
    if (text && target) return placeIn(target, text, lastItem(text))
  }
  return undefined
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
