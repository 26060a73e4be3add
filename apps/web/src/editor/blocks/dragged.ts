import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import type { BlockRange } from './block-at.ts'

/** The plugin state that says which blocks are being dragged; set by a transaction's meta `{ range }`. */
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
