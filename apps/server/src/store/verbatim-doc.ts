import * as Y from 'yjs'

/**
 * Makes a Y.Doc hold exactly what it is given. When Yjs receives somebody else's formatting it deletes markers that have
 * become redundant, as an edit of its own. On a client that edit is sent like any other; on a copy that the server keeps
 * it would be in nobody's log, and the client's own deletion of the same marker would then count as known: people would
 * see other formatting after a restart than before it.
 */
export function keepVerbatim(doc: Y.Doc): void {
  doc.on('afterTransaction', (transaction) => {
    transaction._needFormattingCleanup = false
  })
}

/** A new Y.Doc that holds exactly what it is given. */
export function createVerbatimDoc(): Y.Doc {
  const doc = new Y.Doc()
  keepVerbatim(doc)
  return doc
}
