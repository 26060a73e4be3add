import type { Editor } from '@tiptap/core'
import { Selection } from 'prosemirror-state'
import { useCallback } from 'react'
import { scrollToPosition } from '../../editor/common/positions.ts'
import { anchorsOf } from './anchors.ts'

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

/**
 * A ref for an element that may be removed while it holds the focus, as a card is with its suggestion: the text then
 * takes the focus, without scrolling; otherwise it would move to the start of the page.
 */
export function useFocusBack(editor: Editor): (element: HTMLElement | null) => (() => void) | undefined {
  return useCallback(
    (element) => {
      if (!element) return undefined
      return () => {
        if (!element.contains(document.activeElement)) return
        queueMicrotask(() => {
          if (!editor.isDestroyed) editor.view.dom.focus({ preventScroll: true })
        })
      }
    },
    [editor],
  )
}
