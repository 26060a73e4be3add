import type { EditorView } from 'prosemirror-view'

/**
 * Scrolls a position of the text to the upper third of its scroller; smoothly unless the user prefers reduced motion.
 */
export function scrollToPosition(view: EditorView, position: number): void {
  const scroller = view.dom.closest('[data-scroller]')
  if (!scroller) return
  const { top } = view.coordsAtPos(Math.min(position, view.state.doc.content.size))
  const frame = scroller.getBoundingClientRect()
  const target = scroller.scrollTop + top - frame.top - frame.height / 3
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  scroller.scrollTo({ top: target, behavior: isCalm ? 'auto' : 'smooth' })
}
