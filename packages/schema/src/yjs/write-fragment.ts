import type { Node } from 'prosemirror-model'
import { updateYFragment } from 'y-prosemirror'
import type * as Y from 'yjs'

/** What `updateYFragment` keeps between calls: the mapping, and which mark types overlap with their own kind. */
export type BindingMetadata = Parameters<typeof updateYFragment>[3]

/** Fresh metadata for a fragment that nothing has been read from yet. */
export function createBindingMetadata(): BindingMetadata {
  return { mapping: new Map(), isOMark: new Map() }
}

/**
 * Makes the fragment equal to `doc`, writing only what differs. Call it synchronously after reading: a document that was
 * read before other updates arrived would erase them. `metadata.mapping` must be the one the reader filled.
 */
export function writeFragment(fragment: Y.XmlFragment, doc: Node, metadata: BindingMetadata): void {
  if (!fragment.doc) throw new Error('the fragment belongs to no document')
  updateYFragment(fragment.doc, fragment, doc, metadata)
}
