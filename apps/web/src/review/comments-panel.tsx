import type { Me } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { MessageSquareQuote } from 'lucide-react'
import { useState } from 'react'
import { IfAllowed } from '../access/if-allowed.tsx'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { usePresence, useRoom } from '../collaboration/hooks.ts'
import { anchorsOf } from '../editor/review/anchors.ts'
import type { ReviewUi } from '../editor/review/review-ui.ts'
import { scrollToPosition } from '../editor/scroll-to-position.ts'
import { colorOfId } from '../ui/person-look.ts'
import { ThreadCard } from './thread-card.tsx'
import { listThreads, runOfThread } from './thread-list.ts'
import { useReview } from './use-review.ts'

type CommentsPanelProps = {
  connection: DocumentConnection
  editor: Editor
  ui: ReviewUi
  me: Me
  canComment: boolean
  /** Makes room for the text where the panel covers it. */
  onShowText: () => void
}

/** All comment threads of the document, the open ones in the order of the text, the resolved ones behind a filter. */
export function CommentsPanel({ connection, editor, ui, me, canComment, onShowText }: CommentsPanelProps) {
  const { threads, runs } = useRoom(connection.room)
  const { threads: order, thread: active } = useReview(ui)
  const here = usePresence(connection, me.user.id)
  const colorOf = (id: string) => here.find((presence) => presence.id === id)?.color ?? colorOfId(id)
  const [wantsResolved, setWantsResolved] = useState(false)
  // A thread that was clicked in the text is an open one.
  const isActiveOpen = active !== null && threads.get(active)?.resolved === false
  const resolved = wantsResolved && !isActiveOpen
  const shown = listThreads(threads.values(), order, resolved)
  const select = (thread: string) => {
    ui.put({ thread })
    const place = anchorsOf(editor.state.doc).threads.get(thread)
    if (!place) return
    onShowText()
    // Where the panel covered the text, the text has its size again only with the next frame.
    requestAnimationFrame(() => scrollToPosition(editor.view, place.from))
  }
  const filter = (value: boolean) => {
    ui.put({ thread: null })
    setWantsResolved(value)
  }
  const count = (value: boolean) => listThreads(threads.values(), order, value).length
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div role="group" aria-label="Which comments" className="flex shrink-0 gap-1 px-3 pt-3">
        <FilterButton pressed={!resolved} onPress={() => filter(false)} label="Open" count={count(false)} />
        <FilterButton pressed={resolved} onPress={() => filter(true)} label="Resolved" count={count(true)} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-3">
        {shown.length === 0 && <Empty resolved={resolved} canComment={canComment} />}
        <ol aria-label="Comment threads" className="flex flex-col gap-2.5">
          {shown.map((thread) => (
            <ThreadCard
              key={thread.id}
              thread={thread}
              run={runOfThread(thread, runs.values())}
              document={connection.document}
              active={thread.id === active}
              canComment={canComment}
              colorOf={colorOf}
              onSelect={() => select(thread.id)}
            />
          ))}
        </ol>
      </div>
      <IfAllowed document={connection.document} to="comment" />
    </div>
  )
}

type FilterButtonProps = { pressed: boolean; onPress: () => void; label: string; count: number }

function FilterButton({ pressed, onPress, label, count }: FilterButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className="h-7 rounded-full border border-line px-3 text-xs font-medium text-ink-soft hover:bg-hover aria-pressed:border-transparent aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
    >
      {label} {count}
    </button>
  )
}

function Empty({ resolved, canComment }: { resolved: boolean; canComment: boolean }) {
  return (
    <div className="flex h-full flex-col items-center justify-center px-4 text-center text-ink-soft">
      <MessageSquareQuote size={24} aria-hidden className="mb-2 text-ink-faint" />
      <p className="font-medium text-ink">{resolved ? 'Nothing is resolved yet' : 'No open comments'}</p>
      {!resolved && canComment && (
        <p className="mt-1 text-sm text-balance">
          Select text and choose “Comment”. Write @agent in a comment, and the agent answers there.
        </p>
      )}
    </div>
  )
}
