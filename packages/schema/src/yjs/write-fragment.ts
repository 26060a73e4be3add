import type { Node } from 'prosemirror-model'
import { updateYFragment } from 'y-prosemirror'
import type * as Y from 'yjs'

/**
 * The state that `updateYFragment` keeps between calls: the mapping, and which mark types overlap with their own kind.
 */
export type BindingMetadata = Parameters<typeof updateYFragment>[3]

/** Fresh metadata for a fragment that hasn't been read yet. */
export function createBindingMetadata(): BindingMetadata {
  return { mapping: new Map(), isOMark: new Map() }
}

/**
 * Makes the fragment equal to `doc`, writing only the differences. Call it synchronously after reading: writing a
 * document that was read before other updates arrived would erase these updates. `metadata.mapping` must be the one the
 * reader filled.
 */
export function writeFragment(fragment: Y.XmlFragment, doc: Node, metadata: BindingMetadata): void {
  if (!fragment.doc) throw new Error('the fragment belongs to no document')
  updateYFragment(fragment.doc, fragment, doc, metadata)
}
