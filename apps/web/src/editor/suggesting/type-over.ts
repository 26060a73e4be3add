import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/**
 * Replaces the whole selected text by the typed one; a diff of the browser's own result would yield only the letters
 * that differ. Returns whether it did.
 */
export function typeOver(view: EditorView, event: InputEvent): boolean {
  const { inputType, data } = event
  const [range] = event.getTargetRanges()
  if (inputType !== 'insertText' || !data || view.composing || !range || range.collapsed) return false
  const [from, to] = [
    view.posAtDOM(range.startContainer, range.startOffset),
    view.posAtDOM(range.endContainer, range.endOffset),
  ]
  const $from = view.state.doc.resolve(from)
  if (from >= to || !$from.parent.isTextblock || !$from.sameParent(view.state.doc.resolve(to))) return false
  // The editor may not have processed the latest selection yet.
  const { doc, tr } = view.state
  view.dispatch(tr.setSelection(TextSelection.create(doc, from, to)))
  const type = () => view.state.tr.insertText(data).scrollIntoView()
  event.preventDefault()
  if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, data, type))) view.dispatch(type())
  return true
}
