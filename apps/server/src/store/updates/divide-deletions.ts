import type { YType } from '@copydesk/schema'
import type { IdRange } from '@copydesk/schema/ids'
import * as Y from 'yjs'
import { encodeUpdate } from './causal-order.ts'
import type { DecodedUpdate } from './decode-update.ts'
import { rangesOf, structsIn, toDeleteSet } from './id-ranges.ts'

type DeleteSet = DecodedUpdate['ds']

/**
 * The number of items of a document that an update deletes, including the content of deleted elements; stops counting
 * above `most`. Eight bytes can delete a whole document.
 */
export function countDeleted(ds: DeleteSet, doc: Y.Doc, most: number): number {
  let count = 0
  forEachDeleted(ds, doc, () => ++count <= most)
  return count
}

/**
 * The deletions of an update as updates that delete at most `most` items each, the children of an element before the
 * element itself. Omits items that the document doesn't have or has already deleted.
 */
export function divideDeletions(ds: DeleteSet, doc: Y.Doc, most: number): Uint8Array[] {
  const parts: Uint8Array[] = []
  let part: IdRange[] = []
  const cut = (): void => {
    if (part.length > 0) parts.push(encodeUpdate([], toDeleteSet(part)))
    part = []
  }
  forEachDeleted(ds, doc, (range) => {
    part.push(range)
    if (part.length === most) cut()
    return true
  })
  cut()
  return parts
}

/** Called with each deleted range; returns whether to continue. */
type Visit = (range: IdRange) => boolean

function forEachDeleted(ds: DeleteSet, doc: Y.Doc, visit: Visit): boolean {
  for (const deleted of rangesOf(ds)) {
    for (const { struct, range } of structsIn(doc, deleted)) {
      if (!(struct instanceof Y.Item) || struct.deleted || isInsideDeleted(struct, ds)) continue
      if (!visitInside(struct, visit) || !visit(range)) return false
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
  return visitInside(item, visit) && visit({ client: item.id.client, clock: item.id.clock, len: item.length })
}
