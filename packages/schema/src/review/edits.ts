import { Transform } from '@tiptap/pm/transform'
import type { Node } from 'prosemirror-model'

/** An edit at positions of the document before all edits. */
export type Edit = (transform: Transform) => unknown

/** Applies edits given in document order from the last to the first, so that their positions need no mapping. */
export function runEdits(doc: Node, edits: readonly Edit[]): Transform {
  const transform = new Transform(doc)
  for (const edit of edits.toReversed()) edit(transform)
  return transform
}
