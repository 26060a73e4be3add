import { localizable } from '../../common/localizable.ts'
import type { Node } from 'prosemirror-model'
import { TableMap, type TableRect } from 'prosemirror-tables'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import { type Block, blockText, isVisible } from '../../document/blocks.ts'
import { tableAround } from './table-rows.ts'

/**
 * A table as read by a session. `rows` are the indices of its visible rows in the table, `own` is the index of the
 * given block's row among them; `columns` is the number of columns, `heads` the texts of the first row.
 */
export type TableAt = {
  ok: true
  table: Node
  pos: number
  map: TableMap
  rows: number[]
  own: number
  columns: number
  heads: string[]
}

/** A row or column as specified by a model: by its number from 0, or a column by the text of its header. */
export type Line = number | string

export function findTable(doc: Node, block: Block, name: string): TableAt | ToolFailure {
  const place = tableAround(doc, block)
  if (!place) {
    return failure(
      'invalid_operation',
      localizable`${name} is no row of a table.`,
      'block: the number of any row of the table.',
    )
  }
  const { table, pos } = place
  const map = TableMap.get(table)
  const rows = table.children.flatMap((row, index) => (isVisible(row) && row.children.some(isVisible) ? index : []))
  const first = rows[0] ?? 0
  const heads = Array.from({ length: map.width }, (_, column) => cellText(table, map, first, column))
  return { ok: true, table, pos, map, rows, own: rows.indexOf(place.row), columns: map.width, heads }
}

/** The arguments for functions of prosemirror-tables that change a table. */
export function rectOf({ table, pos, map }: TableAt): TableRect {
  return { table, map, tableStart: pos + 1, left: 0, top: 0, right: map.width, bottom: map.height }
}

/** The node of a cell and its position in the document; `undefined` outside of the table. */
export function cellAt(at: TableAt, row: number, column: number): { node: Node; pos: number } | undefined {
  const offset = at.map.map[(at.rows[row] ?? -1) * at.map.width + column]
  const node = offset === undefined ? null : at.table.nodeAt(offset)
  return offset === undefined || !node ? undefined : { node, pos: at.pos + 1 + offset }
}

/** The visible text of a cell, on one line. */
function cellText(table: Node, map: TableMap, row: number, column: number): string {
  const node = table.nodeAt(map.map[row * map.width + column] ?? 0)
  return node ? blockText(node).replace(/\s+/g, ' ').trim() : ''
}

/** The visible text of a row, with bars between its cells. */
export function rowText(row: Node): string {
  return row.children
    .filter(isVisible)
    .map((cell) => blockText(cell).replace(/\s+/g, ' ').trim())
    .join(' | ')
}

/** Whether the first row is a head: all its cells are header cells. */
export function hasHead({ table, rows }: TableAt): boolean {
  return table.maybeChild(rows[0] ?? 0)?.children.every((cell) => cell.type.name === 'tableHeader') === true
}

/** Whether any cell spans several rows or columns. */
export function hasSpans({ table }: TableAt): boolean {
  return table.children.some((row) => row.children.some((cell) => cell.attrs.rowspan !== 1 || cell.attrs.colspan !== 1))
}

/** Whether suggestions delete single cells of visible rows, as a suggested deletion of a column does. */
export function hasHiddenCells({ table, rows }: TableAt): boolean {
  return rows.some((row) => table.child(row).children.some((cell) => !isVisible(cell)))
}

/** The index of a row; `least` and `most` bound it. */
export function resolveRow(row: number, least: number, most: number): { ok: true; index: number } | ToolFailure {
  if (row >= least && row <= most) return { ok: true, index: row }
  return failure(
    'out_of_range',
    localizable`There is no row ${row}.`,
    localizable`A row can be ${least} to ${most}, where 0 is the first row.`,
  )
}

/** The index of a column named by number or by its header; numbers go up to `most`. */
export function resolveColumn(
  column: Line | undefined,
  { heads, columns }: TableAt,
  most = columns - 1,
): { ok: true; index: number } | ToolFailure {
  const names = heads.map((head, index) => `${index} "${shorten(head, 40)}"`).join(', ')
  if (column === undefined) {
    return failure(
      'invalid_input',
      'The column is missing.',
      localizable`column: the number or header text of one of ${names}.`,
    )
  }
  const text = String(column).replace(/\s+/g, ' ').trim()
  if (typeof column === 'number' && Number.isInteger(column) && column >= 0 && column <= most) {
    return { ok: true, index: column }
  }
  for (const fold of [(each: string) => each, (each: string) => each.toLowerCase()]) {
    const found = heads.flatMap((head, index) => (fold(head) === fold(text) ? index : []))
    const [index] = found
    if (index !== undefined && found.length === 1) return { ok: true, index }
    if (found.length > 1) {
      return failure(
        'ambiguous',
        localizable`Several columns are called "${shorten(text, 80)}".`,
        localizable`Name one by number: ${names}.`,
      )
    }
  }
  const number = /^\[?(\d{1,6})\]?$/.exec(text)?.[1]
  if (number !== undefined && Number(number) <= most) return { ok: true, index: Number(number) }
  return failure(
    number === undefined ? 'not_found' : 'out_of_range',
    localizable`There is no column ${number === undefined ? `"${shorten(text, 80)}"` : number}.`,
    localizable`The columns are ${names}.`,
  )
}
