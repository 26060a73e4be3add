import type { EditorState } from 'prosemirror-state'

/** A selection with the text around it. `from` and `to` are ProseMirror positions. */
export type SelectionContext = {
  text: string
  from: number
  to: number
  /** The text of the block in which the selection begins. */
  block: string
  /** At most 200 characters before and after the selection. */
  before: string
  after: string
}

const contextLength = 200

/** The selection of an editor; null if nothing is selected. */
export function readSelectionContext({ doc, selection }: EditorState): SelectionContext | null {
  const { from, to, empty, $from } = selection
  if (empty) return null
  const between = (start: number, end: number): string => doc.textBetween(start, end, '\n')
  return {
    text: between(from, to),
    from,
    to,
    block: $from.parent.textContent,
    before: between(Math.max(0, from - contextLength), from),
    after: between(to, Math.min(doc.content.size, to + contextLength)),
  }
}
