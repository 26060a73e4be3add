import type { Node } from 'prosemirror-model'
import { decideNode } from './review/decide-node.ts'

/** Which side of the suggested changes to show: the text as it was before them, or as if all were accepted. */
export type ChangesView = 'original' | 'accepted'

/**
 * The document with every suggested change removed (`original`) or applied (`accepted`). The result contains no
 * suggestions; comments are kept. A block that a suggestion deletes is kept while it contains content that no
 * suggestion deletes, and likewise for inserted ones. Containers that lose all their content are removed too, or keep
 * one empty paragraph if the schema requires content. Nodes without suggestions keep their identity, up to the whole
 * document. The rules are in docs/specs/suggestions.md.
 */
export function resolveChanges(doc: Node, view: ChangesView): Node {
  return decideNode(doc, verdicts[view]).after ?? doc
}

const verdicts = {
  original: { decision: 'reject', ids: 'all' },
  accepted: { decision: 'accept', ids: 'all' },
} as const

/**
 * Whether a node itself is present in this view of the changes. Returns true for a container with only hidden content,
 * so it never has to search deeply.
 */
export function isShown(node: Node, view: ChangesView): boolean {
  if (typeof node.attrs.suggestion !== 'string' && node.marks.length === 0) return true
  try {
    return decideNode(node, verdicts[view]).after !== undefined
  } catch (error) {
    // Blocks nested deeper than the call stack allows can't be searched; their content is shown.
    if (error instanceof RangeError) return true
    throw error
  }
}

/**
 * The texts of the blocks that contain text, without formats, in this view of the changes; also of very deep documents.
 */
export function plainTexts(doc: Node, view: ChangesView): string[] {
  const texts: string[] = []
  const pending: Node[] = [doc]
  for (let node = pending.pop(); node; node = pending.pop()) {
    const shown = node.children.filter((child) => isShown(child, view))
    if (node.isTextblock) texts.push(shown.map((child) => child.text ?? ' ').join(''))
    else for (const child of shown.toReversed()) pending.push(child)
  }
  return texts.filter((text) => text.trim() !== '')
}
