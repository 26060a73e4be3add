import { t } from '../../i18n/translate.ts'
import { type Point, trackPointer } from '../common/pointer-drag.ts'
import { fullWidth } from './selected-image.ts'

/** The data of an image for its handles, and `onResize`, which gets the width that the user chose. */
export type ResizableImage = {
  /** The element with the width of the image. */
  frame: HTMLElement
  isCentred: () => boolean
  onPress: () => unknown
  onResize: (width: number | typeof fullWidth) => void
  /** Called after a drag, also a cancelled one: draws the image in the width of the document. */
  onEnd: () => void
  onLeave: () => void
}

const narrowest = 48
/** A distance to the edge of the text, in pixels, below which the image gets the full width. */
const snap = 10
const step = 10
const largeStep = 100

/**
 * The handles at both sides of an image, which change its width by dragging and keep its proportions. The one at the
 * right is a slider for the keyboard while it is `setReachable`. While a pointer drags, only the element's style
 * changes.
 */
export function createImageHandles(image: ResizableImage) {
  const left = createHandle('left', image)
  const right = createHandle('right', image)
  left.setAttribute('aria-hidden', 'true')
  right.setAttribute('role', 'slider')
  right.setAttribute('aria-label', t('Width of the image'))
  right.tabIndex = -1
  const setReachable = (isReachable: boolean) => {
    right.tabIndex = isReachable ? 0 : -1
    if (isReachable) describe(right, image.frame)
  }
  right.addEventListener('focus', () => setReachable(true))
  right.addEventListener('keydown', (event) => {
    const width = widthByKey(event, image.frame)
    if (event.key === 'Escape' || event.key === 'Enter') image.onLeave()
    else if (width === undefined) return
    else image.onResize(rounded(width, widestOf(image.frame)))
    event.preventDefault()
    describe(right, image.frame)
  })
  return { left, right, setReachable }
}

function createHandle(side: 'left' | 'right', image: ResizableImage): HTMLElement {
  const handle = document.createElement('span')
  handle.className = 'image-handle'
  handle.dataset.side = side
  // Keeps the focus in the text, and prevents the browser from dragging the image.
  handle.addEventListener('mousedown', (event) => event.preventDefault())
  handle.addEventListener('pointerdown', (event) => {
    if (event.button === 0) drag(event, side === 'left' ? -1 : 1, image)
  })
  return handle
}

function drag(press: PointerEvent, direction: 1 | -1, { frame, isCentred, onPress, onResize, onEnd }: ResizableImage) {
  onPress()
  const first = frame.getBoundingClientRect().width
  const widest = widestOf(frame)
  const factor = direction * (isCentred() ? 2 : 1)
  const widthAt = ({ x }: Point) => Math.min(Math.max(first + factor * (x - press.clientX), narrowest), widest)
  const page = document.documentElement.classList
  page.add('column-resizing')
  trackPointer(press, {
    onBegin: () => frame.classList.add('image-sized'),
    onFrame: (at) => (frame.style.width = `${widthAt(at)}px`),
    onDrop: (at) => onResize(rounded(widthAt(at), widest)),
    onEnd() {
      page.remove('column-resizing')
      onEnd()
    },
  })
}

function widthByKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent, frame: HTMLElement) {
  if (ctrlKey || metaKey || altKey) return undefined
  const by = shiftKey ? largeStep : step
  const now = frame.getBoundingClientRect().width
  const widest = widestOf(frame)
  const within = (width: number) => Math.min(Math.max(width, narrowest), widest)
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return within(now - by)
    case 'ArrowRight':
    case 'ArrowUp':
      return within(now + by)
    case 'Home':
      return narrowest
    case 'End':
      return widest
    default:
      return undefined
  }
}

function rounded(width: number, widest: number): number | typeof fullWidth {
  return width >= widest - snap ? fullWidth : Math.round(width)
}

// The width of the image's container: the text, a list item, a cell.
function widestOf(frame: HTMLElement): number {
  const outer = frame.closest('.image-view')?.parentElement
  if (!outer) return Infinity
  const { paddingLeft, paddingRight } = getComputedStyle(outer)
  return outer.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
}

function describe(slider: HTMLElement, frame: HTMLElement): void {
  const width = Math.round(frame.getBoundingClientRect().width)
  const widest = Math.round(widestOf(frame))
  slider.setAttribute('aria-valuemin', String(narrowest))
  slider.setAttribute('aria-valuemax', String(widest))
  slider.setAttribute('aria-valuenow', String(Math.min(width, widest)))
  slider.setAttribute('aria-valuetext', width >= widest ? t('Full width') : t('{width, number} pixels', { width }))
}
