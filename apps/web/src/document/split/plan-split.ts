import type { Node } from 'prosemirror-model'
import type { Selection } from 'prosemirror-state'

/** The top-level blocks of a document that are to move: positions, number, and a title for them. */
export type SplitPlan = { from: number; to: number; blocks: number; title: string }

const longestTitle = 100

/**
 * The blocks to move: those that the selection touches, or without one everything from the block with the caret on.
 * Null if these are all empty.
 */
export function planSplit(doc: Node, selection: Selection): SplitPlan | null {
  const first = doc.resolve(selection.from).index(0)
  const last = selection.empty ? doc.childCount - 1 : doc.resolve(Math.max(selection.from, selection.to - 1)).index(0)
  let from = 0
  let to = 0
  let title = ''
  let isEmpty = true
  doc.forEach((block, position, index) => {
    if (index < first || index > last) return
    if (index === first) from = position
    to = position + block.nodeSize
    if (block.content.size > 0 || block.isLeaf) isEmpty = false
    if (title === '') title = block.textBetween(0, Math.min(block.content.size, longestTitle), ' ', ' ').trim()
  })
  return isEmpty ? null : { from, to, blocks: last - first + 1, title }
}
