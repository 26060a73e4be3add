import type { Editor } from '@tiptap/core'
import { cellAround, CellSelection, TableMap } from '@tiptap/pm/tables'
import type { Node } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import { caretsOfOthers } from '../common/carets-of-others.ts'
import type { LineMove } from './lines/line-moves.ts'
import { moveLines, selectedTable, stepOf } from './lines/move-lines.ts'
import { drawnTableOf, isCell, isRightToLeft } from './layout/table-geometry.ts'

/** The target of a handle: one column, one row, or the cells and the table as a whole. */
export type TablePart = 'column' | 'row' | 'table'

/**
 * Selects the column or row of a cell, unless it is part of a larger selection of columns or rows; for a whole table
 * only makes sure that the selection is in that table.
 */
export function selectPart(editor: Editor, part: TablePart, cell: number): void {
  const { state, view } = editor
  const { selection } = state
  if (!isCell(state, cell)) return
  const $cell = state.doc.resolve(cell)
  const isIn = selection.from >= $cell.start(-1) && selection.to <= $cell.end(-1)
  if (part === 'table') {
    if (!isIn) editor.commands.setTextSelection(cell + 2)
    return
  }
  const isMany = selection instanceof CellSelection && isIn && holds(selection, cell)
  if (isMany && (part === 'column' ? selection.isColSelection() : selection.isRowSelection())) return
  const next = part === 'column' ? CellSelection.colSelection($cell) : CellSelection.rowSelection($cell)
  view.dispatch(state.tr.setSelection(next))
}

function holds(selection: CellSelection, cell: number): boolean {
  let found = false
  selection.forEachCell((_node, position) => {
    found ||= position === cell
  })
  return found
}

/** Whether the first row or column of a cell's table consists of headings. */
export function isHeader({ state }: Editor, part: 'column' | 'row', cell: number): boolean {
  // The menu stays mounted for a moment after its table is deleted.
  if (!isCell(state, cell)) return false
  const $cell = state.doc.resolve(cell)
  const table = $cell.node(-1)
  const map = TableMap.get(table)
  const all =
    part === 'row'
      ? { left: 0, top: 0, right: map.width, bottom: 1 }
      : { left: 0, top: 0, right: 1, bottom: map.height }
  return map.cellsInRect(all).every((position) => isHeading(table.nodeAt(position)))
}

function isHeading(node: Node | null): boolean {
  return node?.type.spec.tableRole === 'header_cell'
}

/** The selected cells with their positions, or the one with the caret; none outside of tables. */
function selectedCells({ selection, doc }: EditorState): { node: Node; position: number }[] {
  const cells: { node: Node; position: number }[] = []
  if (selection instanceof CellSelection) selection.forEachCell((node, position) => cells.push({ node, position }))
  else {
    const $cell = cellAround(selection.$from)
    const node = $cell && doc.nodeAt($cell.pos)
    if ($cell && node) cells.push({ node, position: $cell.pos })
  }
  return cells
}

/** The alignment that all selected cells share; undefined when they differ. */
export function sharedAlignment({ state }: Editor): string | null | undefined {
  const values = new Set<unknown>(selectedCells(state).map(({ node }) => node.attrs.align ?? null))
  const [only] = values
  return values.size === 1 && (typeof only === 'string' || only === null) ? only : undefined
}

/** Aligns all selected cells; null aligns to the start of the line. */
export function alignCells({ state, view }: Editor, align: string | null): void {
  const { tr } = state
  for (const { node, position } of selectedCells(state)) {
    if ((node.attrs.align ?? null) !== align) tr.setNodeAttribute(position, 'align', align)
  }
  if (tr.docChanged) view.dispatch(tr)
}

/** Deletes the content of all selected cells. */
export function clearCells({ state, view }: Editor): void {
  const { tr } = state
  for (const { node, position } of selectedCells(state).toReversed()) {
    const empty = node.type.createAndFill()?.content
    if (empty && !node.content.eq(empty)) tr.replaceWith(position + 1, position + node.nodeSize - 1, empty)
  }
  if (tr.docChanged) view.dispatch(tr.scrollIntoView())
}

/** The directions on the screen in which rows and columns move. */
export type MoveSide = 'up' | 'down' | 'left' | 'right'

/** The move of the selected rows or columns by one place in a direction on the screen; null if that is not possible. */
export function moveToSide({ state, view }: Editor, side: MoveSide): LineMove | null {
  if (side === 'up' || side === 'down') return stepOf(state, 'row', side === 'up' ? -1 : 1)
  const table = selectedTable(state)
  const drawn = table && drawnTableOf(view, table)
  const isMirrored = drawn !== undefined && isRightToLeft(drawn)
  return stepOf(state, 'column', (side === 'left') === isMirrored ? 1 : -1)
}

/** Moves the selected rows or columns by one place in a direction on the screen, if possible. */
export function moveTo(editor: Editor, side: MoveSide): void {
  const move = moveToSide(editor, side)
  if (move) runMove(editor, move)
}

/** Moves rows or columns of the table around the selection, if the user may write. */
export function runMove(editor: Editor, move: LineMove): void {
  const { awareness, isSuggesting } = editor.storage.tables
  const carets = (state: EditorState) => caretsOfOthers(awareness, state)
  if (editor.isEditable) moveLines(editor.view, move, { carets, isSuggesting })
}
