import { Extension } from '@tiptap/core'
import { cellAround, CellSelection, inSameTable } from '@tiptap/pm/tables'
import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import type * as Y from 'yjs'
import { isFromYjs } from '../../common/from-yjs.ts'
import { toPosition, toRelative } from '../../common/positions.ts'

type Cells = { anchor: Y.RelativePosition; head: Y.RelativePosition }

/**
 * Keeps selected cells selected across remote changes. The binding alone would replace them by a caret at every remote
 * change.
 */
export const KeptCells = Extension.create({
  name: 'keptCells',
  addProseMirrorPlugins: () => [createPlugin()],
})

function createPlugin(): Plugin {
  let kept: Cells | undefined
  return new Plugin({
    key: new PluginKey('keptCells'),
    appendTransaction(transactions, before, after) {
      if (!kept || !(before.selection instanceof CellSelection) || !transactions.some(isFromYjs)) return null
      const selection = find(after, kept)
      return selection && !selection.eq(after.selection) ? after.tr.setSelection(selection) : null
    },
    // After the binding has processed the change, when both positions agree.
    view: () => ({
      update({ state }) {
        kept = state.selection instanceof CellSelection ? remember(state, state.selection) : undefined
      },
    }),
  })
}

function remember(state: EditorState, { $anchorCell, $headCell }: CellSelection): Cells | undefined {
  const anchor = toRelative(state, $anchorCell.pos + 1)
  const head = toRelative(state, $headCell.pos + 1)
  return anchor && head && { anchor, head }
}

function find(state: EditorState, { anchor, head }: Cells): CellSelection | undefined {
  const [$anchor, $head] = [anchor, head].map((place) => {
    const position = toPosition(state, place)
    // One position further in, since the start of a cell counts as outside of it.
    return position === undefined ? null : cellAround(state.doc.resolve(Math.min(position + 1, state.doc.content.size)))
  })
  return $anchor && $head && inSameTable($anchor, $head) ? new CellSelection($anchor, $head) : undefined
}
