import type { Node } from 'prosemirror-model'
import { EditorState, type Transaction } from 'prosemirror-state'
import { inEnglish, type Localizable, localizable, nothingToChange } from '../../common/localizable.ts'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import { type Block, blockText } from '../../document/blocks.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { cellAt, findTable, type Line, resolveColumn, resolveRow, rowText, type TableAt } from './table-at.ts'
import { setCell } from './table-cells.ts'
import { listToTable, tableToList } from './table-lists.ts'
import {
  deleteColumns,
  deleteRows,
  insertColumn,
  insertRow,
  mergeRange,
  moveColumn,
  moveRow,
  setHeaders,
  sortRows,
  splitAt,
} from './table-operations.ts'

export const tableOperations = [
  'insert_row',
  'delete_row',
  'move_row',
  'insert_column',
  'delete_column',
  'move_column',
  'set_cell',
  'sort',
  'set_header',
  'merge',
  'split',
  'from_list',
  'to_list',
] as const

/** One operation; rows and columns count from 0, the head included. A row defaults to that of the block. */
export type TableEdit = {
  operation: (typeof tableOperations)[number]
  row?: number | undefined
  column?: Line | undefined
  to?: Line | { row: number; column: Line } | undefined
  cells?: readonly string[] | undefined
  order?: 'ascending' | 'descending' | undefined
  remove?: boolean | undefined
}

/** The summary of an operation, and its transaction if that isn't the given one. */
type Done = { ok: true; summary: Localizable; transaction?: Transaction }

/** Plans an operation on the table, or the list, that contains this block; `name` describes the block. */
export function planTable(view: DocumentView, block: Block, name: string, edit: TableEdit): ChangePlan | ToolFailure {
  const transaction = EditorState.create({ doc: view.doc }).tr
  if (edit.operation === 'from_list') {
    const made = listToTable(transaction, block, edit.cells ?? [])
    if (!made.ok) return made
    const plan = finish(transaction, made.old, made.pos, localizable`Made the list a table`)
    const isMade = plan.summary !== nothingToChange
    return isMade ? { ...plan, message: `Made the list around ${name} a table.` } : plan
  }
  const at = findTable(view.doc, block, name)
  if (!at.ok) return at
  const done = operate(transaction, at, edit)
  return done.ok ? finish(done.transaction ?? transaction, at.table, at.pos, done.summary) : done
}

function finish(transaction: Transaction, old: Node, pos: number, summary: Localizable): ChangePlan {
  if (transaction.steps.length === 0) {
    return {
      ok: true,
      transform: transaction,
      message: 'Nothing to change: the table is so already.',
      summary: nothingToChange,
      changes: [],
    }
  }
  const now = transaction.doc.nodeAt(pos)
  const [before, after] = [old, now].map((node) =>
    node?.type.name === 'table' ? node.children.map(rowText) : linesOf(node),
  )
  const gone = (before ?? []).filter((line) => !after?.includes(line))
  const made = (after ?? []).filter((line) => !before?.includes(line))
  const isSame = gone.length + made.length === 0
  return {
    ok: true,
    transform: transaction,
    message: `${inEnglish(summary)}.`,
    summary,
    changes: [{ before: joined(isSame ? before : gone), after: joined(isSame ? after : made), pos: pos + 1 }],
  }
}

function linesOf(node: Node | null | undefined): string[] {
  return node ? blockText(node).split('\n') : []
}

function joined(lines: readonly string[] = []): string {
  return lines.join('\n').slice(0, 2_000).toWellFormed()
}

function operate(transaction: Transaction, at: TableAt, edit: TableEdit): Done | ToolFailure {
  switch (edit.operation) {
    case 'insert_row':
    case 'delete_row':
    case 'move_row':
      return onRows(transaction, at, edit)
    case 'insert_column':
    case 'delete_column':
    case 'move_column':
    case 'sort':
      return onColumns(transaction, at, edit)
    case 'set_header':
      return headers(transaction, at, edit)
    case 'to_list': {
      const made = tableToList(transaction, at)
      return made.ok ? { ok: true, summary: localizable`Made the table a list` } : made
    }
    default:
      return onCells(transaction, at, edit)
  }
}

function onRows(transaction: Transaction, at: TableAt, { operation, row, to, cells = [] }: TableEdit) {
  const last = at.rows.length - 1
  const isInsert = operation === 'insert_row'
  const found = resolveRow(row ?? (isInsert ? at.own + 1 : at.own), 0, isInsert ? last + 1 : last)
  if (!found.ok) return found
  if (isInsert) return done(insertRow(transaction, at, found.index, cells), localizable`Inserted row ${found.index}`)
  const end = typeof to === 'number' ? resolveRow(to, 0, last) : found
  if (!end.ok) return end
  const [from, until] = [found.index, end.index]
  if (operation === 'move_row') {
    if (typeof to !== 'number') return missing('to', 'the index that the row gets')
    return done(moveRow(transaction, at, from, until), localizable`Moved row ${from} to ${until}`)
  }
  const rows = until === from ? localizable`row ${from}` : localizable`rows ${from} to ${until}`
  return done(
    deleteRows(transaction, at, { from: Math.min(from, until), to: Math.max(from, until) }),
    localizable`Deleted ${rows}`,
  )
}

function onColumns(transaction: Transaction, at: TableAt, edit: TableEdit): Done | ToolFailure {
  const { operation, to, cells = [], order = 'ascending' } = edit
  const isInsert = operation === 'insert_column'
  const found = resolveColumn(edit.column ?? (isInsert ? at.columns : undefined), at, at.columns - (isInsert ? 0 : 1))
  if (!found.ok) return found
  const from = found.index
  if (isInsert) return done(insertColumn(transaction, at, from, cells), localizable`Inserted column ${from}`)
  const name = columnName(at, from)
  if (operation === 'sort')
    return done(
      sortRows(transaction, at, from, order),
      order === 'ascending' ? localizable`Sorted by ${name}, ascending` : localizable`Sorted by ${name}, descending`,
    )
  const end = to === undefined || typeof to === 'object' ? found : resolveColumn(to, at)
  if (!end.ok) return end
  if (operation === 'move_column') {
    if (to === undefined) return missing('to', 'the index that the column gets')
    return done(moveColumn(transaction, at, from, end.index), localizable`Moved ${name} to ${end.index}`)
  }
  const span = { from: Math.min(from, end.index), to: Math.max(from, end.index) }
  const names = span.from === span.to ? name : localizable`columns ${span.from} to ${span.to}`
  return done(deleteColumns(transaction, at, span), localizable`Deleted ${names}`)
}

function columnName({ heads }: TableAt, column: number): Localizable {
  const head = heads[column] ?? ''
  return head === '' ? localizable`column ${column}` : localizable`column ${column} "${shorten(head, 60)}"`
}

function headers(transaction: Transaction, at: TableAt, { row, column, remove = false }: TableEdit) {
  const summary = (what: Localizable) =>
    remove ? localizable`Made ${what} no header` : localizable`Made ${what} a header`
  if (column !== undefined) {
    const found = resolveColumn(column, at)
    if (!found.ok) return found
    setHeaders(transaction, at, { column: found.index }, !remove)
    return done(undefined, summary(columnName(at, found.index)))
  }
  const found = resolveRow(row ?? 0, 0, at.rows.length - 1)
  if (!found.ok) return found
  setHeaders(transaction, at, { row: found.index }, !remove)
  return done(undefined, summary(localizable`row ${found.index}`))
}

function onCells(transaction: Transaction, at: TableAt, edit: TableEdit): Done | ToolFailure {
  const { operation, to, cells = [] } = edit
  const row = resolveRow(edit.row ?? at.own, 0, at.rows.length - 1)
  if (!row.ok) return row
  const column = resolveColumn(edit.column, at)
  if (!column.ok) return column
  const place = { row: row.index, column: column.index }
  const where = localizable`row ${place.row}, ${columnName(at, place.column)}`
  if (operation === 'set_cell') {
    if (cells.length === 0) return missing('cells', 'the text of the cell, or of it and those after it')
    const most = at.columns - place.column
    if (cells.length > most) {
      return failure(
        'invalid_input',
        localizable`cells has ${cells.length} texts, and the row ${most} cells from there.`,
        localizable`cells: at most ${most} texts.`,
      )
    }
    setCells(transaction, at, place, cells)
    return done(
      undefined,
      cells.length === 1 ? localizable`Set the cell ${where}` : localizable`Set ${cells.length} cells from ${where}`,
    )
  }
  if (operation === 'split') return taken(splitAt(transaction.doc, at, place), localizable`Split the cell ${where}`)
  if (to === undefined) return missing('to', 'the last column to merge, or {row, column} of the opposite corner')
  const end = typeof to === 'object' ? resolveRow(to.row, 0, at.rows.length - 1) : row
  if (!end.ok) return end
  const last = resolveColumn(typeof to === 'object' ? to.column : to, at)
  if (!last.ok) return last
  const opposite = { row: end.index, column: last.index }
  return taken(
    mergeRange(transaction.doc, at, place, opposite),
    localizable`Merged the cells from ${where} to row ${opposite.row}, ${columnName(at, opposite.column)}`,
  )
}

// From the last cell to the first, so that positions stay valid. A merged cell gets the text of its first column.
function setCells(
  transaction: Transaction,
  at: TableAt,
  { row, column }: { row: number; column: number },
  cells: readonly string[],
): void {
  const texts = new Map<number, string>()
  cells.forEach((text, index) => {
    const cell = cellAt(at, row, column + index)
    if (cell && !texts.has(cell.pos)) texts.set(cell.pos, text)
  })
  for (const [pos, text] of [...texts].toReversed()) setCell(transaction, pos, text)
}

function done(refused: ToolFailure | undefined, summary: Localizable): Done | ToolFailure {
  return refused ?? { ok: true, summary }
}

function taken(made: Transaction | ToolFailure, summary: Localizable): Done | ToolFailure {
  return 'code' in made ? made : { ok: true, summary, transaction: made }
}

function missing(field: string, what: string): ToolFailure {
  return failure('invalid_input', localizable`${field} is missing.`, localizable`${field}: ${what}.`)
}
