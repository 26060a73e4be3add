import type { Attrs } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { endUndoStep } from '../typing/undo.ts'
import { createCaptionField, isUndoKey } from './caption-field.ts'
import { createImageHandles } from './image-handles.ts'
import { changeImage, selectImage } from './selected-image.ts'

/** The elements of a drawn image, and how to read and draw what the document says of it. */
export type DrawnImage = {
  view: EditorView
  getPos: () => number | undefined
  attributes: () => Attrs
  frame: HTMLElement
  caption: HTMLElement
  draw: () => void
}

/** What a user changes an image with. */
export type ImageControls = {
  /** Shows the caption of the document in its field. */
  fill: (caption: string) => void
  setReachable: (isReachable: boolean) => void
  /** Whether an event belongs to a control, and not to the text. */
  owns: (event: Event) => boolean
}

/** Adds the handles and the field for the caption to a drawn image; the style sheet hides them from readers. */
export function addImageControls({ view, getPos, attributes, frame, caption, draw }: DrawnImage): ImageControls {
  const change = (changed: Record<string, unknown>) => {
    const position = getPos()
    if (position !== undefined) changeImage(view, position, changed)
    // As the document says: it may have refused the change.
    draw()
  }
  const handles = createImageHandles({
    frame,
    isCentred: () => attributes().align === 'center',
    onPress: () => selectImage(view, getPos()) && view.focus(),
    onResize: (width) => change({ width, height: null }),
    onEnd: draw,
    onLeave: () => view.focus(),
  })
  const field = createCaptionField({
    onBegin() {
      endUndoStep(view.state)
      selectImage(view, getPos())
    },
    onText: (text) => change({ title: text || null }),
    onEnd() {
      const title: unknown = attributes().title
      if (typeof title === 'string' && title !== title.trim()) change({ title: title.trim() || null })
      endUndoStep(view.state)
    },
    onLeave: () => view.focus(),
  })
  frame.append(handles.left, handles.right)
  caption.append(field.dom)
  return {
    fill: field.fill,
    setReachable(isReachable) {
      handles.setReachable(isReachable)
      field.dom.tabIndex = isReachable ? 0 : -1
    },
    owns(event) {
      if (event.target === field.dom) return !isUndoKey(event)
      // Keys that the slider leaves alone are the text's, as undo.
      return (event.target === handles.left || event.target === handles.right) && event.type !== 'keydown'
    },
  }
}
