import type { Slice } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'

/** Inserts content in place of the selection. */
export function insertSlice(view: EditorView, slice: Slice): true {
  // Without the meta of a paste, which would run the paste rules for stars and backticks.
  view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView())
  return true
}

/** Whether the selection begins in code, where all content is inserted literally. */
export function isInCode({ state }: EditorView): boolean {
  return state.selection.$from.parent.type.spec.code === true
}
