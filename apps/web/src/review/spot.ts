import type { Editor } from '@tiptap/core'
import type { Spot } from './floating.tsx'

/**
 * The screen position of a range of the text; null while it is scrolled out of view, or with `stays` the edge beyond
 * which it is.
 */
export function spotOf({ view }: Editor, from: number, to = from, stays = false): Spot {
  const frame = view.dom.closest('[data-scroller]')?.getBoundingClientRect()
  const size = view.state.doc.content.size
  const start = view.coordsAtPos(Math.min(from, size))
  const end = view.coordsAtPos(Math.min(to, size), -1)
  if (!frame) return null
  const isOutside = end.bottom < frame.top || start.top > frame.bottom
  if (isOutside && !stays) return null
  return {
    left: start.left,
    top: within(start.top, frame),
    bottom: within(end.bottom, frame),
    roof: frame.top + 2,
  }
}

function within(y: number, { top, bottom }: DOMRect): number {
  return Math.min(Math.max(y, top), bottom)
}
