import type { Node } from 'prosemirror-model'
import { decideNode } from './review/decide-node.ts'

/** Which side of the suggested changes to show: the text as it was before them, or as if all were accepted. */
export type ChangesView = 'original' | 'accepted'

/**
 * The document with every suggested change left out (`original`) or carried out (`accepted`). The result holds no suggestion any more;
 * comments stay. A block that a suggestion deletes stays while something is in it that no suggestion deletes, and likewise for
 * inserted ones. Containers that lose all their content go too, or keep one empty paragraph where the schema demands it. What no
 * suggestion touches is the same node as before, down to the whole document. docs/specs/suggestions.md has the rules.
 */
export function resolveChanges(doc: Node, view: ChangesView): Node {
  return decideNode(doc, verdicts[view]).after ?? doc
}

const verdicts = {
  original: { decision: 'reject', ids: 'all' },
  accepted: { decision: 'accept', ids: 'all' },
} as const

/**
 * Whether a node is there at all in this view of the changes. Says yes for a container of which only the content is hidden, so
 * it never has to look far.
 */
export function isShown(node: Node, view: ChangesView): boolean {
  if (typeof node.attrs.suggestion !== 'string' && node.marks.length === 0) return true
  try {
    return decideNode(node, verdicts[view]).after !== undefined
  } catch (error) {
    // Blocks nested deeper than the stack can't be looked through; nothing that may be in them is hidden.
    if (error instanceof RangeError) return true
    throw error
  }
}
