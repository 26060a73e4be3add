import * as Y from 'yjs'

/** What a transaction added and not deleted again, and the elements that it added or changed. */
export type Touched = { items: readonly Y.Item[]; elements: ReadonlySet<Y.XmlElement> }

/** Looks once at what a transaction did; what everybody who ever wrote in the document has is gone through for it. */
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
