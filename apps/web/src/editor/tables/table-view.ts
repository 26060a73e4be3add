import { type AnyExtension, Extension, Node as NodeExtension } from '@tiptap/core'
import { cellAround, CellSelection, inSameTable, TableMap } from '@tiptap/pm/tables'
import type { Node } from 'prosemirror-model'
import { type EditorState, NodeSelection, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { NodeView } from 'prosemirror-view'
import { absolutePositionToRelativePosition, ySyncPluginKey } from 'y-prosemirror'
import type * as Y from 'yjs'
import { toPosition } from '../common/positions.ts'
import { faultOf } from '../limits/faults.ts'

/**
 * The schema's table with this app's rendering. TipTap's view writes the attributes of a review onto the table once and
 * never removes them; the review draws them around the view instead. A table that can't be drawn (`faultOf`) has no
 * columns to draw or to copy.
 */
export function drawnTable(table: AnyExtension): AnyExtension {
  if (!(table instanceof NodeExtension)) return table
  guardTableMaps()
  return table.extend({
    addNodeView() {
      const create = this.parent?.()
      if (typeof create !== 'function') return null
      return (props) => {
        if (faultOf(props.node)) return undrawnTable()
        const view = create({ ...props, HTMLAttributes: {} })
        const update = view.update?.bind(view)
        view.update = (node, ...rest) => !faultOf(node) && update?.(node, ...rest) === true
        return view
      }
    },
    renderHTML(props) {
      return (faultOf(props.node) ? null : this.parent?.(props)) ?? ['table', ['tbody', 0]]
    },
    addProseMirrorPlugins() {
      return guardTablePlugins(this.parent?.() ?? [])
    },
  })
}

function undrawnTable(): NodeView {
  return { dom: document.createElement('div'), update: (node) => faultOf(node) !== null, ignoreMutation: () => true }
}

let isGuarded = false

/**
 * Makes prosemirror-tables treat a hidden table as empty: otherwise it would list all the cells that the table claims
 * to have, and repair the shared text by itself.
 */
function guardTableMaps(): void {
  if (isGuarded) return
  isGuarded = true
  const read = TableMap.get.bind(TableMap)
  const nothing = new TableMap(0, 0, [], null)
  TableMap.get = (table: Node) => (faultOf(table) ? nothing : read(table))
}

/**
 * The plugins of tables, without their conversion of a selected table into selected cells for hidden tables, which have
 * no cells to select.
 */
function guardTablePlugins(plugins: readonly Plugin[]): Plugin[] {
  return plugins.map((plugin) => {
    const append = plugin.spec.appendTransaction
    if (!append) return plugin
    return new Plugin({
      ...plugin.spec,
      appendTransaction: (transactions, before, after) => {
        const { selection } = after
        const isHidden = selection instanceof NodeSelection && faultOf(selection.node) !== null
        return isHidden ? null : append.call(plugin, transactions, before, after)
      },
    })
  })
}

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
