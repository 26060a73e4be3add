import { readCaption } from '@copydesk/schema'
import type { Attrs } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { endUndoStep } from '../typing/undo.ts'
import { createImageHandles } from './image-handles.ts'
import { changeImage, selectImage } from './selected-image.ts'
import { t } from '../../i18n/translate.ts'

/** The elements of a drawn image, and functions that read and draw its attributes. */
export type DrawnImage = {
  view: EditorView
  getPos: () => number | undefined
  attributes: () => Attrs
  frame: HTMLElement
  caption: HTMLElement
  draw: () => void
}

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
    // Redraws the document's attributes: the change may have been rejected.
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
    fill(text) {
      field.fill(text)
      drawLinks(caption.firstElementChild, text)
    },
    setReachable(isReachable) {
      handles.setReachable(isReachable)
      field.dom.tabIndex = isReachable ? 0 : -1
    },
    owns(event) {
      // A click on a link of the caption is left to the browser.
      if (event.target instanceof Element && event.target.closest('figcaption a')) return true
      if (event.target === field.dom) return !isUndoKey(event)
      // Keys that the slider doesn't handle are passed to the text, such as undo.
      return (event.target === handles.left || event.target === handles.right) && event.type !== 'keydown'
    },
  }
}

/** Shows the links of a caption in its drawn text. */
function drawLinks(words: Element | null, caption: string): void {
  const parts = readCaption(caption)
  if (!parts.some(({ href }) => href !== undefined)) return
  const nodes = parts.map(({ text, href }) => {
    if (href === undefined) return text
    const link = document.createElement('a')
    Object.assign(link, { href, target: '_blank', rel: 'noopener noreferrer', textContent: text })
    return link
  })
  words?.replaceChildren(...nodes)
}

const longestCaption = 1000

type CaptionFieldOptions = {
  onBegin: () => void
  onText: (text: string) => void
  onEnd: () => void
  /** Called on Enter and Esc; the handler should move the focus. */
  onLeave: () => void
}

/** The field for a caption; `fill` shows the document's caption, and keeps the caret position. */
type CaptionField = { dom: HTMLTextAreaElement; fill: (text: string) => void }

/** A field that covers the text of a caption and replaces it while it has the focus. */
function createCaptionField({ onBegin, onText, onEnd, onLeave }: CaptionFieldOptions): CaptionField {
  const dom = document.createElement('textarea')
  Object.assign(dom, { dir: 'auto', rows: 1, maxLength: longestCaption, tabIndex: -1, placeholder: t('Caption') })
  dom.setAttribute('aria-label', t('Caption'))
  dom.addEventListener('focus', onBegin)
  dom.addEventListener('blur', onEnd)
  dom.addEventListener('input', () => onText(dom.value.replaceAll('\n', ' ')))
  dom.addEventListener('keydown', (event) => {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    onLeave()
  })
  return {
    dom,
    fill(text) {
      if (dom.value === text) return
      const { selectionStart, selectionEnd } = dom
      dom.value = text
      if (document.activeElement === dom) dom.setSelectionRange(selectionStart, selectionEnd)
    },
  }
}

/**
 * Whether a key in a caption is for undo, which the document handles: the browser's undo would not know other changes.
 */
function isUndoKey(event: Event): boolean {
  if (!(event instanceof KeyboardEvent) || event.altKey || !(event.ctrlKey || event.metaKey)) return false
  return event.type === 'keydown' && ['z', 'y'].includes(event.key.toLowerCase())
}
