import { t } from '../../i18n/translate.ts'

const longestCaption = 1000

type CaptionOptions = {
  onBegin: () => void
  onText: (text: string) => void
  onEnd: () => void
  /** Called by Enter and Esc; the focus should go elsewhere. */
  onLeave: () => void
}

/** The caption of an image. `field` is for users who may write; the style sheet shows it to nobody else. */
type ImageCaption = { dom: HTMLElement; field: HTMLTextAreaElement; draw: (text: string) => void }

/**
 * A caption that is edited in place: a transparent field lies over its words, which give it its size, and takes their
 * place while it has the focus. Without words the caption is shown only then.
 */
export function createImageCaption({ onBegin, onText, onEnd, onLeave }: CaptionOptions): ImageCaption {
  const dom = document.createElement('figcaption')
  const words = dom.appendChild(document.createElement('span'))
  words.dir = 'auto'
  const field = dom.appendChild(document.createElement('textarea'))
  Object.assign(field, { dir: 'auto', rows: 1, maxLength: longestCaption, tabIndex: -1, placeholder: t('Caption') })
  field.setAttribute('aria-label', t('Caption'))
  const fill = (text: string) => {
    if (field.value === text) return
    const { selectionStart, selectionEnd } = field
    field.value = text
    if (document.activeElement === field) field.setSelectionRange(selectionStart, selectionEnd)
  }
  field.addEventListener('focus', onBegin)
  field.addEventListener('blur', onEnd)
  field.addEventListener('input', () => onText(field.value.replaceAll('\n', ' ')))
  field.addEventListener('keydown', (event) => {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    onLeave()
  })
  return {
    dom,
    field,
    draw(text) {
      words.textContent = text
      dom.classList.toggle('caption-empty', text === '')
      fill(text)
    },
  }
}

/** Whether a key in a caption is about undo, which is the document's own: the browser's would know no other changes. */
export function isUndoKey(event: Event): boolean {
  if (!(event instanceof KeyboardEvent) || event.altKey || !(event.ctrlKey || event.metaKey)) return false
  return event.type === 'keydown' && ['z', 'y'].includes(event.key.toLowerCase())
}
