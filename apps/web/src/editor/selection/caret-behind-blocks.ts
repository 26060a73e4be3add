import { Extension } from '@tiptap/core'
import type { Node } from 'prosemirror-model'
import { type EditorState, NodeSelection, Plugin, PluginKey, TextSelection, type Transaction } from 'prosemirror-state'
import { isFromYjs } from '../common/from-yjs.ts'

const leaves = new Set(['image', 'blockMath'])

/**
 * After this user inserts an image or a formula block, moves the caret behind it, so that typing doesn't replace it.
 * The selection is unchanged when a block is selected, changed or moved, and on remote changes.
 */
export const CaretBehindBlocks = Extension.create({
  name: 'caretBehindBlocks',
  addProseMirrorPlugins: () => [
    new Plugin({ key: new PluginKey('caretBehindBlocks'), appendTransaction: placeCaretBehind }),
  ],
})

/**
 * The transaction that moves the caret behind a block that was just inserted locally; null when no block was inserted.
 */
export function placeCaretBehind(
  transactions: readonly Transaction[],
  before: EditorState,
  after: EditorState,
): Transaction | null {
  const leaf = selectedLeaf(after)
  if (!leaf || !transactions.some(({ docChanged }) => docChanged) || transactions.some(isFromYjs)) return null
  // Changing a node's attributes replaces the node.
  if (selectedLeaf(before)?.type === leaf.type || holds(before.doc, leaf)) return null
  const { $to } = after.selection
  const next = $to.nodeAfter
  const transaction = after.tr
  if (!next?.isTextblock || next.type.spec.code === true) {
    const paragraph = after.schema.nodes.paragraph
    if (!paragraph || !$to.parent.canReplaceWith($to.index(), $to.index(), paragraph)) return null
    transaction.insert($to.pos, paragraph.create())
  }
  return transaction.setSelection(TextSelection.create(transaction.doc, $to.pos + 1)).scrollIntoView()
}

function selectedLeaf({ selection }: EditorState): Node | null {
  return selection instanceof NodeSelection && leaves.has(selection.node.type.name) ? selection.node : null
}

// ProseMirror nodes are immutable: a node of the earlier document is the same object, at any position.
function holds(doc: Node, wanted: Node): boolean {
  let found = false
  doc.descendants((node) => {
    found ||= node === wanted
    return !found
  })
  return found
}
