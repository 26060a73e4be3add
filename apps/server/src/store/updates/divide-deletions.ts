import type { YType } from '@copydesk/schema'
import * as Y from 'yjs'
import { encodeUpdate } from './causal-order.ts'
import type { DecodedUpdate } from './decode-update.ts'

type DeleteSet = DecodedUpdate['ds']
type Ranges = { clock: number; len: number }[]

/**
 * How many items of a document the deletions of an update reach, including everything inside deleted elements; stops
 * counting above `most`. Eight bytes can delete a whole document.
 */
export function countDeleted(ds: DeleteSet, doc: Y.Doc, most: number): number {
  let count = 0
  forEachDeleted(ds, doc, () => ++count <= most)
  return count
}

/**
 * The deletions of an update as updates that delete at most `most` items each, the children of an element before the
 * element itself. Leaves out what the document doesn't have or has already deleted.
 */
export function divideDeletions(ds: DeleteSet, doc: Y.Doc, most: number): Uint8Array[] {
  const parts: Uint8Array[] = []
  let part = new Map<number, Ranges>()
  let count = 0
  const cut = (): void => {
    if (count === 0) return
    for (const [client, ranges] of part) part.set(client, sortAndJoin(ranges))
    parts.push(encodeUpdate([], { clients: part }))
    part = new Map()
    count = 0
  }
  forEachDeleted(ds, doc, (client, clock, len) => {
    const ranges = part.get(client)
    if (ranges) ranges.push({ clock, len })
    else part.set(client, [{ clock, len }])
    count += 1
    if (count === most) cut()
    return true
  })
  cut()
  return parts
}

/** Called with each deleted range; returns whether to continue. */
type Visit = (client: number, clock: number, length: number) => boolean

function forEachDeleted(ds: DeleteSet, { store }: Y.Doc, visit: Visit): boolean {
  for (const [client, ranges] of ds.clients) {
    const structs = store.clients.get(client) ?? []
    const state = Y.getState(store, client)
    for (const { clock, len } of ranges) {
      if (clock >= state || len === 0) continue
      const end = clock + len
      for (let at = Y.findIndexSS(structs, clock); at < structs.length; at++) {
        const struct = structs[at]
        if (!struct || struct.id.clock >= end) break
        if (!(struct instanceof Y.Item) || struct.deleted || isInsideDeleted(struct, ds)) continue
        const from = Math.max(struct.id.clock, clock)
        const length = Math.min(struct.id.clock + struct.length, end) - from
        if (!visitInside(struct, visit) || !visit(client, from, length)) return false
      }
    }
  }
  return true
}

/** Whether an item's parent element is deleted with it. */
function isInsideDeleted({ parent }: Y.Item, ds: DeleteSet): boolean {
  const around = (parent as YType)._item
  return around !== null && Y.isDeleted(ds, around.id)
}

function visitInside({ content }: Y.Item, visit: Visit): boolean {
  if (!(content instanceof Y.ContentType)) return true
  const { _start, _map } = content.type
  for (let child: Y.Item | null = _start; child; child = child.right) if (!visitTree(child, visit)) return false
  for (const value of _map.values()) if (!visitTree(value, visit)) return false
  return true
}

function visitTree(item: Y.Item, visit: Visit): boolean {
  if (item.deleted) return true
  return visitInside(item, visit) && visit(item.id.client, item.id.clock, item.length)
}

function sortAndJoin(ranges: Ranges): Ranges {
  const joined: Ranges = []
  for (const range of ranges.sort((one, other) => one.clock - other.clock)) {
    const last = joined.at(-1)
    if (last && last.clock + last.len === range.clock) last.len += range.len
    else joined.push({ ...range })
  }
  return joined
}
