import type { Node } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { yUndoPluginKey } from 'y-prosemirror'
import { asOneChange } from '../blocks/move-blocks.ts'
import type { BlockMatches } from './find-matches.ts'

const mostPasses = 40

/** Puts other words in the place of one match; they look like the first of the words that go. */
export function replaceMatch(view: EditorView, { from, to }: { from: number; to: number }, words: string): void {
  view.dispatch(putWords(view.state.tr, from, to, words))
}

/** Replaces every match as one change for everybody and one step of undo. Answers how many there were. */
export function replaceAll(view: EditorView, found: readonly BlockMatches[], words: string): number {
  const undo = yUndoPluginKey.getState(view.state)?.undoManager
  const ordinals = numberBlocks(view.state.doc)
  const work = found.map(({ start, spans }) => ({ ordinal: ordinals.get(start) ?? -1, spans }))
  const passes = Math.min(mostPasses, Math.max(0, ...found.map(({ spans }) => spans.length)))
  undo?.stopCapturing()
  asOneChange(view.state, () => {
    for (let pass = 0; pass < passes; pass += 1)
      view.dispatch(replaceInPass(view, work, pass, pass === passes - 1, words))
  })
  undo?.stopCapturing()
  return work.reduce((count, { spans }) => count + spans.length, 0)
}

type Work = { ordinal: number; spans: BlockMatches['spans'] }

// One match of each block at a time, from its end: two in one would reach the others as one long change that takes away what they write between.
function replaceInPass(
  view: EditorView,
  work: readonly Work[],
  pass: number,
  isLast: boolean,
  words: string,
): Transaction {
  const starts = [...numberBlocks(view.state.doc).keys()]
  const { tr } = view.state
  for (const { ordinal, spans } of work.toReversed()) {
    const start = starts[ordinal]
    const left = spans.slice(0, spans.length - pass)
    const now = isLast ? left.toReversed() : left.slice(-1)
    if (start !== undefined) for (const [from, to] of now) putWords(tr, start + from, start + to, words)
  }
  return tr
}

function putWords(transaction: Transaction, from: number, to: number, words: string): Transaction {
  if (words === '') return transaction.delete(from, to)
  const { doc } = transaction
  const marks = doc.nodeAt(from)?.marks ?? doc.resolve(from).marks()
  return transaction.replaceWith(from, to, doc.type.schema.text(words, marks))
}

/** Where the text of each block begins, with its number in the document. */
function numberBlocks(doc: Node): Map<number, number> {
  const numbers = new Map<number, number>()
  doc.descendants((node, position) => {
    if (node.isTextblock) numbers.set(position + 1, numbers.size)
    return !node.isTextblock
  })
  return numbers
}
