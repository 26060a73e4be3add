import type { Node } from 'prosemirror-model'
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/**
 * Moves the caret over text with a suggested deletion before Backspace or Delete acts, so that the key reaches the next
 * character that isn't deleted.
 */
export function skipDeleted(view: EditorView, { key }: Pick<KeyboardEvent, 'key'>): void {
  if (key !== 'Backspace' && key !== 'Delete') return
  const caret = readCaret(view)
  if (caret === undefined) return
  const { doc, tr } = view.state
  let $at = doc.resolve(caret)
  if (!$at.parent.inlineContent) return
  if (key === 'Backspace') {
    for (let node = $at.nodeBefore; node && isDeleted(node); node = $at.nodeBefore)
      $at = doc.resolve($at.pos - node.nodeSize)
  } else {
    for (let node = $at.nodeAfter; node && isDeleted(node); node = $at.nodeAfter)
      $at = doc.resolve($at.pos + node.nodeSize)
  }
  if ($at.pos !== caret) view.dispatch(tr.setSelection(TextSelection.create(doc, $at.pos)))
}

// Reads the browser's selection: after an arrow key the editor learns only later where the caret is.
function readCaret(view: EditorView): number | undefined {
  const selection = document.getSelection()
  if (!selection?.isCollapsed || !selection.focusNode || !view.dom.contains(selection.focusNode)) return undefined
  return view.posAtDOM(selection.focusNode, selection.focusOffset)
}

function isDeleted(node: Node): boolean {
  return node.marks.some(({ type }) => type.name === 'deletion')
}

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
