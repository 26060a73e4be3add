import * as Y from 'yjs'

/** The items that a transaction has added and not deleted again. */
export function* newItems({ doc, beforeState, afterState }: Y.Transaction): Iterable<Y.Item> {
  for (const [client, clock] of afterState) {
    const from = beforeState.get(client) ?? 0
    const structs = clock > from ? doc.store.clients.get(client) : undefined
    if (!structs) continue
    for (let index = Y.findIndexSS(structs, from); index < structs.length; index++) {
      const struct = structs[index]
      if (struct instanceof Y.Item && !struct.deleted) yield struct
    }
  }
}
