import type { Comment, Run, Thread } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { Check, CircleAlert, RotateCcw } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import { describeError } from '../api/client.ts'
import { postComment, resolveThread } from '../api/review.ts'
import { useDraft } from '../app/drafts.ts'
import { showError } from '../app/toasts.tsx'
import { GoingLine } from '../chat/going-line.tsx'
import { MarkdownView } from '../chat/markdown-view.tsx'
import { MessageBox } from '../chat/message-box.tsx'
import { viewRun } from '../chat/run-view.ts'
import { TimeOfDay } from '../chat/time-of-day.tsx'
import { MentionField } from '../mentions/mention-field.tsx'
import { MentionText } from '../mentions/mention-text.tsx'
import { agentTarget } from '../mentions/targets.ts'
import { Avatar } from '../ui/avatar.tsx'
import { IconButton } from '../ui/icon-button.tsx'

type ThreadCardProps = {
  thread: Thread
  run: Run | undefined
  document: string
  active: boolean
  canComment: boolean
  colorOf: (id: string) => string
  onSelect: () => void
}

/** One thread: the text that it is about, what was said, the agent at work on it, and a box to reply. */
export function ThreadCard({ thread, run, document, active, canComment, colorOf, onSelect }: ThreadCardProps) {
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (active) card.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <li
      ref={card}
      data-thread-card={thread.id}
      aria-current={active ? true : undefined}
      className={`rounded-xl border p-3 ${active ? 'border-comment bg-comment-soft/40' : 'border-line bg-surface'}`}
    >
      <div className="flex items-start gap-1">
        <Quote thread={thread} onSelect={onSelect} />
        {canComment && <ResolveButton thread={thread} document={document} />}
      </div>
      <ol aria-label="Comments" className="mt-2 flex flex-col gap-3">
        {thread.comments.map((comment) => (
          <CommentItem key={comment.id} comment={comment} color={colorOf(comment.author.id)} />
        ))}
      </ol>
      {run && <RunLine run={run} document={document} />}
      {canComment && !thread.resolved && (
        <Reply thread={thread.id} document={document} active={active} onSelect={onSelect} />
      )}
    </li>
  )
}

function Quote({ thread, onSelect }: { thread: Thread; onSelect: () => void }) {
  return (
    <div className="min-w-0 flex-1">
      {thread.orphaned && !thread.resolved && <p className="mb-1 text-xs font-medium text-warn">The text is gone</p>}
      <button
        type="button"
        dir="auto"
        disabled={thread.orphaned}
        title={thread.orphaned ? undefined : 'Show in the text'}
        onClick={onSelect}
        className="line-clamp-2 w-full border-s-2 border-comment ps-2 text-start text-sm break-words text-ink-soft enabled:hover:text-ink"
      >
        {thread.quote || 'The selected place'}
      </button>
    </div>
  )
}

function ResolveButton({ thread, document }: { thread: Thread; document: string }) {
  const resolve = useMutation({
    mutationFn: () => resolveThread(document, thread.id, !thread.resolved),
    onError: showError,
  })
  const Icon = thread.resolved ? RotateCcw : Check
  return (
    <IconButton
      label={thread.resolved ? 'Reopen' : 'Resolve'}
      disabled={resolve.isPending}
      onClick={() => resolve.mutate()}
      className="-mt-1 -me-1 size-8!"
    >
      <Icon size={16} aria-hidden />
    </IconButton>
  )
}

const CommentItem = memo(function CommentItem({ comment, color }: { comment: Comment; color: string }) {
  const { author } = comment
  return (
    <li data-comment={comment.id}>
      <div className="mb-0.5 flex items-center gap-2">
        <Avatar name={author.name} color={color} kind={author.kind} size={20} />
        <span className="min-w-0 flex-1 truncate text-sm font-semibold">{author.name}</span>
        <TimeOfDay iso={comment.createdAt} />
      </div>
      {author.kind === 'agent' ? (
        <MarkdownView text={comment.text} />
      ) : (
        <p dir="auto" className="text-[0.925rem] break-words whitespace-pre-wrap">
          <MentionText text={comment.text} mentions={comment.mentions} run={comment.run} />
        </p>
      )}
    </li>
  )
})

function RunLine({ run, document }: { run: Run; document: string }) {
  const view = viewRun(run, false)
  if (view.canStop) {
    return (
      <div className="mt-2">
        <GoingLine view={view} document={document} run={run.id} />
      </div>
    )
  }
  if (!view.problem) return null
  return (
    <p className="mt-2 flex gap-2 rounded-lg bg-danger-soft px-2.5 py-1.5 text-sm text-danger">
      <CircleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
      <span className="min-w-0 break-words">{view.problem}</span>
    </p>
  )
}

type ReplyProps = { thread: string; document: string; active: boolean; onSelect: () => void }

/** A box to reply in where the thread stands out or something has been written; elsewhere a button that opens it. */
function Reply({ thread, document, active, onSelect }: ReplyProps) {
  const [isOpened, setOpened] = useState(false)
  const [draft] = useDraft(replyDraft(document, thread))
  if (active || draft !== '') return <ReplyBox thread={thread} document={document} takesFocus={isOpened} />
  return (
    <button
      type="button"
      onClick={() => {
        setOpened(true)
        onSelect()
      }}
      className="mt-2 rounded text-sm font-medium text-accent hover:underline"
    >
      Reply
    </button>
  )
}

function replyDraft(document: string, thread: string): string {
  return `reply ${document} ${thread}`
}

function ReplyBox({ thread, document, takesFocus }: { thread: string; document: string; takesFocus: boolean }) {
  const [text, setText] = useDraft(replyDraft(document, thread))
  const post = useMutation({
    mutationFn: (reply: string) => postComment(document, thread, reply),
    onSuccess: (_answer, reply) => setText((now) => (now.trim() === reply ? '' : now)),
  })
  return (
    <div className="mt-2.5">
      <MentionField document={document} agent={agentTarget}>
        <MessageBox
          label="Reply"
          placeholder="Reply, or @agent to ask"
          text={text}
          onText={setText}
          onSend={() => post.mutate(text.trim())}
          sendLabel="Reply"
          busy={post.isPending}
          autoFocus={takesFocus}
          problem={post.error ? describeError(post.error) : undefined}
        />
      </MentionField>
    </div>
  )
}
