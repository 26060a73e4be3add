import { mergeAttributes } from '@tiptap/core'
import { Table } from '@tiptap/extension-table'
import { TableMap } from '@tiptap/pm/tables'
import type { Transform } from '@tiptap/pm/transform'
import type { Node } from 'prosemirror-model'
import { blockLimits } from '../attributes/table.ts'

/**
 * The width of the text in the unit of `colwidth`: a table whose columns have this sum is as wide as the text, in any
 * window. Equals the width of the text in pixels in a window that is wide enough.
 */
export const fullTableWidth = 608

/**
 * The sizes of a rendered table, as CSS: of its columns relative to the table, and of the table relative to the text.
 */
export type TableSizes = { table: string; columns: string[] }

/**
 * The widths of the columns of a table, from the cells of its first row; a column without a width gets the mean of the
 * others. Empty for a table without widths, which is as wide as the text, with columns sized by their content.
 */
export function columnWidths(table: Node): number[] {
  const widths: number[] = []
  for (const { attrs } of table.firstChild?.children ?? []) {
    const own: unknown = attrs.colwidth
    for (let index = 0; index < Number(attrs.colspan); index++) {
      if (widths.length === blockLimits.rowColumns) return []
      const width: unknown = Array.isArray(own) ? own[index] : undefined
      widths.push(typeof width === 'number' && width > 0 ? width : 0)
    }
  }
  const known = widths.filter(Boolean)
  return known.length > 0 ? widths.map((width) => width || sumOf(known) / known.length) : []
}

/** The sizes of a table with widths; undefined for a table without widths. */
export function tableSizes(table: Node): TableSizes | undefined {
  const widths = columnWidths(table)
  const total = sumOf(widths)
  if (total === 0) return undefined
  return { table: percent(total / fullTableWidth), columns: widths.map((width) => percent(width / total)) }
}

/**
 * Sets the widths of the columns of the table at a position, in all of its cells, as whole numbers with the same sum.
 */
export function setColumnWidths(transform: Transform, pos: number, widths: readonly number[]): void {
  const edges = [0, ...widths].map((_width, index) => Math.round(sumOf(widths.slice(0, index))))
  const rounded = edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0))
  forEachCell(transform.doc.nodeAt(pos), (cell, offset, column) => {
    const colwidth = rounded.slice(column, column + Number(cell.attrs.colspan))
    if (String(cell.attrs.colwidth) !== String(colwidth)) {
      transform.setNodeAttribute(pos + 1 + offset, 'colwidth', colwidth)
    }
  })
}

/**
 * Gives every cell of the table at a position the width of its column, after rows or columns were added. New columns
 * don't make a table wider than the text, unless it was wider before.
 */
export function spreadColumnWidths(transform: Transform, pos: number, before: Node | null): void {
  const table = transform.doc.nodeAt(pos)
  const widths = table ? columnWidths(table) : []
  if (widths.length === 0) return
  const [total, old] = [sumOf(widths), sumOf(before ? columnWidths(before) : widths)]
  const most = Math.max(old, fullTableWidth)
  const factor = Math.min(1, most / total)
  setColumnWidths(
    transform,
    pos,
    widths.map((width) => width * factor),
  )
}

function forEachCell(table: Node | null, act: (cell: Node, offset: number, column: number) => void): void {
  if (!table) return
  const { map, width } = TableMap.get(table)
  table.forEach((row, start, index) => {
    let column = 0
    row.forEach((cell, inner) => {
      const offset = start + 1 + inner
      while (column < width && map[index * width + column] !== offset) column++
      act(cell, offset, column)
    })
  })
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0)
}

function percent(part: number): string {
  return `${Math.round(part * 1e4) / 100}%`
}

/** Upstream's table, but with column widths relative to the text, and none for a table without widths. */
export const SizedTable = Table.extend({
  renderHTML({ node, HTMLAttributes }) {
    const sizes = tableSizes(node)
    const style = sizes ? { style: `width: ${sizes.table}` } : {}
    const columns = sizes?.columns.map((width) => ['col', { style: `width: ${width}` }] as const) ?? []
    const group = columns.length > 0 ? [['colgroup', {}, ...columns] as const] : []
    return ['table', mergeAttributes(this.options.HTMLAttributes, HTMLAttributes, style), ...group, ['tbody', 0]]
  },
})
