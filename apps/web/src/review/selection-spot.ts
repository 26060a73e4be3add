import type { Selection } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { fromBase64, toPosition } from '../editor/relative-position.ts'
import type { Spot } from './floating.tsx'
import { spotOf } from './spot.ts'

/** The current screen position of text that was selected; that of the current selection if the text is deleted. */
export function spotOfSelection(editor: Editor, selection: Selection): Spot {
  const anchor = toPosition(editor.state, fromBase64(selection.anchor))
  const head = toPosition(editor.state, fromBase64(selection.head))
  if (anchor === undefined || head === undefined) {
    const { from, to } = editor.state.selection
    return spotOf(editor, from, to, true)
  }
  return spotOf(editor, Math.min(anchor, head), Math.max(anchor, head), true)
}
