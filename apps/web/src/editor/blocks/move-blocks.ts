import type { Node } from 'prosemirror-model'
import { type EditorState, NodeSelection, type Selection, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { ySyncPluginKey, yUndoPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'
import { type BlockRange, withEmptiedParents } from './block-at.ts'
import type { ForwardedText } from './forwarded-text.ts'
import { type MovePlan, planMove, planOtherWay } from './plan-move.ts'

/**
 * What a move needs to know about peers: the positions of their carets, and where to forward what they type meanwhile.
 */
export type MoveContext = { carets: () => readonly number[]; late: ForwardedText }

const mostPassed = 40

/**
 * Moves whole blocks to a position between two others, as one update for peers and one undo step. The caret stays at
 * its text. Returns whether the move was possible.
 */
export function moveBlocks(view: EditorView, source: BlockRange, target: number, context: MoveContext): boolean {
  const { doc } = view.state
  const straight = planMove(doc, source, target)
  if (!straight) return false
  const plan = kindest(doc, straight, context.carets())
  const undo = yUndoPluginKey.getState(view.state)?.undoManager
  undo?.stopCapturing()
  asOneChange(view.state, () => relocate(view, plan, context.late))
  undo?.stopCapturing()
  return true
}

/** Runs several dispatches as one update for peers and one undo step. */
export function asOneChange(state: EditorState, act: () => void): void {
  const doc = ySyncPluginKey.getState(state)?.doc
  if (doc) doc.transact(act, ySyncPluginKey)
  else act()
}

// A block that a peer is writing in stays in place; the blocks that it would pass are moved instead.
function kindest(doc: Node, plan: MovePlan, carets: readonly number[]): MovePlan {
  const isBusy = ({ from, to }: BlockRange) => carets.some((caret) => caret > from && caret < to)
  if (!isBusy(plan.source)) return plan
  const other = planOtherWay(doc, plan)
  return other && other.content.childCount <= mostPassed && !isBusy(other.source) ? other : plan
}

// In two steps: the binding diffs a changed parent against its previous content, and in one step it would swap the
// words of two blocks.
function relocate(view: EditorView, { source, target, content, frames }: MovePlan, late: ForwardedText): void {
  const before = typesOf(view.state, source)
  const { selection } = view.state
  const size = source.to - source.from
  const insertion = view.state.tr.insert(target, content)
  const gone = { from: insertion.mapping.map(source.from, 1), to: insertion.mapping.map(source.to, -1) }
  view.dispatch(insertion)
  const arrived = { from: target + frames, to: target + frames + size }
  late.watch(before, typesOf(view.state, arrived))
  const taken = withEmptiedParents(view.state.doc, gone)
  const deletion = view.state.tr.delete(taken.from, taken.to)
  const start = deletion.mapping.map(arrived.from)
  const isInside = selection.from >= source.from && selection.to <= source.to
  if (isInside) restoreSelection(deletion, selection, start - source.from)
  view.dispatch(deletion.scrollIntoView())
}

function restoreSelection(transaction: Transaction, selection: Selection, by: number): void {
  const { doc } = transaction
  if (selection instanceof NodeSelection) transaction.setSelection(NodeSelection.create(doc, selection.from + by))
  else {
    const [$anchor, $head] = [doc.resolve(selection.anchor + by), doc.resolve(selection.head + by)]
    transaction.setSelection(TextSelection.between($anchor, $head))
  }
}

/** The Yjs types of adjacent whole blocks; empty if the editor isn't bound. */
function typesOf(state: EditorState, { from, to }: BlockRange): Y.XmlElement[] {
  const fragment: Y.XmlFragment | undefined = ySyncPluginKey.getState(state)?.type
  if (!fragment) return []
  const $from = state.doc.resolve(from)
  let parent: Y.XmlFragment = fragment
  for (let depth = 0; depth < $from.depth; depth += 1) {
    const child = parent.get($from.index(depth))
    if (!(child instanceof Y.XmlElement)) return []
    parent = child
  }
  const children = parent.slice($from.index(), state.doc.resolve(to).index($from.depth))
  return children.filter((child) => child instanceof Y.XmlElement)
}
