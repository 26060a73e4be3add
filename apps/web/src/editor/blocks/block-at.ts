import type { Node, NodeType, ResolvedPos } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'

export type BlockRange = { from: number; to: number }

/** Whether nodes of this type are list items, which move on their own. */
export function isItem(type: NodeType): boolean {
  return type.name === 'listItem' || type.name === 'taskItem'
}

/** The block that a drag from this position moves: the innermost list item around it, else the top-level block. */
export function blockAround($position: ResolvedPos): BlockRange | null {
  for (let depth = $position.depth; depth > 0; depth -= 1) {
    if (depth === 1 || isItem($position.node(depth).type)) {
      return { from: $position.before(depth), to: $position.after(depth) }
    }
  }
  const next = $position.nodeAfter
  return next ? { from: $position.pos, to: $position.pos + next.nodeSize } : null
}

/** The blocks that the selection touches, as siblings in one parent. */
export function selectedBlocks({ selection }: EditorState): BlockRange | null {
  const { $from, $to } = selection
  const range = $from.blockRange($to, (parent) => {
    const first = parent.firstChild
    return parent.type.name === 'doc' || (first !== null && isItem(first.type))
  })
  if (range) return { from: range.start, to: range.end }
  return blockAround($from)
}

/** The nodes in a range of whole blocks. */
export function nodesIn(doc: Node, { from, to }: BlockRange): Node[] {
  return doc.slice(from, to).content.content.slice()
}

/** The range to delete so that no empty list or quote remains in place of `range`. */
export function withEmptiedParents(doc: Node, { from, to }: BlockRange): BlockRange {
  const $from = doc.resolve(from)
  if ($from.depth === 0 || $from.parent.content.size > to - from || $from.parent.type.spec.isolating === true) {
    return { from, to }
  }
  return withEmptiedParents(doc, { from: $from.before(), to: $from.after() })
}

/** The plugin state with the range of the dragged blocks; set by a transaction's meta `{ range }`. */
export const draggedKey = new PluginKey<BlockRange | null>('draggedBlock')

/** Draws the blocks that are being dragged paler. */
export function createDragged(): Plugin {
  return new Plugin<BlockRange | null>({
    key: draggedKey,
    state: {
      init: () => null,
      apply(transaction, dragged) {
        const meta: { range: BlockRange | null } | undefined = transaction.getMeta(draggedKey)
        // Positions don't survive remote changes; the drop resolves the block again.
        return meta ? meta.range : transaction.docChanged ? null : dragged
      },
    },
    props: {
      decorations(state) {
        const range = draggedKey.getState(state)
        if (!range) return null
        return DecorationSet.create(state.doc, [Decoration.node(range.from, range.to, { class: 'block-held' })])
      },
    },
  })
}
