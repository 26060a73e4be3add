import * as Y from 'yjs'

/**
 * Makes a Y.Doc hold exactly the updates it receives. When Yjs receives formatting from a peer, it deletes redundant
 * format markers in an edit of its own. A client sends that edit like any other; on a copy that the server keeps, it
 * would be in no log, and the client's own deletion of the same marker would count as known: users would see other
 * formatting after a restart than before.
 */
export function keepVerbatim(doc: Y.Doc): void {
  doc.on('afterTransaction', (transaction) => {
    transaction._needFormattingCleanup = false
  })
}

/** Creates a Y.Doc that holds exactly the updates it receives. */
export function createVerbatimDoc(): Y.Doc {
  const doc = new Y.Doc()
  keepVerbatim(doc)
  return doc
}
