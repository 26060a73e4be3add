import { t } from '../../i18n/translate.ts'

const longestCaption = 1000

type CaptionFieldOptions = {
  onBegin: () => void
  onText: (text: string) => void
  onEnd: () => void
  /** Called by Enter and Esc; the focus should go elsewhere. */
  onLeave: () => void
}

/** The field for a caption; `fill` shows what the document says, and leaves the caret where it is. */
type CaptionField = { dom: HTMLTextAreaElement; fill: (text: string) => void }

/** A field that lies over the words of a caption and takes their place while it has the focus. */
export function createCaptionField({ onBegin, onText, onEnd, onLeave }: CaptionFieldOptions): CaptionField {
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

/** Whether a key in a caption is about undo, which is the document's own: the browser's would know no other changes. */
export function isUndoKey(event: Event): boolean {
  if (!(event instanceof KeyboardEvent) || event.altKey || !(event.ctrlKey || event.metaKey)) return false
  return event.type === 'keydown' && ['z', 'y'].includes(event.key.toLowerCase())
}
