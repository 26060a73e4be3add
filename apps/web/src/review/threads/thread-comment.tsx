import { MessageBox } from '@copydesk/agent-panel'
import { type Comment, pathOfPlace, type Thread } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { Ellipsis, Link, PenLine, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, type Ref, Suspense, useState } from 'react'
import { describeError } from '../../api/client.ts'
import { useDocumentSummary } from '../../api/documents.ts'
import { rewordComment } from '../../api/review.ts'
import { drafts, useDraft } from '../../common/drafts.ts'
import { mayEdit, mayManage } from '../../common/roles.ts'
import { MentionField } from '../../mentions/mention-field.tsx'
import { directoryOf } from '../../mentions/people-directory.ts'
import { Button } from '../../ui/button.tsx'
import { copyLink } from '../../ui/copying.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { AddReaction, Reactions } from './reactions.tsx'
import { CommentItem } from './thread-parts.tsx'

const DeleteQuestion = lazy(async () => ({ default: (await import('./delete-question.tsx')).DeleteQuestion }))

// Shown while the comment is pointed at or has the focus; always where nothing can hover.
const actionClass =
  'flex size-7 shrink-0 items-center justify-center rounded-md text-ink-soft opacity-0 group-focus-within/comment:opacity-100 group-hover/comment:opacity-100 hover:bg-hover focus-visible:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100'

type ThreadCommentProps = {
  thread: Thread
  comment: Comment
  document: string
  self: string
  canComment: boolean
  color: string
  children?: ReactNode
}

/** A comment of an open thread with reactions and a menu: a link to it, and for those who may, to change or delete it. */
export function ThreadComment({ color, children, ...props }: ThreadCommentProps) {
  const { thread, comment, document, self, canComment } = props
  const [isEditing, setEditing] = useState(() => drafts.get(editDraft(document, comment.id)) !== '')
  const [isDeleting, setDeleting] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const reactions = { document, thread: thread.id, comment, self }
  const close = () => {
    setEditing(false)
    button?.focus()
  }
  return (
    <CommentItem
      comment={comment}
      color={color}
      menu={
        <>
          {canComment && <AddReaction {...reactions} className={actionClass} />}
          <CommentMenu
            {...props}
            button={setButton}
            onEdit={() => setEditing(true)}
            onDelete={() => setDeleting(true)}
          />
        </>
      }
      form={isEditing ? <EditForm {...{ document, comment }} thread={thread.id} onClose={close} /> : undefined}
    >
      {children}
      <Reactions {...reactions} canComment={canComment} />
      {isDeleting && (
        <Suspense fallback={null}>
          <DeleteQuestion
            {...{ document, thread, comment }}
            returnFocusTo={button}
            onClose={() => setDeleting(false)}
          />
        </Suspense>
      )}
    </CommentItem>
  )
}

type CommentMenuProps = Omit<ThreadCommentProps, 'color' | 'children'> & {
  button: Ref<HTMLButtonElement>
  onEdit: () => void
  onDelete: () => void
}

function CommentMenu({ thread, comment, document, self, canComment, button, onEdit, onDelete }: CommentMenuProps) {
  const summary = useDocumentSummary(document).data
  const isOwn = canComment && comment.author.id === self
  const mayDelete =
    isOwn || (summary && (mayManage(summary) || (comment.author.kind === 'agent' && mayEdit(summary.role))))
  const trigger = (
    <button
      ref={button}
      type="button"
      aria-label={`Actions for the comment by ${comment.author.name}`}
      className={`${actionClass} -me-1`}
    >
      <Ellipsis size={16} aria-hidden />
    </button>
  )
  return (
    <Menu trigger={trigger}>
      {isOwn && (
        <MenuItem icon={<PenLine size={16} />} onSelect={onEdit}>
          Edit
        </MenuItem>
      )}
      <MenuItem
        icon={<Link size={16} />}
        onSelect={() => void copyLink(pathOfPlace(document, { kind: 'comment', thread: thread.id, id: comment.id }))}
      >
        Copy link
      </MenuItem>
      {mayDelete && (
        <MenuItem icon={<Trash2 size={16} />} danger onSelect={onDelete}>
          Delete…
        </MenuItem>
      )}
    </Menu>
  )
}

function editDraft(document: string, comment: string): string {
  return `edit comment ${document} ${comment}`
}

type EditFormProps = { document: string; thread: string; comment: Comment; onClose: () => void }

/** The form that changes a comment's text. Unsaved text is a draft, with which the form opens again after a reload. */
function EditForm({ document, thread, comment, onClose }: EditFormProps) {
  const [draft, setDraft] = useDraft(editDraft(document, comment.id))
  const [isUntouched, setUntouched] = useState(draft === '')
  const text = isUntouched ? comment.text : draft
  const done = () => {
    setDraft('')
    onClose()
  }
  const save = useMutation({
    mutationFn: (wanted: string) =>
      rewordComment(document, thread, comment.id, {
        text: wanted,
        mentions: directoryOf(document).mentionedIn(wanted),
      }),
    onSuccess: done,
  })
  return (
    <div className="mt-1">
      <MentionField document={document}>
        <MessageBox
          label="Edit comment"
          placeholder="Edit the comment"
          text={text}
          onText={(next) => {
            setUntouched(false)
            setDraft(next)
          }}
          onSend={() => (text.trim() === comment.text ? done() : save.mutate(text.trim()))}
          sendLabel="Save"
          busy={save.isPending}
          autoFocus
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
            // Otherwise a sheet around it would close, too.
            event.stopPropagation()
            done()
          }}
          problem={save.error ? describeError(save.error) : undefined}
        />
      </MentionField>
      <Button size="small" className="mt-1.5" onClick={done}>
        Cancel
      </Button>
    </div>
  )
}
