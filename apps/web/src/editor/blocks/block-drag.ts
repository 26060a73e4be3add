import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { createDropLine, scrollSpeed, trackPointer } from '../common/pointer-drag.ts'
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

/**
 * Follows the pointer from its press on the grip to its release: a click, or a drag with a line at the drop position.
 * Esc cancels.
 */
export function startDrag(event: PointerEvent, { view, source, onBegin, onDrop, onClick, onEnd }: DragOptions): void {
  const line = createDropLine()
  const scroller = view.dom.closest('[data-scroller]')
  const targetAt = (y: number) => {
    const range = source()
    return range && dropTargetAt(view, range, y)
  }
  trackPointer(event, {
    onBegin,
    onFrame({ y }) {
      const box = scroller?.getBoundingClientRect()
      if (box && scroller) scroller.scrollTop += scrollSpeed(y, box.top, box.bottom)
      line.show(targetAt(y))
    },
    onDrop({ y }) {
      const [range, target] = [source(), targetAt(y)]
      if (range && target) onDrop(range, target)
    },
    onClick,
    onEnd() {
      line.remove()
      onEnd()
    },
  })
}

/** A position between two blocks, and the line on the screen that marks it. */
type DropTarget = { position: number; left: number; length: number; top: number }

/** The drop position at this height; null if the block can't be dropped there or is already there. */
function dropTargetAt(view: EditorView, source: BlockRange, y: number): DropTarget | null {
  const { doc } = view.state
  const hovered = blockAtHeight(view, y) ?? edgeBlock(view, y)
  if (!hovered) return null
  // Between items first, then next to the top-level block that contains them.
  for (const range of [hovered, outermost(doc, hovered)]) {
    const box = boxOf(view, range.from)
    if (!box) continue
    const isBefore = y < box.top + box.height / 2
    const position = isBefore ? range.from : range.to
    if (!planMove(doc, source, position)) continue
    return {
      position,
      left: box.left,
      length: box.width,
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
