import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/**
 * Writes what is typed over selected text as the replacement of all of it; from what the browser itself would make of it only those letters
 * could be told that differ. Whether it did.
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
  // The editor may not have heard yet of what was selected just before.
  const { doc, tr } = view.state
  view.dispatch(tr.setSelection(TextSelection.create(doc, from, to)))
  const type = () => view.state.tr.insertText(data).scrollIntoView()
  event.preventDefault()
  if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, data, type))) view.dispatch(type())
  return true
}
