import type { Editor } from '@tiptap/core'
import { createDropLine, type DropBox, type Point, scrollSpeed, trackPointer } from '../common/pointer-drag.ts'
import type { LineMove, Lines } from './lines/line-moves.ts'
import { nearestMove, selectedTable } from './lines/move-lines.ts'
import { runMove } from './table-actions.ts'
import { columnEdges, drawnTableOf, rowEdges } from './layout/table-geometry.ts'

type LineDrag = {
  editor: Editor
  axis: Lines['axis']
  /** Selects the rows or columns that are dragged. */
  onBegin: () => void
  onEnd: () => void
}

/**
 * Follows the pointer that has pressed the handle of a row or column, and moves the selected rows or columns, with a
 * line
 * where they would go. Peers may write meanwhile: everything is read again in each frame.
 */
export function startLineDrag(press: PointerEvent, { editor, axis, onBegin, onEnd }: LineDrag): void {
  const line = createDropLine()
  trackPointer(press, {
    onBegin,
    onFrame(at) {
      scroll(editor, axis, at)
      line.show(targetAt(editor, axis, at)?.box ?? null)
    },
    onDrop(at) {
      const target = targetAt(editor, axis, at)
      if (target) runMove(editor, target.move)
      editor.view.focus()
    },
    onEnd() {
      line.remove()
      onEnd()
    },
  })
}

/** The move to the gap nearest to a place, and the line that marks it; undefined where nothing would be moved. */
function targetAt(editor: Editor, axis: Lines['axis'], at: Point): { move: LineMove; box: DropBox } | undefined {
  const table = selectedTable(editor.state)
  const drawn = table && drawnTableOf(editor.view, table)
  const frame = drawn?.parentElement?.getBoundingClientRect()
  if (!drawn || !frame) return undefined
  const grid = drawn.getBoundingClientRect()
  const edges = axis === 'row' ? rowEdges(editor.view, table) : columnEdges(editor.view, table)
  const distance = (gap: number) => Math.abs((edges[gap] ?? Infinity) - (axis === 'row' ? at.y : at.x))
  const move = nearestMove(editor.state, axis, distance)
  const edge = edges[move?.gap ?? -1]
  if (!move || edge === undefined) return undefined
  const [left, right] = [Math.max(grid.left, frame.left), Math.min(grid.right, frame.right)]
  const box =
    axis === 'row'
      ? { left, top: edge, length: right - left }
      : { left: Math.min(Math.max(edge, left), right), top: grid.top, length: grid.height, isVertical: true }
  return { move, box }
}

function scroll(editor: Editor, axis: Lines['axis'], { x, y }: Point): void {
  const scroller = editor.view.dom.closest('[data-scroller]')
  const table = selectedTable(editor.state)
  const frame = table && drawnTableOf(editor.view, table)?.parentElement
  const [area, at] = axis === 'row' ? [scroller, y] : [frame, x]
  const box = area?.getBoundingClientRect()
  if (!area || !box) return
  if (axis === 'row') area.scrollTop += scrollSpeed(at, box.top, box.bottom)
  else area.scrollLeft += scrollSpeed(at, box.left, box.right)
}
