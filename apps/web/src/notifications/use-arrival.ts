import type { Editor } from '@tiptap/core'
import { TextSelection } from 'prosemirror-state'
import { useEffect, useEffectEvent } from 'react'
import { subscribeToAddress } from '../app/location.ts'
import { showToast } from '../app/toasts.tsx'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { anchorsOf } from '../editor/review/anchors.ts'
import { scrollToPosition } from '../editor/scroll-to-position.ts'
import { type Place, readPlace } from './places.ts'

export type ArrivalOptions = {
  connection: DocumentConnection
  editor: Editor
  /** Opens the comments with this thread standing out. */
  showThread: (thread: string) => void
  showChat: () => void
}

// The text and what stands beside it come a few frames after the document.
const framesToWait = 90

/** Goes to the place that the address names: when the document has been opened, and whenever the address changes. */
export function useArrival(options: ArrivalOptions): void {
  const arrive = useEffectEvent((attempt: number) => goTo(readPlace(location.hash), options, attempt))
  useEffect(() => {
    let frame = 0
    const begin = () => {
      cancelAnimationFrame(frame)
      let attempt = 0
      const look = () => {
        attempt += 1
        if (!arrive(attempt)) frame = requestAnimationFrame(look)
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

/** Goes to a place, and answers whether that is done: it is there, or it won't come any more. */
function goTo(place: Place | undefined, options: ArrivalOptions, attempt: number): boolean {
  if (!place) return true
  if (find(place, options)) return true
  if (attempt < framesToWait) return false
  showToast(gone[place.kind])
  return true
}

const gone: Record<Place['kind'], string> = {
  text: 'This mention doesn’t stand in the text any more.',
  comment: 'This comment isn’t among the newest any more.',
  chat: 'This message isn’t among the newest any more.',
}

function find(place: Place, options: ArrivalOptions): boolean {
  switch (place.kind) {
    case 'text':
      return showMention(options.editor, place.id)
    case 'comment':
      return showComment(place, options)
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
  return flash(dom instanceof Element ? dom : null, false)
}

function showComment({ thread, id }: Extract<Place, { kind: 'comment' }>, options: ArrivalOptions): boolean {
  const known = options.connection.room.get().threads.get(thread)
  if (!known) return false
  options.showThread(thread)
  const { view, state } = options.editor
  const anchor = anchorsOf(state.doc).threads.get(thread)
  if (anchor) scrollToPosition(view, anchor.from)
  if (known.resolved) showToast('This comment has been resolved.')
  return known.resolved || flash(document.querySelector(`[data-comment="${CSS.escape(id)}"]`))
}

/** Brings an element into view and lets it stand out for a moment. Answers whether there is one. */
function flash(element: Element | null, scrolls = true): boolean {
  if (!element) return false
  if (scrolls) element.scrollIntoView({ block: 'nearest' })
  element.classList.remove('arrived')
  // Reading the layout lets the animation begin anew.
  element.getBoundingClientRect()
  element.classList.add('arrived')
  element.addEventListener('animationend', () => element.classList.remove('arrived'), { once: true })
  return true
}
