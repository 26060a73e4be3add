import { differing } from '@copydesk/schema'
import type { Node, ResolvedPos } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'
import { isFromYjs } from '../common/from-yjs.ts'
import { toPosition, toRelative } from '../common/positions.ts'

/**
 * Keeps the caret at its text when a peer moves the block, and at its position when a peer deletes the block. The
 * binding alone would move it to the end of the document. Text that the user has typed into the block since is restored
 * at the caret, which then moves behind it; a caret at another position remains before text of others.
 */
export function createFollowBlock(): Plugin {
  let awaited: Awaited | undefined
  return new Plugin({
    key: new PluginKey('followBlock'),
    appendTransaction(transactions, before, after) {
      if (!transactions.some(isFromYjs)) {
        if (transactions.some(({ docChanged, selectionSet }) => docChanged || selectionSet)) awaited = undefined
        return null
      }
      if (isCaretGone(after)) {
        const placed = placeCaret(before, after)
        awaited = placed ? findAwaited(before, after, placed.selection.head) : undefined
        return placed
      }
      const back = toPosition(after, awaited?.place)
      if (back === undefined || !after.selection.empty || back === after.selection.head) return null
      if (textBefore(after.doc.resolve(back)).endsWith(awaited?.words ?? '')) awaited = undefined
      return after.tr.setSelection(TextSelection.create(after.doc, back))
    },
  })
}

/** The position of the caret, which remains behind restored words, and the words that are expected before it. */
type Awaited = { place: Y.RelativePosition; words: string }

/** The words that a caret placed at `head` waits for; undefined if no word before it is missing. */
function findAwaited(before: EditorState, after: EditorState, head: number): Awaited | undefined {
  const words = textBefore(before.selection.$head)
  const place = toRelative(after, head)
  return place && !textBefore(after.doc.resolve(head)).endsWith(words) ? { place, words } : undefined
}

function textBefore({ parent, parentOffset }: ResolvedPos): string {
  return parent.textBetween(0, parentOffset, undefined, '\uFFFC')
}

// The binding still stores the caret as a relative position.
function isCaretGone(state: EditorState): boolean {
  const { binding, doc } = ySyncPluginKey.getState(state) ?? {}
  const head: Y.RelativePosition | null | undefined = binding?.beforeTransactionSelection?.head
  if (!head || !doc) return false
  const type = Y.createAbsolutePositionFromRelativePosition(head, doc)?.type
  // A Y.XmlText alone may be deleted because it was merged with the text before it.
  const block = type instanceof Y.XmlText ? type.parent : type
  return block?._item?.deleted === true
}

/**
 * The selection after the block with the caret is deleted: in an inserted block with (nearly) its text, else at the
 * block's former position.
 */
export function placeCaret(before: EditorState, after: EditorState): Transaction | null {
  const { $head } = before.selection
  const block = $head.parent
  const found = block.isTextblock ? findCopy(before.doc, after.doc, block) : undefined
  if (found) {
    const offset = mapOffset(block.textContent, found.node.textContent, $head.parentOffset)
    const position = found.position + 1 + Math.min(offset, found.node.content.size)
    return after.tr.setSelection(TextSelection.create(after.doc, position))
  }
  const place = before.doc.content.findDiffStart(after.doc.content)
  return place === null ? null : after.tr.setSelection(Selection.near(after.doc.resolve(place)))
}

type Found = { node: Node; position: number }

function findCopy(before: Node, after: Node, wanted: Node): Found | undefined {
  const known = new Set<Node>()
  before.descendants((node) => {
    if (node.isTextblock) known.add(node)
    return !node.isTextblock
  })
  let best: (Found & { likeness: number }) | undefined
  after.descendants((node, position) => {
    if (!node.isTextblock) return true
    if (known.has(node) || node.type !== wanted.type) return false
    const likeness = likenessOf(wanted.textContent, node.textContent)
    if (likeness > (best?.likeness ?? 0.5)) best = { node, position, likeness }
    return false
  })
  return best
}

/** The fraction of a block's text that a copy shares at its beginning and end, from 0 to 1. */
function likenessOf(block: string, copy: string): number {
  const longest = Math.max(block.length, copy.length)
  if (longest === 0) return 1
  const { first, oldEnd } = differing(block, copy)
  const shared = first + block.length - oldEnd
  // A copy that a peer made before receiving this user's last typing lacks that typing.
  return shared === copy.length && shared > 0 ? 0.5 + shared / longest / 2 : shared / longest
}

// Up to the first difference the caret's offset counts from the beginning, behind it from the end.
function mapOffset(from: string, to: string, offset: number): number {
  const { first } = differing(from, to)
  return offset <= first ? offset : Math.max(first, offset + to.length - from.length)
}
