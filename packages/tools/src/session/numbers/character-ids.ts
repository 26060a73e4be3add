import { schema } from '@copydesk/schema'
import { firstIndex } from '@copydesk/schema/ids'
import * as Y from 'yjs'
import { groupBy } from '../../common/group-by.ts'

/** A run of character ids, in the form that a session stores: client, first clock, length. */
export type StoredIds = [client: number, clock: number, length: number]

/**
 * The ids of the live characters and inline atoms inside a Y type, in document order. Yjs never reuses ids, and keeps
 * them when items are split or merged.
 */
export function characterIds(type: Y.XmlElement): StoredIds[] {
  const ranges: StoredIds[] = []
  // Iterative: blocks may nest deeper than the call stack allows.
  const pending: (Y.Item | null)[] = [type._start]
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    if (item === null) continue
    pending.push(item.right)
    if (item.deleted) continue
    if (item.content instanceof Y.ContentString) push(ranges, item.id, item.length)
    else if (item.content instanceof Y.ContentType) {
      const child = item.content.type
      if (child instanceof Y.XmlElement && schema.nodes[child.nodeName]?.isInline) push(ranges, item.id, 1)
      else if (child instanceof Y.XmlElement || child instanceof Y.XmlText) pending.push(child._start)
    }
  }
  return ranges
}

function push(ranges: StoredIds[], id: Y.ID, length: number): void {
  const last = ranges.at(-1)
  if (last && last[0] === id.client && last[1] + last[2] === id.clock) last[2] += length
  else ranges.push([id.client, id.clock, length])
}

/** The number of characters in the ranges. */
export function countIds(ranges: readonly StoredIds[]): number {
  return ranges.reduce((sum, range) => sum + range[2], 0)
}

/** The number of ids that two lists have in common; within one list no id occurs twice. */
export function countShared(a: readonly StoredIds[], b: readonly StoredIds[]): number {
  const known = byClient(b)
  return a.reduce((sum, range) => sum + countKnown(range, known), 0)
}

/** The clients that wrote ids of `now` that aren't in `before`. */
export function newWriters(before: readonly StoredIds[], now: readonly StoredIds[]): number[] {
  const known = byClient(before)
  return [...new Set(now.filter((range) => countKnown(range, known) < range[2]).map((range) => range[0]))]
}

type RangesByClient = ReadonlyMap<number, readonly StoredIds[]>

// The ranges of each client by their clocks.
function byClient(ranges: readonly StoredIds[]): RangesByClient {
  const sorted = ranges.toSorted((a, b) => a[1] - b[1])
  return groupBy(sorted, (range) => range[0])
}

function countKnown([client, clock, length]: StoredIds, known: RangesByClient): number {
  const ranges = known.get(client) ?? []
  const end = clock + length
  let count = 0
  for (let index = firstIndex(ranges, (range) => range[1] + range[2] > clock); ; index++) {
    const range = ranges[index]
    if (!range || range[1] >= end) return count
    count += Math.min(end, range[1] + range[2]) - Math.max(clock, range[1])
  }
}
