import { blockLimits, unfitAttributes } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { formatList } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { withoutLongMarks } from './long-marks.ts'

/**
 * Why a block isn't drawn: a sentence without its subject, and whether resetting invalid values would make it drawable.
 */
export type DrawingProblem = { reason: string; canReset: boolean }

// Each limit is drawn in well under a second, and far beyond realistic documents.
/** The most cells that a table is drawn with. */
export const mostCells = 30_000
const longestWord = 20_000
const mostTurns = 20_000
const longText = 20_000

const known = new WeakMap<Node, DrawingProblem | null>()

/**
 * Why a block can't be drawn quickly; null for one that can. Editors create no such blocks and the server refuses most,
 * but an older document may contain them. A formula is judged when it is drawn.
 */
export function drawingProblemOf(node: Node): DrawingProblem | null {
  if (!node.isBlock || node.type.name === 'doc') return null
  let fault = known.get(node)
  if (fault === undefined) {
    fault = findDrawingProblem(node)
    known.set(node, fault)
  }
  return fault
}

function findDrawingProblem(node: Node): DrawingProblem | null {
  switch (node.type.name) {
    case 'table':
      return problemOfTable(node)
    case 'tableRow':
    case 'tableCell':
    case 'tableHeader':
    case 'blockMath':
      return null
    default:
      return problemOfAttributes(node) ?? (node.isTextblock ? problemOfText(node) : null)
  }
}

// An invalid reference to a comment or suggestion is read as none; the block can be drawn.
function unfit({ type, attrs }: Node): string[] {
  return unfitAttributes(type.name, attrs).filter((name) => name !== 'threads' && name !== 'suggestion')
}

function problemOfAttributes(node: Node): DrawingProblem | null {
  const names = unfit(node)
  if (names.length === 0) return null
  const reason = t('its {names} {count, plural, one {is} other {are}} not valid in such a block', {
    names: formatList(names),
    count: names.length,
  })
  return { reason, canReset: !names.includes('src') }
}

function problemOfText(block: Node): DrawingProblem | null {
  // Only a long text can be slow.
  if (block.content.size <= longText) return null
  const text = withoutLongMarks(block.textBetween(0, block.content.size, undefined, '\uFFFC'))
  if (text.length > blockLimits.textBlock) {
    return { reason: t('its text is too long ({count, number} characters)', { count: text.length }), canReset: false }
  }
  return isTangled(text) ? { reason: t('its text is too fragmented'), canReset: false } : null
}

// Scripts with joining letters: a run without a space is shaped as a whole. “Turns” are changes of the writing
// direction.
const joined = new RegExp(`[\\u0300-\\u1fff\\ufb1d-\\ufeff]{${longestWord}}`)
const turns = /[a-z][^a-z\u0590-\u08ff]*[\u0590-\u08ff]/gi

function isTangled(text: string): boolean {
  return joined.test(text) || (text.match(turns)?.length ?? 0) > mostTurns
}

function problemOfTable(table: Node): DrawingProblem | null {
  const columns = widthOf(table)
  if (columns === null) return { reason: t('a cell in it has a size that no cell can have'), canReset: true }
  if (columns > blockLimits.rowColumns) {
    return { reason: t('it is too wide ({count, number} columns)', { count: columns }), canReset: false }
  }
  const cells = columns * table.childCount
  return cells > mostCells
    ? { reason: t('it is too large ({count, number} cells)', { count: cells }), canReset: false }
    : null
}

/** The number of columns in a row, and its cells that span further rows. */
type Row = { columns: number; reaching: readonly { columns: number; rows: number }[] }

// A key press in a table of thousands of rows creates a new node for one row and for the table only.
const knownRows = new WeakMap<Node, Row | null>()

/**
 * The largest number of columns in a table's rows, including cells that span from rows above; null if a cell has
 * invalid values.
 */
function widthOf(table: Node): number | null {
  const ends = new Map<number, number>()
  let above = 0
  let widest = 0
  for (const [index, node] of table.children.entries()) {
    const row = readRow(node)
    if (row === null) return null
    above -= ends.get(index) ?? 0
    widest = Math.max(widest, above + row.columns)
    for (const { columns, rows } of row.reaching) {
      above += columns
      ends.set(index + rows, (ends.get(index + rows) ?? 0) + columns)
    }
  }
  return widest
}

function readRow(row: Node): Row | null {
  const before = knownRows.get(row)
  if (before !== undefined) return before
  let read: Row | null = null
  if (row.children.every((cell) => unfit(cell).length === 0)) {
    const cells = row.children.map(({ attrs }) => ({ columns: Number(attrs.colspan), rows: Number(attrs.rowspan) }))
    const columns = cells.reduce((sum, cell) => sum + cell.columns, 0)
    read = { columns, reaching: cells.filter(({ rows }) => rows > 1) }
  }
  knownRows.set(row, read)
  return read
}
