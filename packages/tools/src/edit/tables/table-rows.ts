import { localizable } from '../../common/localizable.ts'
import { parseMarkdownFragment } from '@copydesk/schema/markdown'
import { Fragment, type Node } from 'prosemirror-model'
import { TableMap } from 'prosemirror-tables'
import type { Block } from '../../document/blocks.ts'
import { failure, type ToolFailure } from '../../common/result.ts'

/** The table that contains a row, with its position and the row's index. */
export type TablePlace = { table: Node; pos: number; row: number }

export function tableAround(doc: Node, block: Block): TablePlace | undefined {
  const $pos = doc.resolve(block.pos)
  return $pos.parent.type.name === 'table' ? { table: $pos.parent, pos: $pos.before(), row: $pos.index() } : undefined
}

/** The failure if a row inserted after a row of a table can't be written in markdown; else `undefined`. */
export function refuseRowAfter({ table }: TablePlace, row: number): ToolFailure | undefined {
  const { map, width } = TableMap.get(table)
  const isAcross = map.some((cell, at) => Math.floor(at / width) === row && map[at + width] === cell)
  if (!isAcross) return undefined
  return failure(
    'invalid_position',
    'A merged cell reaches over the place of the new row.',
    'Insert the row with edit_table, or split the cell first.',
  )
}

/**
 * Parses `| a | b |` lines as rows of this table; `undefined` for other markdown. A row with too many cells is refused,
 * a row with too few is padded.
 */
export function readRows(markdown: string, table: Node): Fragment | ToolFailure | undefined {
  const lines = markdown.trim().split('\n')
  if (!lines.every((line) => /^\s*\|.*\|\s*$/.test(line))) return undefined
  const columns = TableMap.get(table).width
  const rows = lines.filter((line) => !isDelimiter(line))
  const tooWide = rows.find((line) => countCells(line) > columns)
  if (tooWide !== undefined) {
    return failure(
      'invalid_input',
      localizable`The table has ${columns} columns, and "${tooWide.trim()}" has ${countCells(tooWide)}.`,
      localizable`content: give each row ${columns} cells, as in | a | b |.`,
    )
  }
  return parseRows(rows, columns)
}

function parseRows(rows: readonly string[], columns: number): Fragment | undefined {
  const head = `|${' |'.repeat(columns)}\n|${' - |'.repeat(columns)}\n`
  const parsed = parseMarkdownFragment(head + rows.join('\n')).firstChild
  return parsed?.type.name === 'table' ? Fragment.fromArray(parsed.content.content.slice(1)) : undefined
}

/**
 * Parses one `| a | b |` line for these cells, each in as many columns as it spans: returns the text of each cell;
 * `undefined` if the number of columns differs, or a column that a preceding cell spans contains text.
 */
export function readCells(line: string, cells: readonly Node[]): Fragment[] | undefined {
  const columns = columnsOf(cells)
  const row = countCells(line) === columns ? parseRows([line], columns)?.firstChild : undefined
  const contents: Fragment[] = []
  let column = 0
  for (const { attrs } of row ? cells : []) {
    const [own, ...spanned] = row?.children.slice(column, (column += Number(attrs.colspan))) ?? []
    if (!own || spanned.some((each) => each.textContent !== '')) return undefined
    contents.push(own.content)
  }
  return row ? contents : undefined
}

/** The number of columns that these cells of a row span. */
export function columnsOf(cells: readonly Node[]): number {
  return cells.reduce((sum, { attrs }) => sum + Number(attrs.colspan), 0)
}

/** Whether a line is the delimiter line below the head of a table, which reads of blocks don't show. */
export function isDelimiter(line: string): boolean {
  return line.includes('-') && /^[\s|:-]+$/.test(line) && line.includes('|')
}

function countCells(line: string): number {
  return line.trim().slice(1, -1).replace(/\\\|/g, '').split('|').length
}
