import { DOCUMENT_LIMITS } from '@copydesk/protocol'
import type { Node } from 'prosemirror-model'
import type * as Y from 'yjs'
import { createStore, type Store } from '../../app/store.ts'

/**
 * The fraction of a document's size limit in use, from 0; more than 1 if the document grew beyond the limit before it
 * was enforced.
 */
export type Fullness = number

/** The fullness from which users are warned, while there is room to act. */
export const nearlyFull = 0.9

const stores = new WeakMap<Y.Doc, Store<Fullness>>()

/** The fullness of a document, for display; its editor keeps it current. */
export function fullnessOf(content: Y.Doc): Store<Fullness> {
  const store = stores.get(content) ?? createStore<Fullness>(0)
  stores.set(content, store)
  return store
}

/**
 * The fullness of a document with this text, plus `more` pieces. Constant cost at any size: a block counts as two
 * characters.
 */
export function measureFullness(content: Y.Doc, text: Node, more = 0): Fullness {
  let pieces = more
  for (const structs of content.store.clients.values()) pieces += structs.length
  return Math.max(pieces / DOCUMENT_LIMITS.pieces, text.content.size / DOCUMENT_LIMITS.characters)
}
