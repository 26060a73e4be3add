import { contentTypes, createTypingForwarder, type TypingForwarder } from '@copydesk/schema'
import { Fragment, type Node, type NodeType } from 'prosemirror-model'
import { NodeSelection, type Selection, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import type * as Y from 'yjs'
import { asUndoStep } from '../typing/undo.ts'
import { type BlockRange, isItem, nodesIn, withEmptiedParents } from './block-at.ts'

/** The data about peers that a move needs: the positions of their carets. */
export type MoveContext = { carets: () => readonly number[] }

const mostPassed = 40

/**
 * Moves whole blocks to a position between two others, as one update for peers and one undo step. The caret remains at
 * its text. Returns whether the move was made.
 */
export function moveBlocks(view: EditorView, source: BlockRange, target: number, context: MoveContext): boolean {
  const { doc } = view.state
  const straight = planMove(doc, source, target)
  if (!straight) return false
  const plan = avoidBusyBlocks(doc, straight, context.carets())
  return asUndoStep(view.state, () => relocate(view, plan))
}

/**
 * Forwards the typing of peers in blocks that this editor moves or replaces: a dragged block, another kind of block,
 * merged cells, joined blocks. Close it with the editor.
 */
export function forwardTyping(doc: Y.Doc): TypingForwarder {
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  return createTypingForwarder(doc, fragment, {
    origin: 'forwarded typing',
    noteOrigin: ySyncPluginKey,
    wholeOnly: true,
  })
}

// A block that a peer is writing in is not moved; the blocks that it would pass are moved instead.
function avoidBusyBlocks(doc: Node, plan: MovePlan, carets: readonly number[]): MovePlan {
  const isBusy = ({ from, to }: BlockRange) => carets.some((caret) => caret > from && caret < to)
  if (!isBusy(plan.source)) return plan
  const other = planOppositeMove(doc, plan)
  return other && other.content.childCount <= mostPassed && !isBusy(other.source) ? other : plan
}

// In two steps: the binding diffs a changed parent against its previous content, and in one step it would swap the
// words of two blocks.
function relocate(view: EditorView, { source, target, content, frames }: MovePlan): boolean {
  const { selection } = view.state
  const size = source.to - source.from
  const insertion = view.state.tr.insert(target, content)
  const gone = { from: insertion.mapping.map(source.from, 1), to: insertion.mapping.map(source.to, -1) }
  view.dispatch(insertion)
  // The transaction was rejected, as in a full document.
  if (view.state.doc === insertion.before) return false
  const arrived = { from: target + frames, to: target + frames + size }
  const taken = withEmptiedParents(view.state.doc, gone)
  const deletion = view.state.tr.delete(taken.from, taken.to)
  const start = deletion.mapping.map(arrived.from)
  const isInside = selection.from >= source.from && selection.to <= source.to
  if (isInside) restoreSelection(deletion, selection, start - source.from)
  view.dispatch(deletion.scrollIntoView())
  return true
}

function restoreSelection(transaction: Transaction, selection: Selection, by: number): void {
  const { doc } = transaction
  if (selection instanceof NodeSelection) transaction.setSelection(NodeSelection.create(doc, selection.from + by))
  else {
    const [$anchor, $head] = [doc.resolve(selection.anchor + by), doc.resolve(selection.head + by)]
    transaction.setSelection(TextSelection.between($anchor, $head))
  }
}

/**
 * A move: deletes `source` and inserts `content` at `target`: the same blocks in the parents that their new position
 * needs.
 */
type MovePlan = { source: BlockRange; target: number; content: Fragment; frames: number }

/**
 * Plans the move of a range of blocks to a position between two blocks; null if they are already there, inside
 * themselves, or don't fit.
 */
export function planMove(doc: Node, source: BlockRange, target: number): MovePlan | null {
  if (target >= source.from && target <= source.to) return null
  const $target = doc.resolve(target)
  const nodes = nodesIn(doc, source)
  const first = nodes[0]
  if (!first) return null
  const fits = (content: Fragment) => $target.parent.canReplace($target.index(), $target.index(), content)
  const bare = Fragment.from(nodes)
  if (fits(bare)) return { source, target, content: bare, frames: 0 }
  const list = doc.resolve(source.from).parent
  if (!isItem(first.type)) return null
  // Next to a list of its own type an item joins that list.
  if ($target.nodeAfter?.type === list.type) return planMove(doc, source, target + 1)
  if ($target.nodeBefore?.type === list.type) return planMove(doc, source, target - 1)
  const framed = Fragment.from(list.copy(bare))
  return fits(framed) ? { source, target, content: framed, frames: 1 } : null
}

/**
 * The target of a move up or down: past the range's neighbour, or out of its list; null at the edge of the document.
 */
export function stepTarget(doc: Node, { from, to }: BlockRange, direction: 'up' | 'down'): number | null {
  const $edge = doc.resolve(direction === 'up' ? from : to)
  const neighbour = direction === 'up' ? $edge.nodeBefore : $edge.nodeAfter
  if (neighbour) return direction === 'up' ? from - neighbour.nodeSize : to + neighbour.nodeSize
  return outerTarget(doc, $edge.depth === 0 ? null : $edge.before(), direction)
}

// Out of the list: next to the item that contains it, or past the adjacent block.
function outerTarget(doc: Node, list: number | null, direction: 'up' | 'down'): number | null {
  const node = list === null ? null : doc.nodeAt(list)
  if (list === null || !node || !holdsItems(node.type)) return null
  const $list = doc.resolve(list)
  if ($list.depth > 0 && isItem($list.parent.type)) return direction === 'up' ? $list.before() : $list.after()
  const beside = direction === 'up' ? $list.nodeBefore : doc.resolve(list + node.nodeSize).nodeAfter
  if (!beside) return null
  return direction === 'up' ? list - beside.nodeSize : list + node.nodeSize + beside.nodeSize
}

function holdsItems(type: NodeType): boolean {
  return type.name === 'bulletList' || type.name === 'orderedList' || type.name === 'taskList'
}

/**
 * The same result by moving the passed blocks in the opposite direction: `source` and the blocks before the target swap
 * roles. For a block in which a peer is writing, so that its Yjs type stays the same. Null if the two don't share one
 * parent.
 */
export function planOppositeMove(doc: Node, { source, target, frames }: MovePlan): MovePlan | null {
  const $target = doc.resolve(target)
  if (frames > 0 || !$target.sameParent(doc.resolve(source.from))) return null
  const passed = target < source.from ? { from: target, to: source.from } : { from: source.to, to: target }
  return planMove(doc, passed, target < source.from ? source.to : source.from)
}
