import { TableMap } from '@tiptap/pm/tables'
import type { Node } from 'prosemirror-model'

/** Rows or columns that follow each other, by index; `to` is the index behind the last. */
export type Lines = { axis: 'row' | 'column'; from: number; to: number }

/** A move of lines to the gap in front of the line with this index, which is the number of lines for the last gap. */
export type LineMove = { lines: Lines; gap: number }

/** Content of a table and its destination, as offsets in the table's content. */
export type Relocation = { from: number; to: number; target: number }

/**
 * Plans a move to a gap. Lines that share merged cells move together. Null if the move has no effect or is not
 * possible: between those lines, inside of merged cells, or past headings, which stay first.
 */
export function planMove(table: Node, wanted: Lines, gap: number): LineMove | null {
  const open = openGaps(table, wanted.axis)
  const lines = widen(wanted, open)
  const isInside = gap >= lines.from && gap <= lines.to
  return isInside || open[gap] !== true || open[lines.from] !== true ? null : { lines, gap }
}

/** Plans a move by one place, past the next line or the lines that share merged cells with it. */
export function planStep(table: Node, wanted: Lines, by: -1 | 1): LineMove | null {
  const open = openGaps(table, wanted.axis)
  const lines = widen(wanted, open)
  let gap = by < 0 ? lines.from - 1 : lines.to + 1
  while (open[gap] === false) gap += by
  return planMove(table, lines, gap)
}

/** Plans a move to the nearest gap that isn't inside of merged cells or in front of headings. */
export function planNearest(table: Node, wanted: Lines, distance: (gap: number) => number): LineMove | null {
  const gaps = openGaps(table, wanted.axis).flatMap((isOpen, gap) => (isOpen ? gap : []))
  const [nearest] = gaps.toSorted((a, b) => distance(a) - distance(b))
  return nearest === undefined ? null : planMove(table, wanted, nearest)
}

/** The same result by moving the passed lines in the opposite direction. */
export function planOppositeMove({ lines: { axis, from, to }, gap }: LineMove): LineMove {
  return gap < from
    ? { lines: { axis, from: gap, to: from }, gap: to }
    : { lines: { axis, from: to, to: gap }, gap: from }
}

/** The relocations of a move: the rows, or in each row the cells of the columns. */
export function relocationsOf(table: Node, { lines, gap }: LineMove): Relocation[] {
  const { axis, from, to } = lines
  if (axis === 'row')
    return [{ from: startOfRow(table, from), to: startOfRow(table, to), target: startOfRow(table, gap) }]
  const map = TableMap.get(table)
  return table.children.flatMap((_row, row) => {
    const [start, end, target] = [from, to, gap].map((column) => map.positionAt(row, column, table))
    return start === undefined || end === undefined || target === undefined || start === end
      ? []
      : [{ from: start, to: end, target }]
  })
}

function startOfRow(table: Node, index: number): number {
  return table.children.slice(0, index).reduce((size, row) => size + row.nodeSize, 0)
}

// The gaps that no merged cell covers and that aren't in front of headings; there is one more gap than lines.
function openGaps(table: Node, axis: Lines['axis']): boolean[] {
  const map = TableMap.get(table)
  const [count, across] = axis === 'row' ? [map.height, map.width] : [map.width, map.height]
  const cellAt = (line: number, place: number) =>
    map.map[axis === 'row' ? line * map.width + place : place * map.width + line]
  const first = isHeaded(table, axis) ? 1 : 0
  return Array.from({ length: count + 1 }, (_, gap) => {
    if (gap < first) return false
    if (gap === 0 || gap === count) return true
    for (let place = 0; place < across; place++) if (cellAt(gap - 1, place) === cellAt(gap, place)) return false
    return true
  })
}

/** Whether the first row or column consists of headings, which stay first. */
export function isHeaded(table: Node, axis: Lines['axis']): boolean {
  const map = TableMap.get(table)
  const isHeading = (position: number) => table.nodeAt(position)?.type.spec.tableRole === 'header_cell'
  const lineAt = (index: number) =>
    map.cellsInRect(
      axis === 'row'
        ? { left: 0, top: index, right: map.width, bottom: index + 1 }
        : { left: index, top: 0, right: index + 1, bottom: map.height },
    )
  // If all lines consist of headings, the first isn't a head.
  const count = axis === 'row' ? map.height : map.width
  return count > 1 && lineAt(0).every(isHeading) && !lineAt(1).every(isHeading)
}

function widen({ axis, from, to }: Lines, open: readonly boolean[]): Lines {
  let [first, last] = [from, to]
  while (first > 0 && open[first] === false) first--
  while (last < open.length - 1 && open[last] === false) last++
  return { axis, from: first, to: last }
}
