import type { Me } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { Lock, MessageSquareQuote } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useDocumentSummary } from '../../api/documents.ts'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { useColorOf, useRoomPart } from '../../collaboration/hooks.ts'
import { missingRight } from '../../common/roles.ts'
import { scrollToPosition } from '../../editor/common/positions.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { anchorsOf } from '../text/anchors.ts'
import { backToText } from '../text/review-focus.ts'
import { type ReviewUi, useReview } from '../text/review-ui.ts'
import { ThreadCard } from './thread-card.tsx'
import {
  fitsFilter,
  listThreads,
  runOfThread,
  runsByComment,
  countShown,
  type ThreadFilter,
  threadFilters,
} from './thread-list.ts'

type CommentsPanelProps = {
  connection: DocumentConnection
  editor: Editor
  ui: ReviewUi
  me: Me
  canComment: boolean
  /** Closes the panel if it covers the text. */
  onShowText: () => void
}

/** The number of cards drawn before the user asks for more: thousands would take seconds. */
const threadsAtOnce = 100

/** All comment threads of the document by filter, the open ones in document order. */
export function CommentsPanel({ connection, editor, ui, me, canComment, onShowText }: CommentsPanelProps) {
  const threads = useRoomPart(connection.room, 'threads')
  const runs = useRoomPart(connection.room, 'runs')
  const { threads: order, thread: active } = useReview(ui)
  const colorOf = useColorOf(connection)
  const [wanted, setWanted] = useState<ThreadFilter>('open')
  const all = listThreads(threads.values(), order)
  const fits = (filter: ThreadFilter) => all.filter((thread) => fitsFilter(thread, filter, me.user.id))
  // A thread that was clicked in the text must be visible.
  const clicked = all.find(({ id }) => id === active)
  const filter = clicked && !clicked.resolved && !fitsFilter(clicked, wanted, me.user.id) ? 'open' : wanted
  const fitting = fits(filter)
  const [upTo, setUpTo] = useState(threadsAtOnce)
  const shown = fitting.slice(0, countShown(fitting, active, upTo))
  const runsBy = useMemo(() => runsByComment(runs.values()), [runs])
  const select = (thread: string) => {
    ui.put({ thread })
    const place = anchorsOf(editor.state.doc).threads.get(thread)
    if (!place) return
    onShowText()
    // If the panel covered the text, the text gets its size again only in the next frame.
    requestAnimationFrame(() => scrollToPosition(editor.view, place.from))
  }
  const choose = (next: ThreadFilter) => {
    ui.put({ thread: null })
    setWanted(next)
    setUpTo(threadsAtOnce)
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Filters current={filter} count={(each) => fits(each).length} onChoose={choose} />
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-4 pt-3">
        {shown.length === 0 && <Empty filter={filter} canComment={canComment} />}
        <ol tabIndex={-1} aria-label={t('Comment threads')} className="flex flex-col gap-2.5">
          {shown.map((thread) => (
            <ThreadCard
              key={thread.id}
              thread={thread}
              run={runOfThread(thread, runsBy)}
              {...{ editor, ui, canComment, colorOf }}
              document={connection.document}
              self={me.user.id}
              active={thread.id === active}
              onSelect={() => select(thread.id)}
              onReply={() => ui.put({ thread: thread.id })}
              onEscape={() => {
                onShowText()
                backToText(editor, thread.id)
              }}
            />
          ))}
        </ol>
        {shown.length < fitting.length && (
          <Button size="small" className="mt-2.5 w-full" onClick={() => setUpTo(shown.length + threadsAtOnce)}>
            {t('Show more of {count, number}', { count: fitting.length })}
          </Button>
        )}
      </div>
      <IfAllowed document={connection.document} to="comment" />
    </div>
  )
}

type FiltersProps = {
  current: ThreadFilter
  count: (filter: ThreadFilter) => number
  onChoose: (filter: ThreadFilter) => void
}

// Hides empty filters, except for the two that users switch between.
function Filters({ current, count, onChoose }: FiltersProps) {
  const counted = threadFilters.map((each) => ({ ...each, found: count(each.filter) }))
  const offered = counted.filter(
    ({ filter, found }) => found > 0 || filter === 'open' || filter === 'resolved' || filter === current,
  )
  return (
    <div role="group" aria-label={t('Which comments')} className="flex shrink-0 flex-wrap gap-1.5 px-4 pt-3">
      {offered.map(({ filter, label, found }) => (
        <FilterButton
          key={filter}
          pressed={filter === current}
          onPress={() => onChoose(filter)}
          label={t(label)}
          count={found}
        />
      ))}
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

const emptyTitles: Record<ThreadFilter, EnglishText> = {
  open: 'No open comments',
  unanswered: 'Everything is answered',
  mine: 'You have no open comments',
  orphaned: 'Every comment has its text',
  resolved: 'Nothing is resolved yet',
}

function Empty({ filter, canComment }: { filter: ThreadFilter; canComment: boolean }) {
  return (
    <div className="flex h-full flex-col items-center justify-center px-4 text-center text-ink-soft">
      <MessageSquareQuote size={24} aria-hidden className="mb-2 text-ink-faint" />
      <p className="font-medium text-ink">{t(emptyTitles[filter])}</p>
      {filter === 'open' && canComment && (
        <p className="mt-1 text-sm text-balance">
          {t('Select text and choose “Comment”. Write @agent in a comment, and the agent answers there.')}
        </p>
      )}
    </div>
  )
}

type IfAllowedProps = { document: string; to: 'comment'; children?: ReactNode }

/** Renders `children` for users who may comment or ask the agent; for others, the reason why they may not. */
function IfAllowed({ document, to, children }: IfAllowedProps) {
  const { data: summary } = useDocumentSummary(document)
  const reason = missingRight(summary?.role, to)
  if (reason === undefined) return children
  return (
    <p className="flex shrink-0 gap-2 border-t border-line px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] text-sm text-ink-soft">
      <Lock size={15} aria-hidden className="mt-0.5 shrink-0" />
      {reason}
    </p>
  )
}
