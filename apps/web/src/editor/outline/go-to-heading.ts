import type { Editor } from '@tiptap/core'
import { TextSelection } from 'prosemirror-state'
import { scrollToPosition } from '../common/positions.ts'

/** Puts the caret into the heading at a position, and scrolls it to the upper edge in the next frame. */
export function goToHeading({ view }: Editor, position: number, { takesFocus }: { takesFocus: boolean }): void {
  const { doc, tr } = view.state
  const node = doc.nodeAt(position)
  if (!node || !node.isTextblock) return
  view.dispatch(tr.setSelection(TextSelection.create(doc, position + 1 + node.content.size)))
  if (takesFocus) view.focus()
  // If a sheet covered the text, it closes first and returns the focus itself.
  requestAnimationFrame(() => {
    scrollToPosition(view, position + 1, 'top')
  })
}
