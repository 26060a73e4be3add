import { fullTableWidth, setColumnWidths, tableSizes } from '@copydesk/schema'
import type { Editor } from '@tiptap/core'
import { TableMap } from '@tiptap/pm/tables'
import { t } from '../../../i18n/translate.ts'
import { showToast } from '../../../ui/toasts/toasts.tsx'
import { trackPointer } from '../../common/pointer-drag.ts'
import { asUndoStep } from '../../typing/undo.ts'
import { columnEdges, drawnTableOf, isRightToLeft, type PlacedTable, tableAt } from './table-geometry.ts'
import { drawSizes } from './table-view.ts'

// In the unit of `colwidth`: the minimum width of a column that is set here, and a table four times as wide as the
// text.
const leastColumnWidth = 40
const mostTableWidth = 4 * fullTableWidth

/**
 * The widths of columns after moving the edge behind one of them: the next column is adjusted, so that the table keeps
 * its width, unless it is the last column's edge. No column gets narrower than 40.
 */
export function moveEdge(widths: readonly number[], column: number, by: number): number[] {
  const [own, next] = [widths[column], widths[column + 1]]
  if (own === undefined) return [...widths]
  const total = widths.reduce((sum, width) => sum + width, 0)
  const least = Math.min(0, leastColumnWidth - own)
  const most = Math.max(0, next === undefined ? mostTableWidth - total : next - leastColumnWidth)
  const change = Math.min(Math.max(by, least), most)
  return widths.map((width, index) => {
    if (index === column) return width + change
    return index === column + 1 ? width - change : width
  })
}

/**
 * Makes a column wider or narrower: moves the edge behind it, or, for the last of several columns, the edge before it,
 * so that the table keeps its width.
 */
export function growColumn(widths: readonly number[], column: number, by: number): number[] {
  const isLast = column > 0 && column === widths.length - 1
  return isLast ? moveEdge(widths, column - 1, -by) : moveEdge(widths, column, by)
}

/** The same width for all columns; the table keeps its width. */
export function evenWidths(widths: readonly number[]): number[] {
  const total = widths.reduce((sum, width) => sum + width, 0)
  return widths.map(() => total / widths.length)
}

/** The index of the last column of a cell. */
export function columnOf({ state }: Editor, cell: number): number {
  const table = tableAt(state, cell)
  return table ? TableMap.get(table.node).findCell(cell - table.start).right - 1 : 0
}

/** The widths of the drawn columns of a table, in the unit of `colwidth`; undefined if the table isn't drawn. */
function drawnWidths(editor: Editor, table: PlacedTable): number[] | undefined {
  const drawn = drawnTableOf(editor.view, table)
  const room = drawn?.parentElement?.clientWidth ?? 0
  if (!drawn || room === 0) return undefined
  const edges = columnEdges(editor.view, table)
  return edges.slice(1).map((edge, index) => (Math.abs(edge - (edges[index] ?? edge)) * fullTableWidth) / room)
}

/** Changes the widths of the columns of a cell's table, for everyone and as one undo step. */
export function changeWidths(editor: Editor, cell: number, change: (widths: number[]) => readonly number[]): void {
  const table = tableAt(editor.state, cell)
  const widths = table && drawnWidths(editor, table)
  if (table && widths) writeWidths(editor, table, change(widths))
}

/** Removes the widths of the columns, which are then sized by their content. */
export function clearWidths(editor: Editor, cell: number): void {
  const table = tableAt(editor.state, cell)
  if (!table) return
  const { tr } = editor.state
  table.node.descendants((node, offset) => {
    if (node.type.spec.tableRole === 'row') return true
    if (node.attrs.colwidth) tr.setNodeAttribute(table.start + offset, 'colwidth', null)
    return false
  })
  dispatch(editor, tr)
}

function writeWidths(editor: Editor, { node, start }: PlacedTable, widths: readonly number[]): void {
  // A peer may have added a column meanwhile.
  if (widths.length !== TableMap.get(node).width) return
  const { tr } = editor.state
  setColumnWidths(tr, start - 1, widths)
  dispatch(editor, tr)
}

function dispatch(editor: Editor, transaction: Editor['state']['tr']): void {
  if (!transaction.docChanged || !editor.isEditable) return
  asUndoStep(editor.state, () => editor.view.dispatch(transaction))
  if (editor.storage.tables.isSuggesting()) showToast(t('Column widths can’t be suggested. They changed for everyone.'))
}

type Resize = {
  editor: Editor
  cell: () => number | undefined
  column: number
  onDraw: () => void
  onEnd: () => void
}

/** Follows the pointer that has pressed the edge behind a column: draws the widths, and writes them on release. */
export function startResize(press: PointerEvent, { editor, cell, column, onDraw, onEnd }: Resize): void {
  const at = () => {
    const position = cell()
    return position === undefined ? undefined : tableAt(editor.state, position)
  }
  let widths: number[] | undefined
  let scale = 0
  const drawAt = (x: number) => {
    const table = at()
    const drawn = table && drawnTableOf(editor.view, table)
    if (!widths || !drawn) return
    const moved = moveEdge(widths, column, (x - press.clientX) * scale)
    const total = moved.reduce((sum, width) => sum + width, 0)
    drawSizes(
      drawn,
      `${(total / fullTableWidth) * 100}%`,
      moved.map((width) => `${(width / total) * 100}%`),
    )
  }
  document.documentElement.classList.add('column-resizing')
  trackPointer(press, {
    onBegin() {
      const table = at()
      const drawn = table && drawnTableOf(editor.view, table)
      if (!table || !drawn) return
      widths = drawnWidths(editor, table)
      scale = ((isRightToLeft(drawn) ? -1 : 1) * fullTableWidth) / (drawn.parentElement?.clientWidth ?? 1)
    },
    onFrame({ x }) {
      drawAt(x)
      onDraw()
    },
    onDrop({ x }) {
      drawAt(x)
      const position = cell()
      // The drawn widths: no column is narrower than its longest word.
      if (position !== undefined && widths) changeWidths(editor, position, (drawn) => drawn)
    },
    onEnd() {
      document.documentElement.classList.remove('column-resizing')
      const table = at()
      const drawn = table && drawnTableOf(editor.view, table)
      const sizes = table && tableSizes(table.node)
      if (drawn) drawSizes(drawn, sizes?.table ?? '', sizes?.columns ?? [])
      onEnd()
    },
  })
}
