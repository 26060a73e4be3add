/** A place in the window, in pixels. */
export type Point = { x: number; y: number }

/**
 * The handlers of a press: for a click, or for a drag with its beginning, its frames and its drop. `onEnd` is always
 * called last.
 */
export type PointerDrag = {
  onBegin: () => void
  /** Called once per frame during a drag, also while the pointer rests: the text below it may scroll or change. */
  onFrame: (at: Point) => void
  onDrop: (at: Point) => void
  onClick?: () => void
  onEnd: () => void
}

const threshold = 4

/** Follows the pointer from its press to its release. Esc cancels a drag. */
export function trackPointer(press: PointerEvent, { onBegin, onFrame, onDrop, onClick, onEnd }: PointerDrag): void {
  let at: Point = { x: press.clientX, y: press.clientY }
  const start = at
  let isDragging = false
  let frame = 0
  const draw = () => {
    frame = requestAnimationFrame(draw)
    onFrame(at)
  }
  const onMove = ({ clientX, clientY, pointerId }: PointerEvent) => {
    if (pointerId !== press.pointerId) return
    at = { x: clientX, y: clientY }
    if (isDragging || Math.hypot(at.x - start.x, at.y - start.y) < threshold) return
    isDragging = true
    document.documentElement.classList.add('block-dragging')
    onBegin()
    draw()
  }
  const end = () => {
    cancelAnimationFrame(frame)
    document.documentElement.classList.remove('block-dragging')
    removeEventListener('pointermove', onMove)
    removeEventListener('pointerup', onUp)
    removeEventListener('pointercancel', end)
    removeEventListener('keydown', onKey, true)
    onEnd()
  }
  const onUp = () => {
    if (isDragging) onDrop(at)
    else onClick?.()
    end()
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

export type DropLine = { show: (box: DropBox | null) => void; remove: () => void }

/** The middle of a drop line, in pixels of the window, and its length to the right or down. */
export type DropBox = { left: number; top: number; length: number; isVertical?: boolean }

/** Creates a drop line, hidden. */
export function createDropLine(): DropLine {
  const line = document.createElement('div')
  line.className = 'block-drop-line'
  line.hidden = true
  document.body.append(line)
  return {
    remove: () => line.remove(),
    show(box) {
      line.hidden = box === null
      if (!box) return
      const { left, top, length, isVertical = false } = box
      Object.assign(
        line.style,
        isVertical
          ? { left: `${left - 1}px`, top: `${top}px`, width: '3px', height: `${length}px` }
          : { left: `${left}px`, top: `${top - 1}px`, width: `${length}px`, height: '3px' },
      )
    },
  }
}

const edge = 48

/** The distance to scroll in this frame while the pointer is near the ends of a scrolled area, in pixels. */
export function scrollSpeed(at: number, start: number, end: number): number {
  if (at < start + edge) return -Math.min(16, (start + edge - at) / 3)
  return at > end - edge ? Math.min(16, (at - end + edge) / 3) : 0
}
