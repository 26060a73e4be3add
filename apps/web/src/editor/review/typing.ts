import { Mark } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'

const changeMarks = new Set(['insertion', 'deletion', 'formattingChange'])

/**
 * Text typed inside of a suggested change isn't part of it: it would be deleted with the suggestion's rejection (or, in
 * a deletion, with its acceptance). Returns the transaction that makes the next characters at the caret free of
 * suggestion marks; null when they are.
 */
export function typePlain(state: EditorState): Transaction | null {
  const { $from, empty } = state.selection
  if (!empty) return null
  const next = state.storedMarks ?? $from.marks()
  const kept = next.filter(({ type }) => !changeMarks.has(type.name))
  return kept.length === next.length ? null : state.tr.setStoredMarks(kept).setMeta('addToHistory', false)
}

/**
 * The same for text that is typed over a selection, where ProseMirror keeps no stored marks; null when it isn't needed.
 */
export function typeOverPlain(state: EditorState, from: number, to: number, text: string): Transaction | null {
  const marks = (from < to ? state.doc.resolve(from).marksAcross(state.doc.resolve(to)) : null) ?? Mark.none
  const unwanted = marks.filter(({ type }) => changeMarks.has(type.name))
  if (unwanted.length === 0) return null
  const transaction = state.tr.insertText(text, from, to)
  for (const mark of unwanted) transaction.removeMark(from, from + text.length, mark)
  return transaction.scrollIntoView()
}
