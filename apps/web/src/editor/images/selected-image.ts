import type { Node } from 'prosemirror-model'
import { type EditorState, NodeSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { mayWrite } from '../common/may-write.ts'

/** The width of an image that is always as wide as the text. */
export const fullWidth = '100%'

/** The selected image and its position; undefined if no image is selected. */
export function selectedImage({ selection }: EditorState): { node: Node; position: number } | undefined {
  const isImage = selection instanceof NodeSelection && selection.node.type.name === 'image'
  return isImage ? { node: selection.node, position: selection.from } : undefined
}

/** Selects the image at a position; returns false if there is none. */
export function selectImage(view: EditorView, position: number | undefined): boolean {
  const node = position === undefined ? null : view.state.doc.nodeAt(position)
  if (position === undefined || node?.type.name !== 'image') return false
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, position)))
  return true
}

/** Puts the focus into the caption of the selected image. */
export function editCaption(view: EditorView): void {
  const dom = view.nodeDOM(view.state.selection.from)
  if (dom instanceof Element) dom.querySelector<HTMLElement>('figcaption > textarea')?.focus()
}

/**
 * Changes attributes of the image at a position in one step; its other attributes and the selection are kept. Returns
 * false without an image there or without write access.
 */
export function changeImage(view: EditorView, position: number, attributes: Record<string, unknown>): boolean {
  const node = view.state.doc.nodeAt(position)
  if (node?.type.name !== 'image' || !mayWrite(view)) return false
  const { tr } = view.state
  for (const [name, value] of Object.entries(attributes)) {
    if (node.attrs[name] !== value) tr.setNodeAttribute(position, name, value)
  }
  if (tr.docChanged) view.dispatch(tr)
  return true
}
