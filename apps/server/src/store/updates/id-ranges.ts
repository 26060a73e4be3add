import type { IdRange } from '@copydesk/schema/ids'
import * as Y from 'yjs'

type DeleteSet = ReturnType<typeof Y.createDeleteSet>

/** A set of ids as a Yjs `DeleteSet`, with sorted and merged ranges. */
export function toDeleteSet(ranges: Iterable<IdRange>): DeleteSet {
  const set = Y.createDeleteSet()
  for (const { client, clock, len } of ranges) {
    const known = set.clients.get(client)
    if (known) known.push({ clock, len })
    else set.clients.set(client, [{ clock, len }])
  }
  return Y.mergeDeleteSets([set])
}

/** The ranges of a `DeleteSet`. */
export function* rangesOf({ clients }: DeleteSet): Generator<IdRange, void, undefined> {
  for (const [client, ranges] of clients) for (const { clock, len } of ranges) yield { client, clock, len }
}

/**
 * The structs that a range of ids covers, each with its part of the range. Ids that the document doesn't have are
 * omitted. The document must not change during the iteration.
 */
export function* structsIn(
  { store }: Y.Doc,
  { client, clock, len }: IdRange,
): Generator<{ struct: Y.Item | Y.GC; range: IdRange }, void, undefined> {
  const end = Math.min(clock + len, Y.getState(store, client))
  if (clock >= end) return
  const structs = store.clients.get(client) ?? []
  let position = clock
  for (let index = Y.findIndexSS(structs, clock); position < end; index++) {
    const struct = structs[index]
    if (!struct) return
    const until = Math.min(end, struct.id.clock + struct.length)
    yield { struct, range: { client, clock: position, len: until - position } }
    position = until
  }
}
