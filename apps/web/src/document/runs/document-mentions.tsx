import type { Me, Run } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { TextSelection } from 'prosemirror-state'
import { use, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { separatePart } from '../../common/lazy-part.ts'
import { openConversationWith } from '../../chat/conversations/conversations.ts'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { subscribeToAddress } from '../../common/location.tsx'
import type { usePanel } from '../../common/layout/page-layout.ts'
import { scrollToPosition } from '../../editor/common/positions.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { type RunChips, RunChipsContext } from '../../mentions/chip-state.ts'
import { findRequest } from '../../mentions/mention-edits.ts'
import { directoryOf } from '../../mentions/people-directory.ts'
import { type Place, readPlace } from '../../notifications/notification-target.ts'
import { anchorsOf } from '../../review/text/anchors.ts'
import type { ReviewUi } from '../../review/text/review-ui.ts'
import { showToast } from '../../ui/toasts/toasts.tsx'
import { dispatchRemoval } from './use-answered-requests.ts'

const RunMenu = separatePart(async () => (await import('../../mentions/run-menu.tsx')).RunMenu)

type DocumentMentionsProps = {
  connection: DocumentConnection
  editor: Editor
  review: ReviewUi
  panel: ReturnType<typeof usePanel>
  me: Me
  canEdit: boolean
  canComment: boolean
  onShowChanges: (run: Run) => void
}

/**
 * Mentions in an opened document: its people directory, scrolling to the target in the address, and the chips' menu.
 */
export function DocumentMentions(props: DocumentMentionsProps) {
  const { connection, editor, review, panel, me } = props
  const chips = use(RunChipsContext)
  const { awareness } = connection.provider
  useEffect(() => {
    const directory = directoryOf(connection.document)
    void directory.refresh()
    return directory.enter(awareness, me.user.id)
  }, [connection, awareness, me.user.id])
  useArrival({
    connection,
    editor,
    selectThread: (thread) => review.put({ thread }),
    showComments: panel.showComments,
    showChat: panel.showChat,
  })
  return chips && <Menu {...props} chips={chips} />
}

function Menu({
  chips,
  connection,
  editor,
  panel,
  me,
  canEdit,
  canComment,
  onShowChanges,
}: DocumentMentionsProps & { chips: RunChips }) {
  const isOpen = useSyncExternalStore(chips.menu.subscribe, () => chips.menu.get() !== null)
  if (!isOpen) return null
  return (
    <RunMenu
      chips={chips}
      document={connection.document}
      canEdit={canEdit}
      canStop={canComment}
      self={me.user.id}
      onOpenRun={panel.showRun}
      onShowChanges={onShowChanges}
      onRemove={(requestId) => {
        dispatchRemoval(editor, requestId)
        editor.view.focus()
      }}
    />
  )
}

type ArrivalOptions = {
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
function useArrival(options: ArrivalOptions): void {
  const arrive = useEffectEvent((arrival: Arrival) => scrollToPlace(readPlace(location.hash), options, arrival))
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
function scrollToPlace(place: Place | undefined, options: ArrivalOptions, arrival: Arrival): boolean {
  if (!place) return true
  if (find(place, options, arrival)) return true
  if (arrival.attempt < framesToWait) return false
  showToast(t(gone[place.kind]))
  return true
}

const gone: Record<Place['kind'], EnglishText> = {
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
      openConversationWith(options.connection.document, options.connection.room.get(), place.id)
      return flash(document.querySelector(`[data-message="${CSS.escape(place.id)}"]`))
  }
}

function showMention({ view, state }: Editor, requestId: string): boolean {
  const found = findRequest(state.doc, requestId)
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
  if (known.resolved) showToast(t('This comment has been resolved.'))
  return known.resolved
}

/** Scrolls an element into view and highlights it for a moment. Returns whether it exists. */
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
