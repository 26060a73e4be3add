import type { Node, NodeType } from 'prosemirror-model'

/**
 * The valid position for a block of this type nearest to a position: the position itself, else before the text that
 * starts there, else behind the block that contains it. Undefined when it fits nowhere around it.
 */
export function blockPlace(doc: Node, position: number, type: NodeType): number | undefined {
  const $at = doc.resolve(Math.min(Math.max(position, 0), doc.content.size))
  if (!$at.parent.inlineContent && $at.parent.canReplaceWith($at.index(), $at.index(), type)) return $at.pos
  const isAtStart = $at.parent.inlineContent && $at.parentOffset === 0
  for (let depth = $at.depth; depth > 0; depth--) {
    const parent = $at.node(depth - 1)
    const index = $at.index(depth - 1)
    if (isAtStart && depth === $at.depth && parent.canReplaceWith(index, index, type)) return $at.before(depth)
    if (parent.canReplaceWith(index + 1, index + 1, type)) return $at.after(depth)
  }
  return undefined
}
