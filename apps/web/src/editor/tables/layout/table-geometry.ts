import type { Editor } from '@tiptap/core'
import { CellSelection, TableMap } from '@tiptap/pm/tables'
import type { Node } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

type Place = { left: number; top: number }

/**
 * The positions of a table's handles, in pixels of the scrolled text, all outside of the table: above the middle of a
 * column, before the middle of a row, at the corner; and the edges of its columns at the cell. `box` is the visible
 * part of the table.
 */
export type TableHandles = {
  cell: number
  column: Place | null
  row: Place & { size: number }
  corner: Place
  edges: { column: number; left: number }[]
  box: { left: number; top: number; width: number; height: number }
  isRightToLeft: boolean
}

/** A table in a document: its node, and the position where its content begins. */
export type PlacedTable = { node: Node; start: number }

/** The position of the cell with the caret, or of the last selected one; undefined outside of tables. */
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

/** The table of a cell; undefined if no cell begins at the position. */
export function tableAt(state: EditorState, cell: number): PlacedTable | undefined {
  if (!isCell(state, cell)) return undefined
  const $cell = state.doc.resolve(cell)
  return { node: $cell.node(-1), start: $cell.start(-1) }
}

/** The element of a table; undefined if it isn't drawn. */
export function drawnTableOf(view: EditorView, { start }: PlacedTable): HTMLTableElement | undefined {
  const frame = view.nodeDOM(start - 1)
  return (frame instanceof HTMLElement && frame.querySelector('table')) || undefined
}

/** Whether the first column of a table is the rightmost. */
export function isRightToLeft(table: Element): boolean {
  return getComputedStyle(table).direction === 'rtl'
}

/** The upper edges of the rows of a table, and the lower edge of the last one, in pixels of the window. */
export function rowEdges(view: EditorView, { node, start }: PlacedTable): number[] {
  const edges: number[] = []
  let bottom = 0
  node.forEach((_row, offset) => {
    const box = boxAt(view, start + offset)
    edges.push(box?.top ?? bottom)
    bottom = box?.bottom ?? bottom
  })
  return [...edges, bottom]
}

/**
 * The start edges of the columns of a table, and the end edge of the last one, in pixels of the window. Edges without a
 * cell are evenly distributed.
 */
export function columnEdges(view: EditorView, table: PlacedTable): number[] {
  const drawn = drawnTableOf(view, table)
  const map = TableMap.get(table.node)
  const known = new Map<number, number>()
  const [near, far] = drawn && isRightToLeft(drawn) ? (['right', 'left'] as const) : (['left', 'right'] as const)
  for (const offset of map.map) {
    if (known.size > map.width) break
    const box = boxAt(view, table.start + offset)
    const { left, right } = map.findCell(offset)
    if (!box) continue
    if (!known.has(left)) known.set(left, box[near])
    if (!known.has(right)) known.set(right, box[far])
  }
  const edges = Array.from({ length: map.width + 1 }, (_, column) => known.get(column))
  return edges.map((edge, column) => edge ?? between(edges, column))
}

function between(edges: readonly (number | undefined)[], column: number): number {
  const before = edges.findLastIndex((edge, index) => index < column && edge !== undefined)
  const after = edges.findIndex((edge, index) => index > column && edge !== undefined)
  const [start = 0, end = 0] = [edges[before], edges[after]]
  return start + ((end - start) * (column - before)) / (after - before)
}

function boxAt(view: EditorView, position: number): DOMRect | undefined {
  const dom = view.nodeDOM(position)
  return dom instanceof HTMLElement ? dom.getBoundingClientRect() : undefined
}

/** Measures the current positions of the handles of a cell's table; null when the cell isn't drawn. */
export function measureHandles({ view }: Editor, cell: number): TableHandles | null {
  const placed = tableAt(view.state, cell)
  const box = boxAt(view, cell)
  const table = placed && drawnTableOf(view, placed)
  const scroller = view.dom.closest('[data-scroller]')
  if (!placed || !box || !table || !scroller) return null
  const frame = scroller.getBoundingClientRect()
  const by = { left: scroller.scrollLeft - frame.left, top: scroller.scrollTop - frame.top }
  const whole = (table.parentElement ?? table).getBoundingClientRect()
  const grid = table.getBoundingClientRect()
  const start = Math.max(box.left, whole.left)
  const end = Math.min(box.right, whole.right)
  const shown = { left: Math.max(grid.left, whole.left), right: Math.min(grid.right, whole.right) }
  const isMirrored = isRightToLeft(table)
  const side = isMirrored ? shown.right : shown.left
  const point = (x: number, y: number) => ({ left: Math.round(x + by.left), top: Math.round(y + by.top) })
  const rect = TableMap.get(placed.node).findCell(cell - placed.start)
  const edges = [
    { column: rect.left - 1, x: isMirrored ? box.right : box.left },
    { column: rect.right - 1, x: isMirrored ? box.left : box.right },
  ].filter(({ column, x }) => column >= 0 && x >= shown.left - 1 && x <= shown.right + 1)
  return {
    cell,
    // In a wide table the column may be scrolled out of view.
    column: end - start > 20 ? point((start + end) / 2, grid.top) : null,
    row: { ...point(side, box.top + box.height / 2), size: Math.round(box.height) },
    corner: point(side, grid.top),
    edges: edges.map(({ column, x }) => ({ column, left: Math.round(x + by.left) })),
    box: { ...point(shown.left, grid.top), width: shown.right - shown.left, height: Math.round(grid.height) },
    isRightToLeft: isMirrored,
  }
}
