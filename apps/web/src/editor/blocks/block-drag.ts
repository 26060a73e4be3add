import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import type { BlockRange } from './block-at.ts'
import { blockAtHeight, boxOf } from './block-handle.ts'
import { planMove } from './move-blocks.ts'

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

/** A position between two blocks, and the line on the screen that marks it. */
type DropTarget = { position: number; left: number; width: number; top: number }

/** Where a block would be dropped at this height; null where it can't be dropped or already is. */
function dropTargetAt(view: EditorView, source: BlockRange, y: number): DropTarget | null {
  const { doc } = view.state
  const hovered = blockAtHeight(view, y) ?? edgeBlock(view, y)
  if (!hovered) return null
  // Between items first, then next to the top-level block that holds them.
  for (const range of [hovered, outermost(doc, hovered)]) {
    const box = boxOf(view, range.from)
    if (!box) continue
    const isBefore = y < box.top + box.height / 2
    const position = isBefore ? range.from : range.to
    if (!planMove(doc, source, position)) continue
    return {
      position,
      left: box.left,
      width: box.width,
      top: lineBetween(view, doc, position, isBefore ? box.top : box.bottom),
    }
  }
  return null
}

function outermost(doc: Node, { from }: BlockRange): BlockRange {
  const $from = doc.resolve(from)
  return $from.depth === 0
    ? { from, to: from + ($from.nodeAfter?.nodeSize ?? 0) }
    : { from: $from.before(1), to: $from.after(1) }
}

// Above the first and below the last block.
function edgeBlock(view: EditorView, y: number): BlockRange | null {
  const { doc } = view.state
  const last = doc.lastChild
  const lastFrom = doc.content.size - (last?.nodeSize ?? 0)
  if (y <= (boxOf(view, 0)?.top ?? 0)) return { from: 0, to: doc.firstChild?.nodeSize ?? 0 }
  return y >= (boxOf(view, lastFrom)?.bottom ?? 0) ? { from: lastFrom, to: doc.content.size } : null
}

// In the middle of the gap, so that the line doesn't jump between the end of one block and the start of the next.
function lineBetween(view: EditorView, doc: Node, position: number, edge: number): number {
  const $position = doc.resolve(position)
  const above = $position.nodeBefore && boxOf(view, position - $position.nodeBefore.nodeSize)
  const below = $position.nodeAfter && boxOf(view, position)
  return above && below ? (above.bottom + below.top) / 2 : edge
}
