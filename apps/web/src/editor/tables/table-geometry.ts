import { CellSelection } from '@tiptap/pm/tables'
import type { Editor } from '@tiptap/core'
import type { EditorState } from 'prosemirror-state'

/**
 * The positions of a table's handles, in pixels of the scrolled text: above the middle of a column, next to the middle
 * of a row, at the corner.
 */
export type TableHandles = {
  cell: number
  column: { left: number; top: number } | null
  row: { left: number; top: number }
  corner: { left: number; top: number }
}

/** The position of the cell with the caret, or of the last one that was selected; undefined outside of tables. */
export function cellAtSelection({ selection }: EditorState): number | undefined {
  if (selection instanceof CellSelection) return selection.$headCell.pos
  const { $head } = selection
  for (let depth = $head.depth; depth > 0; depth--) {
    if (isCellRole($head.node(depth).type.spec.tableRole)) return $head.before(depth)
  }
  return undefined
}

/** The position of a drawn cell; undefined for an element outside of this text. */
export function cellOfElement({ view }: Editor, element: Element): number | undefined {
  const cell = element.closest('td,th')
  if (!cell || !view.dom.contains(cell)) return undefined
  const position = view.posAtDOM(cell, 0) - 1
  return isCell(view.state, position) ? position : undefined
}

/** Whether a cell begins at a position. */
export function isCell({ doc }: EditorState, position: number): boolean {
  if (position < 0 || position >= doc.content.size) return false
  return isCellRole(doc.nodeAt(position)?.type.spec.tableRole)
}

function isCellRole(role: unknown): boolean {
  return role === 'cell' || role === 'header_cell'
}

/** Measures the current positions of the handles of a cell's table; null when the cell isn't drawn. */
export function measureHandles({ view }: Editor, cell: number): TableHandles | null {
  const element = isCell(view.state, cell) ? view.nodeDOM(cell) : null
  const table = element instanceof HTMLElement ? element.closest('table') : null
  const scroller = view.dom.closest('[data-scroller]')
  if (!(element instanceof HTMLElement) || !table || !scroller) return null
  const frame = scroller.getBoundingClientRect()
  const left = scroller.scrollLeft - frame.left
  const top = scroller.scrollTop - frame.top
  const whole = (table.parentElement ?? table).getBoundingClientRect()
  const grid = table.getBoundingClientRect()
  const box = element.getBoundingClientRect()
  const start = Math.max(box.left, whole.left)
  const end = Math.min(box.right, whole.right)
  const edge = Math.max(grid.left, whole.left)
  const point = (x: number, y: number) => ({ left: Math.round(x + left), top: Math.round(y + top) })
  return {
    cell,
    // In a wide table the column may be scrolled out of view.
    column: end - start > 20 ? point((start + end) / 2, grid.top) : null,
    row: point(edge, box.top + box.height / 2),
    corner: point(edge, grid.top),
  }
}
