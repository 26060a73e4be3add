import { ActivityIcon, MarkdownView, MessageBox, TimeOfDay } from '@copydesk/agent-panel'
import type { Comment, Run, Thread } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { Check, CircleAlert, RotateCcw, Square } from 'lucide-react'
import { type ComponentProps, memo, type ReactNode, useState } from 'react'
import { describeError } from '../../api/client.ts'
import { postComment, resolveThread } from '../../api/review.ts'
import { stopRun } from '../../api/runs.ts'
import { type RunView, viewRun } from '../../chat/runs/run-view.ts'
import { useDraft } from '../../common/drafts.ts'
import { currentWording } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { MentionField } from '../../mentions/mention-field.tsx'
import { MentionText } from '../../mentions/mention-text.tsx'
import { directoryOf } from '../../mentions/people-directory.ts'
import { Avatar } from '../../ui/people/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { useAction } from '../../ui/use-action.ts'

export function ResolveButton({ thread, document }: { thread: Thread; document: string }) {
  const resolve = useAction(() => resolveThread(document, thread.id, !thread.resolved))
  return (
    <IconButton
      label={t(thread.resolved ? 'Reopen' : 'Resolve')}
      // A disabled button would lose the focus before its card is removed.
      aria-disabled={resolve.isPending || undefined}
      onClick={() => {
        if (!resolve.isPending) resolve.mutate()
      }}
      className="-mt-1 -me-1 size-8!"
      icon={thread.resolved ? RotateCcw : Check}
      size={16}
    />
  )
}

type CommentItemProps = { comment: Comment; color: string; menu?: ReactNode; form?: ReactNode; children?: ReactNode }

/** One comment: author, time, and text or the `form` that changes it, with `children` below. */
export const CommentItem = memo(function CommentItem({ comment, color, menu, form, children }: CommentItemProps) {
  const { author, editedAt } = comment
  return (
    <li data-comment={comment.id} className="group/comment">
      <div className="mb-0.5 flex items-center gap-2">
        <Avatar name={author.name} color={color} kind={author.kind} size={20} />
        <span title={author.name} className="min-w-0 flex-1 truncate text-sm font-semibold">
          {author.name}
        </span>
        {editedAt !== undefined && <span className="text-xs text-ink-faint">{t('edited')}</span>}
        <TimeOfDay iso={comment.createdAt} locale={currentWording().locale} />
        {menu}
      </div>
      {form ? (
        form
      ) : author.kind === 'agent' ? (
        <MarkdownView text={comment.text} />
      ) : (
        <p dir="auto" className="text-[0.925rem] break-words whitespace-pre-wrap">
          <MentionText text={comment.text} mentions={comment.mentions} run={comment.run} />
        </p>
      )}
      {children}
    </li>
  )
})

/** The agent's run on a thread, or why it failed. */
export function RunLine({ run, document }: { run: Run; document: string }) {
  const view = viewRun(run, false)
  if (view.canStop) {
    return (
      <div className="mt-2">
        <RunActivityLine view={view} document={document} run={run.id} />
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

type ReplyProps = {
  thread: string
  document: string
  active: boolean
  resolved: boolean
  onReply: () => void
  onEscape: () => void
}

/**
 * A reply box if the thread is active or has a draft; otherwise a button that opens it. A resolved thread shows the box
 * only with a draft: another user may have resolved it meanwhile.
 */
export function Reply({ thread, document, active, resolved, onReply, onEscape }: ReplyProps) {
  const [isOpened, setOpened] = useState(false)
  const [draft] = useDraft(replyDraft(document, thread))
  if ((active && !resolved) || draft !== '')
    return <ReplyBox thread={thread} document={document} takesFocus={isOpened} onEscape={onEscape} />
  if (resolved) return null
  return (
    <button
      type="button"
      onClick={() => {
        setOpened(true)
        onReply()
      }}
      className="mt-2 rounded text-sm font-medium text-accent hover:underline"
    >
      {t('Reply|verb')}
    </button>
  )
}

function replyDraft(document: string, thread: string): string {
  return `reply ${document} ${thread}`
}

type ReplyBoxProps = Pick<ReplyProps, 'thread' | 'document' | 'onEscape'> & { takesFocus: boolean }

function ReplyBox({ thread, document, takesFocus, onEscape }: ReplyBoxProps) {
  const [text, setText] = useDraft(replyDraft(document, thread))
  const post = useMutation({
    mutationFn: (reply: string) =>
      postComment(document, thread, { text: reply, mentions: directoryOf(document).mentionedIn(reply) }),
    onSuccess: (_answer, reply) => setText((now) => (now.trim() === reply ? '' : now)),
  })
  return (
    <div className="mt-2.5">
      <CommentBox
        document={document}
        label={t('Reply')}
        placeholder={t('Reply, or @agent to ask')}
        text={text}
        onText={setText}
        onSend={() => post.mutate(text.trim())}
        sendLabel={t('Reply|verb')}
        sending={post}
        autoFocus={takesFocus}
        onEscape={onEscape}
      />
    </div>
  )
}

type CommentBoxProps = Omit<ComponentProps<typeof MessageBox>, 'busy' | 'problem' | 'onKeyDown'> & {
  document: string
  /** Whether agents can be mentioned. */
  agents?: boolean
  sending: { isPending: boolean; error: Error | null }
  onEscape?: () => void
}

export function CommentBox({ document, agents = true, sending, onEscape, ...box }: CommentBoxProps) {
  return (
    <MentionField document={document} agents={agents}>
      <MessageBox
        {...box}
        busy={sending.isPending}
        problem={sending.error ? describeError(sending.error) : undefined}
        onKeyDown={(event) => {
          if (!onEscape || event.key !== 'Escape' || event.nativeEvent.isComposing) return
          // Otherwise a surrounding sheet would close, too.
          event.stopPropagation()
          onEscape()
        }}
      />
    </MentionField>
  )
}

/** The current activity of a run, with a button to stop it. */
function RunActivityLine({ view, document, run }: { view: RunView; document: string; run: string }) {
  const stop = useAction(() => stopRun(document, run))
  // The response only acknowledges the request: the button remains disabled until the room reports that the run has
  // ended.
  const stopping = stop.isPending || stop.isSuccess
  return (
    <div className="flex items-center gap-2 text-sm text-ink-soft">
      <ActivityIcon tool={view.tool} isWaiting={view.isWaiting} />
      <span className="min-w-0 flex-1 truncate">
        {view.headline}
        {view.rounds && <span className="text-ink-faint"> · {view.rounds}</span>}
      </span>
      <Button size="small" disabled={stopping} onClick={() => stop.mutate()}>
        <Square size={10} aria-hidden fill="currentColor" />
        {t(stopping ? 'Stopping…' : 'Stop')}
      </Button>
    </div>
  )
}
