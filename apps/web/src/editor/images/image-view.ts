import { isSafeUrl } from '@copydesk/schema'
import { Extension } from '@tiptap/core'
import type { Attrs, Node } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import { t } from '../../i18n/translate.ts'
import { mayWrite } from '../common/may-write.ts'
import { endUndoStep } from '../common/undo-step.ts'
import { createImageCaption, isUndoKey } from './image-caption.ts'
import { createImageHandles } from './image-handles.ts'
import { changeImage, selectedImage, selectImage } from './selected-image.ts'

/** What the selected image opens: `onEdit` the form for it, `onView` its view on the whole screen. */
export type ImageViewOptions = { onEdit: () => void; onView: () => void }

/**
 * Draws images in plain DOM, with their caption, which is edited in place, and handles that change their width. An
 * image that can't be loaded shows its description, or an error. A double click edits an image; users who may not write
 * view it by a click or Enter.
 */
export function createImageViews({ onEdit, onView }: ImageViewOptions): Extension {
  const isForReaders = (view: EditorView) => !mayWrite(view) && selectedImage(view.state) !== undefined
  return Extension.create({
    name: 'imageViews',
    // Before read-only text refuses the key.
    priority: 1350,
    addProseMirrorPlugins: () => [
      new Plugin({
        key: new PluginKey('imageViews'),
        props: {
          nodeViews: { image: createImageView },
          handleClickOn(view, _position, node, position) {
            if (mayWrite(view) || node.type.name !== 'image' || !selectImage(view, position)) return false
            onView()
            return true
          },
          handleDoubleClickOn(view, _position, node) {
            if (!mayWrite(view) || node.type.name !== 'image') return false
            onEdit()
            return true
          },
          handleDOMEvents: {
            keydown(view, event) {
              const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
              if (event.key !== 'Enter' || !isPlain || !isForReaders(view)) return false
              event.preventDefault()
              onView()
              return true
            },
          },
        },
      }),
    ],
  })
}

const createImageView: NodeViewConstructor = (initial, view, getPos) => {
  let node = initial
  const { dom, frame, draw: drawFigure } = createFigure()
  const draw = () => {
    drawFigure(node.attrs)
    caption.draw(textOf(node.attrs.title))
  }
  const change = (attributes: Record<string, unknown>) => {
    const position = getPos()
    if (position !== undefined) changeImage(view, position, attributes)
    // As the document says: it may have refused the change.
    draw()
  }
  const handles = createImageHandles({
    frame,
    isCentred: () => node.attrs.align === 'center',
    onPress: () => selectImage(view, getPos()) && view.focus(),
    onResize: (width) => change({ width, height: null }),
    onCancel: draw,
    onLeave: () => view.focus(),
  })
  const caption = createImageCaption({
    onBegin() {
      endUndoStep(view.state)
      selectImage(view, getPos())
    },
    onText: (text) => change({ title: text || null }),
    onEnd() {
      const title = textOf(node.attrs.title)
      if (title !== title.trim()) change({ title: title.trim() || null })
      endUndoStep(view.state)
    },
    onLeave: () => view.focus(),
  })
  frame.append(handles.left, handles.right)
  dom.append(caption.dom)
  draw()
  const setSelected = (isSelected: boolean) => {
    dom.classList.toggle('ProseMirror-selectednode', isSelected)
    handles.setReachable(isSelected)
    caption.field.tabIndex = isSelected ? 0 : -1
  }
  const isOfHandle = ({ target }: Event) => target === handles.left || target === handles.right
  const isOfCaption = (event: Event) => event.target === caption.field && !isUndoKey(event)
  return {
    dom,
    update(next: Node) {
      if (next.type !== node.type) return false
      node = next
      draw()
      return true
    },
    selectNode: () => setSelected(true),
    deselectNode: () => setSelected(false),
    // Keys that the slider leaves alone are the text's, as undo.
    stopEvent: (event) => (isOfHandle(event) && event.type !== 'keydown') || isOfCaption(event),
    ignoreMutation: () => true,
  }
}

/** The elements of an image, and `draw`, which shows its attributes in them. */
function createFigure() {
  const dom = document.createElement('figure')
  dom.className = 'image-view'
  const frame = dom.appendChild(document.createElement('div'))
  frame.className = 'image-frame'
  const picture = frame.appendChild(document.createElement('img'))
  const missing = frame.appendChild(document.createElement('span'))
  missing.className = 'image-missing'
  missing.dir = 'auto'
  const show = (loads: boolean) => {
    picture.hidden = !loads
    missing.hidden = loads
  }
  picture.addEventListener('error', () => show(false))
  picture.addEventListener('load', () => {
    // A drawing that names no size would be as wide as its frame, which is as wide as the drawing: nothing.
    picture.width = picture.naturalWidth
    show(true)
  })
  const draw = ({ src, alt, width, align }: Attrs) => {
    picture.alt = textOf(alt)
    missing.textContent = textOf(alt) || t('Image can’t be loaded')
    dom.dataset.align = textOf(align)
    const size = cssWidth(width)
    dom.style.width = size.endsWith('%') ? size : ''
    frame.style.width = size.endsWith('%') ? '100%' : size
    frame.classList.toggle('image-sized', size !== '')
    if (picture.getAttribute('src') === src) return
    picture.removeAttribute('width')
    show(isSafeUrl(src) && src !== '')
    if (isSafeUrl(src) && src !== '') picture.src = src
    else picture.removeAttribute('src')
  }
  return { dom, frame, draw }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function cssWidth(width: unknown): string {
  if (typeof width === 'number') return `${width}px`
  return typeof width === 'string' ? width.replace(/^[\d.]+$/, '$&px') : ''
}
