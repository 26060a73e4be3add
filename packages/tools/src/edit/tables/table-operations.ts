import { localizable } from '../../common/localizable.ts'
import { spreadColumnWidths } from '@copydesk/schema'
import { Fragment, type Node } from 'prosemirror-model'
import { EditorState, type Transaction } from 'prosemirror-state'
import {
  addColumn,
  addRow,
  CellSelection,
  mergeCells,
  removeColumn,
  removeRow,
  splitCell,
  TableMap,
} from 'prosemirror-tables'
import { failure, type ToolFailure } from '../../common/result.ts'
import { blockText } from '../../document/blocks.ts'
import { reshapeContent } from '../blocks/reshape.ts'
import { type TableAt, cellAt, hasHead, hasHiddenCells, hasSpans, rectOf } from './table-at.ts'
import { cellOrder, setCell } from './table-cells.ts'

/** A range of rows or columns, both ends included. */
export type Span = { from: number; to: number }

/** Inserts a row so that it has this index, with these texts in its cells. */
export function insertRow(
  transaction: Transaction,
  at: TableAt,
  row: number,
  cells: readonly string[],
): ToolFailure | undefined {
  const refused = checkWidth(cells, at.columns, 'columns') ?? checkHidden(at)
  if (refused) return refused
  if (row === 0 && hasHead(at)) return headStays()
  const index = at.rows[row] ?? (at.rows.at(-1) ?? 0) + 1
  addRow(transaction, rectOf(at), index)
  fill(
    transaction,
    at,
    cells.map((text, column) => ({ row: index, column, text })),
  )
  return undefined
}

/** Inserts a column so that it has this index, with these texts from the first row on. */
export function insertColumn(
  transaction: Transaction,
  at: TableAt,
  column: number,
  cells: readonly string[],
): ToolFailure | undefined {
  const refused = checkWidth(cells, at.rows.length, 'rows') ?? checkHidden(at)
  if (refused) return refused
  addColumn(transaction, rectOf(at), column)
  fill(
    transaction,
    at,
    cells.map((text, row) => ({ row: at.rows[row] ?? 0, column, text })),
  )
  return undefined
}

// Cells that an older cell spans are unchanged; from the last to the first, so that positions stay valid.
function fill(
  transaction: Transaction,
  { pos, table: before }: TableAt,
  cells: readonly { row: number; column: number; text: string }[],
): void {
  spreadColumnWidths(transaction, pos, before)
  const table = transaction.doc.nodeAt(pos)
  const map = table && TableMap.get(table)
  if (!map) return
  for (const { row, column, text } of cells.toReversed()) {
    const offset = map.map[row * map.width + column]
    const rect = offset === undefined ? undefined : map.findCell(offset)
    if (offset !== undefined && rect?.top === row && rect.left === column) setCell(transaction, pos + 1 + offset, text)
  }
}

/** Deletes rows; at least one must remain. */
export function deleteRows(transaction: Transaction, at: TableAt, { from, to }: Span): ToolFailure | undefined {
  if (to - from + 1 >= at.rows.length) return wholeTable()
  for (const row of at.rows.slice(from, to + 1).toReversed()) removeRow(transaction, now(transaction, at), row)
  return undefined
}

/** Deletes columns; at least one must remain. */
export function deleteColumns(transaction: Transaction, at: TableAt, { from, to }: Span): ToolFailure | undefined {
  if (to - from + 1 >= at.columns) return wholeTable()
  for (let column = to; column >= from; column--) removeColumn(transaction, now(transaction, at), column)
  return undefined
}

function now(transaction: Transaction, at: TableAt) {
  const table = transaction.doc.nodeAt(at.pos) ?? at.table
  return rectOf({ ...at, table, map: TableMap.get(table) })
}

/** Moves a row so that it has the index `to`; the head remains first. */
export function moveRow(transaction: Transaction, at: TableAt, from: number, to: number): ToolFailure | undefined {
  if (hasSpans(at)) return merged()
  if (hasHead(at) && (from === 0 || to === 0) && from !== to) return headStays()
  moveChild(transaction, at.table, at.pos + 1, at.rows[from] ?? 0, at.rows[to] ?? 0)
  return undefined
}

/** Moves a column so that it has the index `to`. */
export function moveColumn(transaction: Transaction, at: TableAt, from: number, to: number): ToolFailure | undefined {
  const refused = hasSpans(at) ? merged() : checkHidden(at)
  if (refused) return refused
  for (let row = at.table.childCount - 1; row >= 0; row--) {
    const cells = at.table.child(row)
    moveChild(transaction, cells, startOf(at.table, at.pos + 1, row) + 1, from, to)
  }
  return undefined
}

function startOf(parent: Node, start: number, index: number): number {
  return parent.children.slice(0, index).reduce((pos, child) => pos + child.nodeSize, start)
}

// `start` is the position where the content of the parent begins.
function moveChild(transaction: Transaction, parent: Node, start: number, from: number, to: number): void {
  const node = parent.maybeChild(from)
  if (!node || from === to) return
  const pos = startOf(parent, start, from)
  const target = startOf(parent, start, to > from ? to + 1 : to)
  transaction.insert(target, node)
  const source = target <= pos ? pos + node.nodeSize : pos
  transaction.delete(source, source + node.nodeSize)
}

/** Sorts the rows below the head by the texts of a column. */
export function sortRows(
  transaction: Transaction,
  at: TableAt,
  column: number,
  order: 'ascending' | 'descending',
): ToolFailure | undefined {
  const refused = hasSpans(at) ? merged() : checkHidden(at)
  if (refused) return refused
  const rows = at.rows.slice(hasHead(at) ? 1 : 0)
  const keyed = rows.map((row) => {
    const node = at.table.child(row)
    return { node, text: blockText(node.child(column)).trim() }
  })
  const compare = cellOrder(
    keyed.map(({ text }) => text),
    order,
  )
  const sorted = keyed.toSorted((a, b) => compare(a.text, b.text))
  const content = [...at.table.children]
  for (const [index, row] of rows.entries()) {
    const node = sorted[index]?.node
    if (node) content[row] = node
  }
  reshapeContent(transaction, at.pos + 1, at.table.content, Fragment.fromArray(content))
  return undefined
}

/** Makes the cells of a row or a column headers, or ordinary cells. */
export function setHeaders(
  transaction: Transaction,
  at: TableAt,
  line: { row: number } | { column: number },
  isHeader: boolean,
): void {
  const type = at.table.type.schema.nodes[isHeader ? 'tableHeader' : 'tableCell']
  const cells =
    'row' in line
      ? at.heads.map((_, column) => cellAt(at, line.row, column))
      : at.rows.map((_, row) => cellAt(at, row, line.column))
  const seen = new Set<number>()
  for (const cell of cells) {
    if (!cell || !type || cell.node.type === type || seen.has(cell.pos)) continue
    seen.add(cell.pos)
    transaction.setNodeMarkup(cell.pos, type, cell.node.attrs)
  }
}

export type CellPlace = { row: number; column: number }

/** Merges the cells of the rectangle between two cells: returns the transaction of the command. */
export function mergeRange(doc: Node, at: TableAt, from: CellPlace, to: CellPlace): Transaction | ToolFailure {
  const refused = checkHidden(at)
  if (refused) return refused
  const merge = runOn(doc, at, from, to, mergeCells)
  return (
    merge ??
    failure(
      'invalid_operation',
      'These cells cannot be merged.',
      'Name two corners of a rectangle that cuts no merged cell.',
    )
  )
}

/** Splits a merged cell: returns the transaction of the command. */
export function splitAt(doc: Node, at: TableAt, cell: CellPlace): Transaction | ToolFailure {
  const split = runOn(doc, at, cell, cell, splitCell)
  return (
    split ??
    failure(
      'invalid_operation',
      'That cell is not merged.',
      'Only a cell that spans several rows or columns can be split.',
    )
  )
}

type Command = (state: EditorState, dispatch: (transaction: Transaction) => void) => boolean

function runOn(doc: Node, at: TableAt, from: CellPlace, to: CellPlace, command: Command): Transaction | undefined {
  const anchor = cellAt(at, from.row, from.column)
  const head = cellAt(at, to.row, to.column)
  if (!anchor || !head) return undefined
  const state = EditorState.create({ doc, selection: CellSelection.create(doc, anchor.pos, head.pos) })
  let made: Transaction | undefined
  command(state, (transaction) => (made = transaction))
  return made
}

function checkWidth(cells: readonly string[], most: number, what: string): ToolFailure | undefined {
  if (cells.length <= most) return undefined
  return failure(
    'invalid_input',
    localizable`cells has ${cells.length} texts, and the table ${most} ${what}.`,
    localizable`cells: at most ${most} texts.`,
  )
}

function checkHidden(at: TableAt): ToolFailure | undefined {
  if (!hasHiddenCells(at)) return undefined
  return failure(
    'invalid_operation',
    'The table has a suggested deletion of some of its cells.',
    'Ask the person to decide on it first; read_changes shows it.',
  )
}

function headStays(): ToolFailure {
  return failure(
    'invalid_position',
    'The first row is the head of the table and stays first.',
    'Name a row below it, from 1; set_cell changes its texts.',
  )
}

function wholeTable(): ToolFailure {
  return failure(
    'invalid_operation',
    'That is all of the table.',
    'To delete the whole table, use delete_blocks with its first and last row.',
  )
}

function merged(): ToolFailure {
  return failure('invalid_operation', 'The table has merged cells.', 'Split them first.')
}
