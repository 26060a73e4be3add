import { CellSelection, findTable, isInTable, selectedRect } from '@tiptap/pm/tables'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { asUndoStep } from '../../typing/undo.ts'
import {
  type LineMove,
  type Lines,
  planNearest,
  planOppositeMove,
  planStep,
  type Relocation,
  relocationsOf,
} from './line-moves.ts'
import type { PlacedTable } from '../layout/table-geometry.ts'

/** The data that a move needs: the positions of the carets of peers, and whether it becomes a suggestion. */
export type MoveLinesContext = { carets: (state: EditorState) => readonly number[]; isSuggesting: () => boolean }

/** The table around the selection; undefined outside of tables. */
export function selectedTable(state: EditorState): PlacedTable | undefined {
  const table = isInTable(state) ? findTable(state.selection.$from) : null
  return table ? { node: table.node, start: table.start } : undefined
}

/** The rows or columns of the selected cells, or of the cell with the caret; undefined outside of tables. */
function selectedLines(state: EditorState, axis: Lines['axis']): Lines | undefined {
  if (!isInTable(state)) return undefined
  const { top, bottom, left, right } = selectedRect(state)
  return axis === 'row' ? { axis, from: top, to: bottom } : { axis, from: left, to: right }
}

/** The move of the selected rows or columns by one place; null where they can't be moved. */
export function stepOf(state: EditorState, axis: Lines['axis'], by: -1 | 1): LineMove | null {
  const [table, lines] = [selectedTable(state), selectedLines(state, axis)]
  return table && lines ? planStep(table.node, lines, by) : null
}

/** The move of the selected rows or columns to the nearest possible gap; null if they are already there. */
export function nearestMove(
  state: EditorState,
  axis: Lines['axis'],
  distance: (gap: number) => number,
): LineMove | null {
  const [table, lines] = [selectedTable(state), selectedLines(state, axis)]
  return table && lines ? planNearest(table.node, lines, distance) : null
}

/**
 * Moves rows or columns of the table around the selection, as one update for peers and one undo step; comments and the
 * selection move with them. A line in which a peer is writing is not moved; the lines that it would pass are moved
 * instead. Returns whether the move was made.
 */
export function moveLines(view: EditorView, move: LineMove, context: MoveLinesContext): boolean {
  const table = selectedTable(view.state)
  if (!table) return false
  const parts = relocationsOf(table.node, avoidBusyLines(table, move, context.carets(view.state)))
  const placed = parts.map(({ from, to, target }) => ({
    from: from + table.start,
    to: to + table.start,
    target: target + table.start,
  }))
  return asUndoStep(view.state, () => relocate(view, placed, context.isSuggesting()))
}

function avoidBusyLines({ node, start }: PlacedTable, move: LineMove, carets: readonly number[]): LineMove {
  const isBusy = (each: LineMove) =>
    relocationsOf(node, each).some(({ from, to }) => carets.some((at) => at > start + from && at < start + to))
  if (!isBusy(move)) return move
  const other = planOppositeMove(move)
  return isBusy(other) ? move : other
}

// In two steps: the binding compares a changed parent with its previous content, and in one step it would swap the
// words of two cells. A suggestion is one step: the old content remains, next to the new one.
function relocate(view: EditorView, parts: readonly Relocation[], isSuggesting: boolean): boolean {
  const { doc, selection } = view.state
  const transaction = view.state.tr
  for (const { from, to, target } of parts) {
    transaction.insert(transaction.mapping.map(target), doc.slice(from, to).content)
  }
  const inserted = transaction.mapping.slice(0)
  if (!isSuggesting) {
    view.dispatch(transaction)
    // The transaction was rejected, as in a full document.
    if (view.state.doc === doc) return false
  }
  const deletion = isSuggesting ? transaction : view.state.tr
  const steps = deletion.mapping.maps.length
  const mapped = (position: number, side: -1 | 1) =>
    deletion.mapping.slice(steps).map(inserted.map(position, side), side)
  for (const { from, to } of parts) deletion.delete(mapped(from, 1), mapped(to, -1))
  const follow = (position: number) => {
    const part = parts.find(({ from, to }) => position >= from && position < to)
    const at = part ? inserted.map(part.target, -1) + position - part.from : inserted.map(position)
    return deletion.mapping.slice(steps).map(at)
  }
  select(deletion, selection, follow)
  view.dispatch(deletion.scrollIntoView())
  return true
}

function select(transaction: Transaction, selection: EditorState['selection'], follow: (at: number) => number): void {
  const { doc } = transaction
  if (selection instanceof CellSelection) {
    const [anchor, head] = [follow(selection.$anchorCell.pos), follow(selection.$headCell.pos)]
    transaction.setSelection(CellSelection.create(doc, anchor, head))
  } else {
    const [$anchor, $head] = [doc.resolve(follow(selection.anchor)), doc.resolve(follow(selection.head))]
    transaction.setSelection(TextSelection.between($anchor, $head))
  }
}
