import { GripVertical, Plus } from 'lucide-react'
import type { EditorView } from 'prosemirror-view'
import { t } from '../../i18n/translate.ts'
import { drawIcon } from '../common/draw-icon.tsx'
import { type BlockRange, blockAround } from './block-at.ts'

/** The two buttons next to the block under the mouse, in plain DOM. All their actions also have keyboard shortcuts. */
export type BlockHandle = {
  dom: HTMLElement
  grip: HTMLElement
  plus: HTMLElement
  /** The block that the handle is shown at; null while it is hidden. */
  at(): BlockRange | null
  /** Moves to the block at this height of the window; hides if there is none. */
  follow(view: EditorView, y: number): void
  hide(): void
}

/** Creates the handle, hidden. */
export function createBlockHandle(): BlockHandle {
  const dom = document.createElement('div')
  dom.className = 'block-handle'
  dom.hidden = true
  const plus = createButton(t('Insert below'))
  const grip = createButton(t('Move or change this block'))
  grip.classList.add('block-grip')
  dom.append(plus, grip)
  let range: BlockRange | null = null
  const hide = () => {
    range = null
    dom.hidden = true
  }
  return {
    dom,
    grip,
    plus,
    at: () => range,
    hide,
    follow(view, y) {
      const next = blockAtHeight(view, y)
      const line = next && firstLine(view, next.from)
      const frame = dom.offsetParent?.getBoundingClientRect() ?? view.dom.parentElement?.getBoundingClientRect()
      if (!next || !line || !frame) return hide()
      range = next
      // React draws the icons, and the editor may be created during a React render.
      if (!grip.hasChildNodes()) {
        plus.append(drawIcon(Plus))
        grip.append(drawIcon(GripVertical))
      }
      dom.hidden = false
      const text = view.dom.getBoundingClientRect()
      const space = text.left + parseFloat(getComputedStyle(view.dom).paddingLeft) - frame.left
      dom.dataset.narrow = String(space < 60)
      // Before a table, the table's own handles are in between.
      const gap = view.state.doc.nodeAt(next.from)?.type.spec.tableRole === 'table' ? 20 : 6
      dom.style.left = `${Math.max(0, space - dom.offsetWidth - gap)}px`
      dom.style.top = `${line.top - frame.top + (line.height - dom.offsetHeight) / 2}px`
    },
  }
}

/** The block at this height of the window, at any horizontal position. */
export function blockAtHeight(view: EditorView, y: number): BlockRange | null {
  const text = view.dom.getBoundingClientRect()
  const padding = parseFloat(getComputedStyle(view.dom).paddingLeft)
  const found = view.posAtCoords({ left: text.left + padding + 4, top: y })
  if (!found) return null
  const { doc } = view.state
  const range = blockAround(
    doc.resolve(found.inside >= 0 && doc.nodeAt(found.inside)?.isAtom ? found.inside : found.pos),
  )
  const box = range && boxOf(view, range.from)
  return box && y >= box.top - 12 && y <= box.bottom + 12 ? range : null
}

/** The rectangle of a block in the window. */
export function boxOf(view: EditorView, position: number): DOMRect | null {
  const dom = view.nodeDOM(position)
  return dom instanceof HTMLElement ? dom.getBoundingClientRect() : null
}

function firstLine(view: EditorView, position: number): { top: number; height: number } | null {
  const box = boxOf(view, position)
  const dom = view.nodeDOM(position)
  if (!box || !(dom instanceof HTMLElement)) return null
  const text = dom.matches('p, h1, h2, h3, h4, h5, h6') ? dom : dom.querySelector('p, h1, h2, h3, h4, h5, h6')
  const inner = text?.getBoundingClientRect() ?? box
  const { lineHeight } = getComputedStyle(text ?? dom)
  return { top: text ? inner.top : box.top, height: Math.min(parseFloat(lineHeight) || 28, inner.height) }
}

function createButton(label: string): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.tabIndex = -1
  button.title = label
  button.setAttribute('aria-label', label)
  return button
}
