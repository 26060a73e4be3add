import { Extension } from '@tiptap/core'
import { cellAround, CellSelection, inSameTable } from '@tiptap/pm/tables'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { absolutePositionToRelativePosition, ySyncPluginKey } from 'y-prosemirror'
import type * as Y from 'yjs'
import { toPosition } from '../../common/positions.ts'

type Cells = { anchor: Y.RelativePosition; head: Y.RelativePosition }

/**
 * Keeps selected cells selected across remote changes. The binding alone would turn them into a caret at every remote
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
      if (!kept || !(before.selection instanceof CellSelection) || !transactions.some(isRemote)) return null
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

function isRemote(transaction: Transaction): boolean {
  const meta: { isChangeOrigin?: boolean } | undefined = transaction.getMeta(ySyncPluginKey)
  return meta?.isChangeOrigin === true
}

function remember(state: EditorState, { $anchorCell, $headCell }: CellSelection): Cells | undefined {
  const { type, binding } = ySyncPluginKey.getState(state) ?? {}
  if (!type || !binding) return undefined
  const encode = (cell: number): Y.RelativePosition =>
    absolutePositionToRelativePosition(cell + 1, type, binding.mapping)
  return { anchor: encode($anchorCell.pos), head: encode($headCell.pos) }
}

function find(state: EditorState, { anchor, head }: Cells): CellSelection | undefined {
  const [$anchor, $head] = [anchor, head].map((place) => {
    const position = toPosition(state, place)
    // One position further in, since the start of a cell counts as outside of it.
    return position === undefined ? null : cellAround(state.doc.resolve(Math.min(position + 1, state.doc.content.size)))
  })
  return $anchor && $head && inSameTable($anchor, $head) ? new CellSelection($anchor, $head) : undefined
}
