import * as Y from 'yjs'

/** The items that a transaction added and did not delete again, and the elements that it added or changed. */
export type Touched = { items: readonly Y.Item[]; elements: ReadonlySet<Y.XmlElement> }

/**
 * Reads what a transaction did, in one pass over the state vectors, which have an entry per client id of the document.
 */
export function readTouched({ doc, beforeState, afterState, changed }: Y.Transaction): Touched {
  const items: Y.Item[] = []
  for (const [client, clock] of afterState) {
    const from = beforeState.get(client) ?? 0
    const structs = clock > from ? doc.store.clients.get(client) : undefined
    if (!structs) continue
    for (let index = Y.findIndexSS(structs, from); index < structs.length; index++) {
      const struct = structs[index]
      if (struct instanceof Y.Item && !struct.deleted) items.push(struct)
    }
  }
  const elements = new Set<Y.XmlElement>()
  for (const type of changed.keys()) if (type instanceof Y.XmlElement) elements.add(type)
  for (const { content } of items) {
    if (content instanceof Y.ContentType && content.type instanceof Y.XmlElement) elements.add(content.type)
  }
  return { items, elements }
}
