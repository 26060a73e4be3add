import type { Node } from 'prosemirror-model'
import type { MdastOf, Phrasing } from './processor.ts'
import { html, writeImage, writeInline, writeMath } from './write-inline.ts'

type Cell = MdastOf<'tableCell'>

// The maximum number of empty cells for padding merged cells and short rows; a table of only such cells could have a
// thousand million.
const spareCells = 100_000

/**
 * Writes a table as GFM: its first row is the header, merged cells are padded with empty cells, and blocks inside a
 * cell become lines separated by `<br>`, since a GFM cell is a single line of text.
 */
export function writeTable(table: Node): MdastOf<'table'> {
  const grid: Cell[][] = Array.from({ length: table.childCount }, () => [])
  const taken = new Set<string>()
  let spare = spareCells
  table.forEach((row, _offset, rowIndex) => {
    let column = 0
    row.forEach((cell) => {
      while (taken.has(`${rowIndex},${column}`)) column++
      place(grid, rowIndex, column, { type: 'tableCell', children: writeCell(cell) })
      const wanted = span(cell.attrs.colspan)
      const tall = Math.min(span(cell.attrs.rowspan), table.childCount - rowIndex)
      const fits = wanted * tall <= spare
      const [width, height] = fits ? [wanted, tall] : [1, 1]
      spare -= fits ? wanted * tall - 1 : 0
      for (let down = 0; down < height; down++) {
        for (let across = 0; across < width; across++) taken.add(`${rowIndex + down},${column + across}`)
      }
      column += width
    })
  })
  const columns = grid.reduce((most, row) => Math.max(most, row.length), 1)
  // A shorter row reads back as a row that ends in empty cells.
  const isPadded = columns * grid.length <= spareCells
  for (const row of isPadded ? grid : []) place(row.length < columns ? [row] : [], 0, columns - 1, undefined)
  const rows = grid.map((cells): MdastOf<'tableRow'> => ({ type: 'tableRow', children: cells }))
  return { type: 'table', align: alignments(table, columns), children: rows }
}

function place(grid: Cell[][], row: number, column: number, cell: Cell | undefined): void {
  const cells = grid[row]
  if (!cells) return
  while (cells.length <= column) cells.push({ type: 'tableCell', children: [] })
  if (cell) cells[column] = cell
}

// Bounded, because the number is untrusted.
function span(value: unknown): number {
  return typeof value === 'number' && value >= 1 ? Math.min(Math.floor(value), 1000) : 1
}

function alignments(table: Node, columns: number): ('left' | 'center' | 'right' | null)[] {
  const cells = table.firstChild?.children.flatMap((cell) =>
    Array.from({ length: span(cell.attrs.colspan) }, () => cell),
  )
  return Array.from({ length: columns }, (_, column) => {
    const align: unknown = cells?.[column]?.attrs.align
    return align === 'left' || align === 'center' || align === 'right' ? align : null
  })
}

function writeCell(cell: Node): Phrasing[] {
  const lines = cell.children.flatMap((block) => writeCellBlock(block)).filter((line) => line.content.length > 0)
  return lines.flatMap((line, index) => {
    const previous = lines[index - 1]
    if (!previous) return line.content
    const separator: Phrasing = line.isImage || previous.isImage ? { type: 'text', value: ' ' } : html('<br>')
    return [separator, ...line.content]
  })
}

type CellLine = { content: Phrasing[]; isImage?: boolean }

function writeCellBlock(block: Node): CellLine[] {
  switch (block.type.name) {
    case 'paragraph':
    case 'heading':
      return [{ content: writeInline(block.content, 'cell') }]
    case 'image':
      return [{ content: writeImage(block), isImage: true }]
    case 'blockMath':
      return [{ content: writeMath(String(block.attrs.latex), 'cell') }]
    case 'codeBlock':
      return block.textContent
        .split('\n')
        .map((line) => ({ content: line ? [{ type: 'inlineCode', value: line }] : [] }))
    case 'horizontalRule':
      return [{ content: [{ type: 'text', value: '—' }] }]
    case 'tableRow':
      return [{ content: joinCells(block) }]
    default:
      return block.children.flatMap((child, index) => labelled(block, child, index, writeCellBlock(child)))
  }
}

function labelled(list: Node, item: Node, index: number, lines: CellLine[]): CellLine[] {
  const label = itemLabel(list, item, index)
  const [first, ...rest] = lines
  if (!label || !first) return lines
  return [{ content: [{ type: 'text', value: label }, ...first.content] }, ...rest]
}

function itemLabel(list: Node, item: Node, index: number): string {
  switch (list.type.name) {
    case 'bulletList':
      return '• '
    case 'orderedList':
      return `${Number(list.attrs.start) + index}. `
    case 'taskList':
      return item.attrs.checked === true ? '☑ ' : '☐ '
    default:
      return ''
  }
}

function joinCells(row: Node): Phrasing[] {
  return row.children.flatMap((cell, index) => [
    ...(index > 0 ? [{ type: 'text', value: ' / ' } satisfies Phrasing] : []),
    ...writeCell(cell),
  ])
}
