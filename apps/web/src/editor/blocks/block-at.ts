import type { Node, NodeType, ResolvedPos } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'

/** A stretch of whole blocks that stand beside each other. */
export type BlockRange = { from: number; to: number }

/** Whether nodes of this type are items of a list, which move by themselves. */
export function isItem(type: NodeType): boolean {
  return type.name === 'listItem' || type.name === 'taskItem'
}

/** The block that moves when a person takes hold of this place: the innermost list item around it, else the block of the document. */
export function blockAround($position: ResolvedPos): BlockRange | null {
  for (let depth = $position.depth; depth > 0; depth -= 1) {
    if (depth === 1 || isItem($position.node(depth).type)) {
      return { from: $position.before(depth), to: $position.after(depth) }
    }
  }
  const next = $position.nodeAfter
  return next ? { from: $position.pos, to: $position.pos + next.nodeSize } : null
}

/** The blocks that the selection touches, as neighbours in one parent. */
export function selectedBlocks({ selection }: EditorState): BlockRange | null {
  const { $from, $to } = selection
  const range = $from.blockRange($to, (parent) => {
    const first = parent.firstChild
    return parent.type.name === 'doc' || (first !== null && isItem(first.type))
  })
  if (range) return { from: range.start, to: range.end }
  return blockAround($from)
}

/** What stands in a range of whole blocks. */
export function nodesIn(doc: Node, { from, to }: BlockRange): Node[] {
  return doc.slice(from, to).content.content.slice()
}

/** The range to take away so that no empty list or quote is left where `range` was. */
export function withEmptiedParents(doc: Node, { from, to }: BlockRange): BlockRange {
  const $from = doc.resolve(from)
  if ($from.depth === 0 || $from.parent.content.size > to - from || $from.parent.type.spec.isolating === true) {
    return { from, to }
  }
  return withEmptiedParents(doc, { from: $from.before(), to: $from.after() })
}
