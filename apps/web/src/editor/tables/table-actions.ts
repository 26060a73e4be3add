import type { Editor } from '@tiptap/core'
import { CellSelection, TableMap } from '@tiptap/pm/tables'
import type { Node } from 'prosemirror-model'
import { isCell } from './table-geometry.ts'

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

/** The alignment that all selected cells share; undefined when they differ. */
export function sharedAlignment({ state }: Editor): string | null | undefined {
  const { selection } = state
  if (!(selection instanceof CellSelection)) return undefined
  const values = new Set<unknown>()
  selection.forEachCell((cell) => values.add(cell.attrs.align ?? null))
  const [only] = values
  return values.size === 1 && (typeof only === 'string' || only === null) ? only : undefined
}
