import { blockLimits } from '@copydesk/schema'
import { __pastedCells as pastedCells, CellSelection, isInTable, selectedRect, TableMap } from '@tiptap/pm/tables'
import { Transform } from '@tiptap/pm/transform'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { t } from '../../../i18n/translate.ts'
import { showToast } from '../../../ui/toasts/toasts.tsx'
import { mostCells } from '../../limits/drawing-problems.ts'
import { isHeaded } from '../lines/line-moves.ts'
import { readTabSeparated } from './tab-separated.ts'

/** The content and the alignment of a pasted cell. */
type PastedCell = { content: Fragment; align: unknown }

/** Pasted cells by row and column. */
type Grid = { width: number; height: number; rows: (PastedCell | undefined)[][] }

type Rect = { left: number; top: number; right: number; bottom: number }

/**
 * Pastes cells into the table around the selection: from the cell with the caret on, or over the selected cells, which
 * they fill repeatedly if more are selected. The table grows as needed. Replaces only the content of the cells, not
 * their kind and comments. Returns false for content other than cells, and outside of tables.
 */
export function pasteCells(view: EditorView, slice: Slice): boolean {
  const { state } = view
  if (!isInTable(state)) return false
  const isCaret = !(state.selection instanceof CellSelection)
  const grid = readGrid(slice) ?? (isCaret ? undefined : gridOfContent(state, slice))
  if (!grid) return false
  const only = isCaret && grid.width === 1 && grid.height === 1 ? grid.rows[0]?.[0] : undefined
  if (only) {
    const { openStart, openEnd } = Slice.maxOpen(only.content)
    view.dispatch(state.tr.replaceSelection(new Slice(only.content, openStart, openEnd)).scrollIntoView())
    return true
  }
  const selected = selectedRect(state)
  const { left, top } = selected
  const rect = {
    left,
    top,
    right: left + Math.max(grid.width, isCaret ? 0 : selected.right - left),
    bottom: top + Math.max(grid.height, isCaret ? 0 : selected.bottom - top),
  }
  const problem = findProblem(selected.map, rect)
  if (problem === undefined) view.dispatch(fill(state, selected.tableStart, rect, grid).scrollIntoView())
  else showToast(problem)
  return true
}

function gridOfContent({ schema }: EditorState, slice: Slice): Grid | undefined {
  const cell = schema.nodes.tableCell?.createAndFill()
  if (!cell) return undefined
  const { content } = new Transform(cell).replace(0, cell.content.size, slice).doc
  return { width: 1, height: 1, rows: [[{ content, align: null }]] }
}

// Cells that are covered by merged ones are empty.
function readGrid(slice: Slice): Grid | undefined {
  const area = pastedCells(slice)
  if (!area) return undefined
  const { width, height } = area
  const rows: Grid['rows'] = area.rows.map(() => [])
  const taken = new Set<number>()
  for (const [index, row] of area.rows.entries()) {
    let column = 0
    row.forEach((cell) => {
      while (taken.has(index * width + column)) column++
      const line = rows[index]
      if (line) line[column] = { content: cell.content, align: cell.attrs.align }
      for (let down = 1; down < Number(cell.attrs.rowspan) && index + down < height; down++) {
        for (let across = 0; across < Number(cell.attrs.colspan); across++) {
          taken.add((index + down) * width + column + across)
        }
      }
      column += Number(cell.attrs.colspan)
    })
  }
  return { width, height, rows }
}

function findProblem(map: TableMap, { left, top, right, bottom }: Rect): string | undefined {
  const [width, height] = [Math.max(map.width, right), Math.max(map.height, bottom)]
  if (width > blockLimits.columns)
    return t('A table has at most {count, number} columns. Nothing was pasted.', { count: blockLimits.columns })
  if (width * height > mostCells) {
    return t('A table has at most {count, number} cells. Nothing was pasted.', { count: mostCells })
  }
  const seen = new Set<number>()
  for (let row = top; row < Math.min(bottom, map.height); row++) {
    for (let column = left; column < Math.min(right, map.width); column++) {
      const cell = map.map[row * map.width + column] ?? 0
      if (seen.has(cell)) return t('There are merged cells in the way. Split them to paste here.')
      seen.add(cell)
    }
  }
  return undefined
}

function fill(state: EditorState, start: number, rect: Rect, grid: Grid): Transaction {
  const { tr } = state
  grow(tr, start, rect)
  const table = tr.doc.nodeAt(start - 1)
  const map = table && TableMap.get(table)
  if (!map) return tr
  for (let row = rect.bottom - 1; row >= rect.top; row--) {
    const line = grid.rows[(row - rect.top) % grid.height]
    for (let column = rect.right - 1; column >= rect.left; column--) {
      put(tr, start + (map.map[row * map.width + column] ?? 0), line?.[(column - rect.left) % grid.width])
    }
  }
  return select(tr, start, rect)
}

function put(tr: Transaction, position: number, pasted: PastedCell | undefined): void {
  const cell = tr.doc.nodeAt(position)
  const content = pasted?.content ?? cell?.type.createAndFill()?.content
  if (!cell || !content) return
  if (!cell.content.eq(content)) tr.replaceWith(position + 1, position + cell.nodeSize - 1, content)
  const align = pasted?.align ?? cell.attrs.align
  if (align !== cell.attrs.align) tr.setNodeAttribute(position, 'align', align)
}

function select(tr: Transaction, start: number, { left, top, right, bottom }: Rect): Transaction {
  const table = tr.doc.nodeAt(start - 1)
  const map = table && TableMap.get(table)
  const [first, last] = [map?.map[top * map.width + left], map?.map[(bottom - 1) * map.width + right - 1]]
  if (first === undefined || last === undefined) return tr
  return tr.setSelection(CellSelection.create(tr.doc, start + first, start + last))
}

// New cells are headings only in a row of headings, or in a column of them.
function grow(tr: Transaction, start: number, { right, bottom }: Rect): void {
  const table = tr.doc.nodeAt(start - 1)
  const row = table?.firstChild
  if (!table || !row) return
  const { width, height } = TableMap.get(table)
  const { tableCell, tableHeader } = table.type.schema.nodes
  const filled = (isHeading: boolean) => (isHeading ? tableHeader : tableCell)?.createAndFill() ?? []
  const columns = Math.max(width, right)
  if (bottom > height) {
    const isHeading = isHeaded(table, 'column')
    const cells = Array.from({ length: columns }, (_, column) => filled(isHeading && column === 0)).flat()
    const added = Array.from({ length: bottom - height }, () => row.type.create(null, cells))
    tr.insert(start + table.content.size, added)
  }
  let end = start + table.content.size
  for (const [index, line] of [...table.children.entries()].toReversed()) {
    const cell = filled(index === 0 && isHeaded(table, 'row'))
    if (right > width) tr.insert(end - 1, Array.from({ length: right - width }, () => cell).flat())
    end -= line.nodeSize
  }
}

/** The table in a text whose cells are separated by tabs; null for other text. In a table one line is sufficient. */
export function readTable(state: EditorState, text: string): Slice | null {
  const rows = readTabSeparated(text, isInTable(state) ? 1 : 2)
  const table = rows && tableOfTexts(state, rows)
  return table ? new Slice(Fragment.from(table), 0, 0) : null
}

// With a row of headings if the first row looks like one.
function tableOfTexts(state: EditorState, rows: readonly (readonly string[])[]): Node | undefined {
  const { table, tableRow, tableCell, tableHeader, paragraph, hardBreak } = state.schema.nodes
  if (!table || !tableRow || !tableCell || !tableHeader || !paragraph || !hardBreak) return undefined
  const isHeading = rows.length > 1 && rows[0]?.every((text) => text.trim() !== '' && !/^[\d.,\s%€$£+-]+$/.test(text))
  const lineOf = (text: string) =>
    text
      .split('\n')
      .flatMap((line, index) => [
        ...(index > 0 ? [hardBreak.create()] : []),
        ...(line === '' ? [] : [state.schema.text(line)]),
      ])
  return table.create(
    null,
    rows.map((row, index) => {
      const type = index === 0 && isHeading ? tableHeader : tableCell
      return tableRow.create(
        null,
        row.map((text) => type.create(null, paragraph.create(null, lineOf(text)))),
      )
    }),
  )
}
