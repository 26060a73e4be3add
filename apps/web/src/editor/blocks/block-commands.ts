import { Fragment, Slice } from 'prosemirror-model'
import { NodeSelection, Selection, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { type BlockRange, withEmptiedParents } from './block-at.ts'
import { moveBlocks, type MoveContext, stepTarget } from './move-blocks.ts'

/** Moves blocks up or down by one; returns whether they could be moved. */
export function stepBlocks(
  view: EditorView,
  range: BlockRange,
  direction: 'up' | 'down',
  context: MoveContext,
): boolean {
  const target = stepTarget(view.state.doc, range, direction)
  return target !== null && moveBlocks(view, range, target, context)
}

/**
 * Inserts a copy below the blocks and puts the caret into it. Like a pasted copy, it has no comments, suggestions or
 * requests.
 */
export function duplicateBlocks(view: EditorView, { from, to }: BlockRange): void {
  const { doc, tr } = view.state
  let copy = new Slice(doc.slice(from, to).content, 0, 0)
  view.someProp('transformPasted', (transform) => {
    copy = transform(copy, view, false)
  })
  if (copy.content.size === 0) return
  const transaction = tr.insert(to, copy.content)
  view.dispatch(transaction.setSelection(Selection.near(transaction.doc.resolve(to))).scrollIntoView())
}

/** Deletes whole blocks, and the list that would be left empty. */
export function deleteBlocks(view: EditorView, range: BlockRange): void {
  const { doc, schema, tr } = view.state
  const { from, to } = withEmptiedParents(doc, range)
  const isAll = from === 0 && to === doc.content.size
  const paragraph = schema.nodes.paragraph
  const transaction =
    isAll && paragraph ? tr.replaceWith(from, to, Fragment.from(paragraph.create())) : tr.delete(from, to)
  const near = Selection.near(transaction.doc.resolve(Math.min(from, transaction.doc.content.size)))
  view.dispatch(transaction.setSelection(near).scrollIntoView())
}

/** Puts the caret into the first of the blocks, or selects the block if it contains no text. */
export function selectBlocks(view: EditorView, { from, to }: BlockRange): void {
  const { doc, selection, tr } = view.state
  if (selection.from > from && selection.to < to) return
  const near = Selection.findFrom(doc.resolve(from), 1, true)
  const isInside = near !== null && near.to < to
  const node = doc.nodeAt(from)
  if (isInside) view.dispatch(tr.setSelection(near))
  else if (node && NodeSelection.isSelectable(node)) view.dispatch(tr.setSelection(NodeSelection.create(doc, from)))
}

/**
 * Opens the slash list in an empty paragraph below by typing `/` there. Uses the block itself if it is an empty
 * paragraph.
 */
export function openSlashBelow(view: EditorView, { from, to }: BlockRange): void {
  const { doc, schema, tr } = view.state
  const node = doc.nodeAt(from)
  const isEmpty = node?.type.name === 'paragraph' && node.content.size === 0
  const item = node && schema.nodes[node.type.name]
  const fresh = item?.createAndFill(item === schema.nodes.taskItem ? { checked: false } : null)
  const isItem = item === schema.nodes.listItem || item === schema.nodes.taskItem
  const block = isItem ? fresh : schema.nodes.paragraph?.create()
  if (!block) return
  if (!isEmpty) tr.insert(to, block)
  const inside = Selection.findFrom(tr.doc.resolve(isEmpty ? from : to), 1, true)
  if (!inside) return
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, inside.from)).scrollIntoView())
  view.focus()
  view.dispatch(view.state.tr.insertText('/'))
}
