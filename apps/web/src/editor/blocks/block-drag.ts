import type { EditorView } from 'prosemirror-view'
import type { BlockRange } from './block-at.ts'
import { type DropTarget, dropTargetAt } from './drop-target.ts'

/** Callbacks of a drag: start, end, and drop. `source` is read again on every use, since peers write meanwhile. */
export type DragOptions = {
  view: EditorView
  source: () => BlockRange | null
  onBegin: () => void
  onDrop: (source: BlockRange, target: DropTarget) => void
  onClick: () => void
  onEnd: () => void
}

const threshold = 4
const edge = 48

/**
 * Follows the pointer from its press on the grip to its release: a click, or a drag with a line at the drop position.
 * Esc cancels.
 */
export function startDrag(event: PointerEvent, options: DragOptions): void {
  const { view } = options
  const start = { x: event.clientX, y: event.clientY }
  const line = document.createElement('div')
  line.className = 'block-drop-line'
  let y = start.y
  let isDragging = false
  let frame = 0
  const scroller = view.dom.closest('[data-scroller]')

  const draw = () => {
    frame = requestAnimationFrame(draw)
    const box = scroller?.getBoundingClientRect()
    if (box && scroller) scroller.scrollTop += scrollSpeed(y, box)
    const source = options.source()
    showLine(line, source && dropTargetAt(view, source, y))
  }
  const onMove = (move: PointerEvent) => {
    y = move.clientY
    if (isDragging || Math.hypot(move.clientX - start.x, move.clientY - start.y) < threshold) return
    isDragging = true
    document.body.append(line)
    document.documentElement.classList.add('block-dragging')
    options.onBegin()
    draw()
  }
  const end = () => {
    cancelAnimationFrame(frame)
    line.remove()
    document.documentElement.classList.remove('block-dragging')
    removeEventListener('pointermove', onMove)
    removeEventListener('pointerup', onUp)
    removeEventListener('pointercancel', end)
    removeEventListener('keydown', onKey, true)
    options.onEnd()
  }
  const onUp = () => {
    const source = options.source()
    const target = isDragging && source ? dropTargetAt(view, source, y) : null
    end()
    if (!isDragging) options.onClick()
    else if (source && target) options.onDrop(source, target)
  }
  const onKey = (key: KeyboardEvent) => {
    if (key.key !== 'Escape') return
    key.preventDefault()
    key.stopPropagation()
    end()
  }
  addEventListener('pointermove', onMove)
  addEventListener('pointerup', onUp)
  addEventListener('pointercancel', end)
  addEventListener('keydown', onKey, true)
}

function showLine(line: HTMLElement, target: DropTarget | null): void {
  line.hidden = target === null
  if (!target) return
  Object.assign(line.style, { left: `${target.left}px`, width: `${target.width}px`, top: `${target.top - 1}px` })
}

function scrollSpeed(y: number, { top, bottom }: DOMRect): number {
  if (y < top + edge) return -Math.min(16, (top + edge - y) / 3)
  return y > bottom - edge ? Math.min(16, (y - bottom + edge) / 3) : 0
}
