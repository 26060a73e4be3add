import type { Editor } from '@tiptap/core'
import { TextSelection } from 'prosemirror-state'
import { useEffect, useEffectEvent } from 'react'
import { subscribeToAddress } from '../app/location.ts'
import { showToast } from '../app/toasts.tsx'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { anchorsOf } from '../editor/review/anchors.ts'
import { scrollToPosition } from '../editor/scroll-to-position.ts'
import { type Place, readPlace } from './notification-target.ts'

export type ArrivalOptions = {
  connection: DocumentConnection
  editor: Editor
  /** Activates a thread, where its comments are shown. */
  selectThread: (thread: string) => void
  /** Opens the list of comments. */
  showComments: () => void
  showChat: () => void
}

// The text and its margin are mounted a few frames after the document.
const framesToWait = 90
// If cards are shown in the margin, they are mounted after this many frames.
const framesOfCards = 20

/** The number of attempts to find a target, and whether the text is already scrolled to it. */
type Arrival = { attempt: number; hasScrolled: boolean }

/** Scrolls to the target in the address: when the document has been opened, and whenever the address changes. */
export function useArrival(options: ArrivalOptions): void {
  const arrive = useEffectEvent((arrival: Arrival) => goTo(readPlace(location.hash), options, arrival))
  useEffect(() => {
    let frame = 0
    const begin = () => {
      cancelAnimationFrame(frame)
      const arrival = { attempt: 0, hasScrolled: false }
      const look = () => {
        arrival.attempt += 1
        if (!arrive(arrival)) frame = requestAnimationFrame(look)
      }
      look()
    }
    begin()
    const stop = subscribeToAddress(begin)
    return () => {
      cancelAnimationFrame(frame)
      stop()
    }
  }, [])
}

/** Scrolls to a target; returns whether that is finished: it was found, or it no longer exists. */
function goTo(place: Place | undefined, options: ArrivalOptions, arrival: Arrival): boolean {
  if (!place) return true
  if (find(place, options, arrival)) return true
  if (arrival.attempt < framesToWait) return false
  showToast(gone[place.kind])
  return true
}

const gone: Record<Place['kind'], string> = {
  text: 'This mention is no longer in the text.',
  comment: 'This comment is too old to be shown here.',
  chat: 'This message is too old to be shown here.',
}

function find(place: Place, options: ArrivalOptions, arrival: Arrival): boolean {
  switch (place.kind) {
    case 'text':
      return showMention(options.editor, place.id)
    case 'comment':
      return showComment(place, options, arrival)
    case 'chat':
      options.showChat()
      return flash(document.querySelector(`[data-message="${CSS.escape(place.id)}"]`))
  }
}

function showMention({ view, state }: Editor, requestId: string): boolean {
  let found: number | undefined
  state.doc.descendants((node, position) => {
    if (node.type.name === 'mention' && node.attrs.requestId === requestId) found ??= position
    return found === undefined
  })
  if (found === undefined) return false
  view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, found + 1)))
  view.focus()
  scrollToPosition(view, found)
  const dom = view.nodeDOM(found)
  return flash(dom instanceof Element ? dom : null)
}

function showComment(
  { thread, id }: Extract<Place, { kind: 'comment' }>,
  { connection, editor, selectThread, showComments }: ArrivalOptions,
  arrival: Arrival,
): boolean {
  const known = connection.room.get().threads.get(thread)
  const anchor = anchorsOf(editor.state.doc).threads.get(thread)
  if (!known) return false
  if (anchor && !arrival.hasScrolled) {
    arrival.hasScrolled = true
    selectThread(thread)
    scrollToPosition(editor.view, anchor.from)
  }
  if (!anchor && !known.resolved && arrival.attempt < framesOfCards) return false
  if (flash(document.querySelector(`[data-comment="${CSS.escape(id)}"]`))) return true
  if (known.resolved || arrival.attempt === framesOfCards) {
    showComments()
    selectThread(thread)
  }
  if (known.resolved) showToast('This comment has been resolved.')
  return known.resolved
}

/** Scrolls an element into view and highlights it for a moment. Returns whether there is one. */
function flash(element: Element | null): boolean {
  if (!element) return false
  // Elements in or next to the text scroll with the text.
  if (!element.closest('[data-scroller]')) element.scrollIntoView({ block: 'nearest' })
  element.classList.remove('arrived')
  // Reading the layout restarts the animation.
  element.getBoundingClientRect()
  element.classList.add('arrived')
  element.addEventListener('animationend', () => element.classList.remove('arrived'), { once: true })
  return true
}
