import { isSafeUrl } from '@copydesk/schema'
import { Extension } from '@tiptap/core'
import type { Attrs, Node } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import { loadWhenOnline } from '../../common/lazy-part.ts'
import { t } from '../../i18n/translate.ts'
import { mayWrite } from '../common/may-write.ts'
import type { ImageControls } from './image-controls.ts'
import { selectedImage, selectImage } from './selected-image.ts'

/** The handlers for the selected image: `onEdit` opens its form, `onView` its view in full screen. */
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

// Loaded with the first image: most documents have none.
const loadControls = () => import('./image-controls.ts')

const createImageView: NodeViewConstructor = (initial, view, getPos) => {
  let node = initial
  let isSelected = false
  let isDestroyed = false
  let controls: ImageControls | undefined
  const { dom, frame, caption, draw: drawFigure } = createFigure()
  const draw = () => {
    drawFigure(node.attrs)
    controls?.fill(textOf(node.attrs.title))
  }
  const setSelected = (selected: boolean) => {
    isSelected = selected
    dom.classList.toggle('ProseMirror-selectednode', selected)
    controls?.setReachable(selected)
  }
  void loadWhenOnline(loadControls).then(({ addImageControls }) => {
    if (isDestroyed) return
    controls = addImageControls({ view, getPos, attributes: () => node.attrs, frame, caption, draw })
    draw()
    setSelected(isSelected)
  })
  draw()
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
    stopEvent: (event) => controls?.owns(event) === true,
    ignoreMutation: () => true,
    destroy: () => (isDestroyed = true),
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
  const caption = dom.appendChild(document.createElement('figcaption'))
  const words = caption.appendChild(document.createElement('span'))
  words.dir = 'auto'
  const show = (loads: boolean) => {
    picture.hidden = !loads
    missing.hidden = loads
  }
  picture.addEventListener('error', () => show(false))
  picture.addEventListener('load', () => {
    // A drawing without a size would be as wide as its frame, which is as wide as the drawing: zero.
    picture.width = picture.naturalWidth
    show(true)
  })
  const draw = ({ src, alt, title, width, align }: Attrs) => {
    picture.alt = textOf(alt)
    missing.textContent = textOf(alt) || t('Image can’t be loaded')
    words.textContent = textOf(title)
    caption.classList.toggle('caption-empty', textOf(title) === '')
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
  return { dom, frame, caption, draw }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function cssWidth(width: unknown): string {
  if (typeof width === 'number') return `${width}px`
  return typeof width === 'string' ? width.replace(/^[\d.]+$/, '$&px') : ''
}
