import type { Run, Thread } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import type { ReviewUi } from '../text/review-ui.ts'
import { Proposal } from './proposal.tsx'
import { ThreadComment } from './thread-comment.tsx'
import { Reply, ResolveButton, RunLine } from './thread-parts.tsx'

/** A thread with its newest run, and the functions for showing it. */
export type ThreadProps = {
  thread: Thread
  run: Run | undefined
  document: string
  self: string
  editor: Editor
  ui: ReviewUi
  active: boolean
  canComment: boolean
  colorOf: (id: string) => string
}

type ThreadCardProps = ThreadProps & { onSelect: () => void; onReply: () => void; onEscape: () => void }

/** One thread: its quoted text, its comments, its running agent, and a reply box. */
export function ThreadCard({ onSelect, onReply, onEscape, ...props }: ThreadCardProps) {
  const { thread, run, document, active, canComment } = props
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (active) card.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  useFocusNext(card)
  return (
    <li
      ref={card}
      tabIndex={-1}
      data-thread-card={thread.id}
      aria-current={active ? true : undefined}
      className={`rounded-xl border p-3 ${active ? 'border-comment bg-comment-soft/40' : 'border-line bg-surface'}`}
    >
      <div className="flex items-start gap-1">
        <Quote thread={thread} onSelect={onSelect} />
        {canComment && <ResolveButton thread={thread} document={document} />}
      </div>
      <Comments {...props} onShow={onSelect} className="mt-2 flex flex-col gap-3" />
      {run && <RunLine run={run} document={document} />}
      {canComment && (
        <Reply {...{ document, active, onReply, onEscape }} thread={thread.id} resolved={thread.resolved} />
      )}
    </li>
  )
}

type CommentsProps = ThreadProps & { onShow?: (() => void) | undefined; className: string }

export function Comments({ colorOf, onShow, className, ...props }: CommentsProps) {
  const { thread, document, self, editor, ui, canComment } = props
  return (
    <ol aria-label={t('Comments')} className={className}>
      {thread.comments.map((comment) => (
        <ThreadComment
          key={comment.id}
          {...{ thread, comment, document, self, canComment }}
          color={colorOf(comment.author.id)}
        >
          <Proposal {...{ thread, comment, document, editor, ui, canComment, onShow }} />
        </ThreadComment>
      ))}
    </ol>
  )
}

// When a card that has the focus is removed, for example a resolved one, the next one takes the focus, or the list:
// otherwise the browser would move it to the start of the page.
function useFocusNext(card: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const shown = card.current
    return () => {
      if (!shown?.contains(document.activeElement)) return
      const next = shown.nextElementSibling ?? shown.previousElementSibling ?? shown.parentElement
      if (next instanceof HTMLElement) next.focus()
    }
  }, [card])
}

function Quote({ thread, onSelect }: { thread: Thread; onSelect: () => void }) {
  return (
    <div className="min-w-0 flex-1">
      {thread.orphaned && !thread.resolved && (
        <p className="mb-1 text-xs font-medium text-warn">{t('The text is gone')}</p>
      )}
      <button
        type="button"
        dir="auto"
        disabled={thread.orphaned}
        title={thread.orphaned ? undefined : t('Show in the text')}
        onClick={onSelect}
        className="line-clamp-2 w-full border-s-2 border-comment ps-2 text-start text-sm break-words text-ink-soft enabled:hover:text-ink"
      >
        {thread.quote || t('The selected place')}
      </button>
    </div>
  )
}
