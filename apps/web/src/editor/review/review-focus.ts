import type { Editor } from '@tiptap/core'
import { Selection } from 'prosemirror-state'
import { anchorsOf } from './anchors.ts'
import { scrollToPosition } from '../scroll-to-position.ts'

/** Scrolls the text of a thread or a suggested change into view, unless it is visible. */
export function showInText(editor: Editor, id: string): void {
  const place = findAnchor(editor, id)
  if (place === undefined) return
  const { view } = editor
  const frame = view.dom.closest('[data-scroller]')?.getBoundingClientRect()
  const { top, bottom } = view.coordsAtPos(place)
  if (frame && (top < frame.top || bottom > frame.bottom)) scrollToPosition(view, place)
}

/** Returns the focus to the text, with the caret at a thread or a suggested change if that still exists. */
export function backToText(editor: Editor, id: string): void {
  const place = findAnchor(editor, id)
  const { view } = editor
  if (place !== undefined) {
    const { doc, tr } = view.state
    view.dispatch(tr.setSelection(Selection.near(doc.resolve(place))))
  }
  view.focus()
}

const framesToWait = 30

/** Focuses the reply box of a thread as soon as it is mounted. */
export function focusReply(thread: string): void {
  let left = framesToWait
  const look = () => {
    const cards = document.querySelectorAll(`[data-thread-card="${CSS.escape(thread)}"]`)
    const box = [...cards].map((card) => card.querySelector('textarea')).find((each) => each !== null)
    if (box) box.focus()
    else if (left-- > 0) requestAnimationFrame(look)
  }
  look()
}

function findAnchor({ state }: Editor, id: string): number | undefined {
  const { threads, changes } = anchorsOf(state.doc)
  const place = threads.get(id) ?? changes.get(id)
  return place && Math.min(place.from, state.doc.content.size)
}
