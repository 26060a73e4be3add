import type { Run, Thread } from '@copydesk/protocol'
import { memo } from 'react'
import { CommentItem, Reply, ResolveButton, RunLine } from '../thread-parts.tsx'

type MarginThreadProps = {
  thread: Thread
  run: Run | undefined
  document: string
  active: boolean
  canComment: boolean
  colorOf: (id: string) => string
  onSelect: (id: string) => void
  onEscape: (id: string) => void
}

/** A thread in the margin: its beginning, or all of it with a reply box while it is active. */
export const MarginThread = memo(function MarginThread(props: MarginThreadProps) {
  const { thread, run, document, active, canComment, colorOf } = props
  const [first] = thread.comments
  const replies = thread.comments.length - 1
  if (!first) return null
  const select = () => props.onSelect(thread.id)
  return (
    <div data-thread-card={thread.id} className="p-3">
      {canComment && (
        <div className="float-end -me-1 -mt-0.5 ms-1">
          <ResolveButton thread={thread} document={document} />
        </div>
      )}
      {active ? (
        <ol aria-label="Comments" className="flex max-h-[60vh] flex-col gap-3 overflow-y-auto">
          {thread.comments.map((comment) => (
            <CommentItem key={comment.id} comment={comment} color={colorOf(comment.author.id)} />
          ))}
        </ol>
      ) : (
        <ol aria-label="Comments" className="line-clamp-4">
          <CommentItem comment={first} color={colorOf(first.author.id)} />
        </ol>
      )}
      {!active && replies > 0 && (
        <button type="button" onClick={select} className="mt-1.5 rounded text-sm font-medium text-accent">
          {replies === 1 ? '1 reply' : `${replies} replies`}
        </button>
      )}
      {run && <RunLine run={run} document={document} />}
      {canComment && active && (
        <Reply
          thread={thread.id}
          document={document}
          active
          resolved={thread.resolved}
          onReply={select}
          onEscape={() => props.onEscape(thread.id)}
        />
      )}
    </div>
  )
})
