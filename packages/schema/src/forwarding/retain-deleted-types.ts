import * as Y from 'yjs'
import { isNewIn, itemOf } from './text-units.ts'

// A few kilobytes; far more than the types deleted while a keystroke is in transit.
const mostTypes = 1_000

/**
 * Makes a Y.Doc that relays updates also relay the typing of users in a block that was just deleted. Yjs
 * garbage-collects a deleted block immediately, and later content for it without its characters, so the peer that
 * replaced the block could not forward them. With this function the last thousand deleted elements and texts stay
 * intact, and content that is added to them is kept. Call it after loading the document. Returns a function that
 * removes its handlers.
 */
export function retainDeletedTypes(doc: Y.Doc): () => void {
  const kept = new Set<Y.Item>()
  const onTransaction = (transaction: Y.Transaction): void => {
    Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
      if (!(struct instanceof Y.Item)) return
      const isTypedInto = isNewIn(transaction, struct) && itemOf(struct.parent)?.keep === true
      if (!isTypedInto && !(struct.content instanceof Y.ContentType)) return
      struct.keep = true
      kept.add(struct)
    })
  }
  const collectOldest = (): void => {
    if (kept.size <= mostTypes) return
    const oldest = Y.createDeleteSet()
    for (const item of kept) {
      if (kept.size <= mostTypes) break
      kept.delete(item)
      item.keep = false
      const ranges = oldest.clients.get(item.id.client) ?? []
      ranges.push({ clock: item.id.clock, len: item.length })
      oldest.clients.set(item.id.client, ranges)
    }
    for (const ranges of oldest.clients.values()) ranges.sort((one, other) => one.clock - other.clock)
    Y.tryGc(oldest, doc.store, doc.gcFilter)
  }
  doc.on('afterTransaction', onTransaction)
  doc.on('afterAllTransactions', collectOldest)
  return () => {
    doc.off('afterTransaction', onTransaction)
    doc.off('afterAllTransactions', collectOldest)
  }
}
