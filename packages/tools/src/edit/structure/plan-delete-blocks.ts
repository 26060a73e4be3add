import type { Fragment, Node } from 'prosemirror-model'
import { EditorState, type Transaction } from 'prosemirror-state'
import { removeRow, TableMap } from 'prosemirror-tables'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { isVisible } from '../../document/blocks.ts'
import { isItem } from '../blocks/block-changes.ts'
import { type BlockRange, quoteOfBlocks, textOfBlocks } from '../find/block-range.ts'
import { type Touched, touchedBlocks } from '../blocks/touched.ts'
import { type Localizable, localizable } from '../../common/localizable.ts'
import { shorten } from '../../common/result.ts'

/**
 * Plans the deletion of whole blocks. Lists, quotes and tables that lose all their blocks are deleted too. Items below
 * a deleted item move to its level. A document that loses all its content keeps an empty paragraph.
 */
export function planDeleteBlocks(view: DocumentView, { blocks, name }: BlockRange): ChangePlan {
  const transaction = EditorState.create({ doc: view.doc }).tr
  const touched = touchedBlocks(blocks)
  if (touched.covers(view.doc, -1)) {
    transaction.replaceWith(0, view.doc.content.size, view.doc.type.schema.node('paragraph'))
  } else deleteIn(transaction, view.doc, 0, touched)
  const pos = transaction.mapping.map(blocks[0]?.pos ?? 0, -1)
  return {
    ok: true,
    transform: transaction,
    message: `Deleted ${name}: ${quoteOfBlocks(blocks, 200) || 'no text'}.`,
    summary: summaryOf(shorten(textOfBlocks(blocks), 60), blocks.length),
    details: { count: blocks.length },
    changes: [
      {
        before: textOfBlocks(blocks).slice(0, 2_000).toWellFormed(),
        after: '',
        pos: Math.min(pos, transaction.doc.content.size),
      },
    ],
  }
}

function summaryOf(text: string, count: number): Localizable {
  if (text !== '') return localizable`Deleted "${text}"`
  return count === 1 ? localizable`Deleted block` : localizable`Deleted blocks`
}

// From the last child to the first, so that the positions of the others stay valid.
function deleteIn(transaction: Transaction, parent: Node, start: number, touched: Touched): void {
  for (const { node, pos, index } of childrenOf(parent, start).toReversed()) {
    if (!isVisible(node) || !touched.within(node, pos)) continue
    if (node.type.name === 'tableRow') deleteRow(transaction, pos, index)
    else if (touched.covers(node, pos)) transaction.delete(pos, pos + node.nodeSize)
    else if (isItem(node)) deleteInItem(transaction, node, pos, touched)
    else deleteIn(transaction, node, pos + 1, touched)
  }
}

function childrenOf(parent: Node, start: number): { node: Node; pos: number; index: number }[] {
  const children: { node: Node; pos: number; index: number }[] = []
  parent.forEach((node, offset, index) => children.push({ node, pos: start + offset, index }))
  return children
}

// Adjusts cells that span several rows.
function deleteRow(transaction: Transaction, pos: number, row: number): void {
  const $row = transaction.doc.resolve(pos)
  const table = $row.parent
  removeRow(transaction, { ...wholeOf(table), tableStart: $row.start() }, row)
}

function wholeOf(table: Node) {
  const map = TableMap.get(table)
  return { map, table, left: 0, top: 0, right: map.width, bottom: map.height }
}

// An item must begin with a paragraph.
function deleteInItem(transaction: Transaction, item: Node, pos: number, touched: Touched): void {
  const own = item.firstChild
  const isOwnTouched = own !== null && touched.has(pos + 1)
  const steps = transaction.steps.length
  const rest = childrenOf(item, pos + 1).slice(1)
  for (const { node, pos: at } of rest.toReversed()) {
    if (!isVisible(node) || !touched.within(node, at)) continue
    if (touched.covers(node, at)) transaction.delete(at, at + node.nodeSize)
    else deleteIn(transaction, node, at + 1, touched)
  }
  if (!own || !isOwnTouched) return
  const now = steps === transaction.steps.length ? item : (transaction.doc.nodeAt(pos) ?? item)
  const raised = itemsBelow(now, transaction.doc.resolve(pos).parent)
  if (raised) transaction.replaceWith(pos, pos + now.nodeSize, raised)
  else if (now.maybeChild(1)?.type === own.type) transaction.delete(pos + 1, pos + 1 + own.nodeSize)
  else transaction.delete(pos + 2, pos + 1 + own.nodeSize - 1)
}

// The items below an item without other content, if they fit into its list.
function itemsBelow(item: Node, list: Node): Fragment | undefined {
  const below = item.childCount === 2 ? item.child(1) : undefined
  return below?.type === list.type ? below.content : undefined
}
