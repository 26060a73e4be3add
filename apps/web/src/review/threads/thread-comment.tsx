import { type Comment, pathOfPlace, type Thread } from '@copydesk/protocol'
import { Ellipsis, Link, Pencil, Trash2, SmilePlus } from 'lucide-react'
import { type ReactNode, type Ref, useState, useRef } from 'react'
import { separatePart } from '../../common/lazy-part.ts'
import { useDocumentSummary } from '../../api/documents.ts'
import { drafts, editCommentDraft } from '../../common/drafts.ts'
import { mayEdit, mayManage } from '../../common/roles.ts'
import { t } from '../../i18n/translate.ts'
import { copyLink } from '../../ui/toasts/copying.ts'
import { Menu, MenuItem } from '../../ui/menus/menu.tsx'
import { CommentItem } from './thread-parts.tsx'
import type { ReactionsProps } from './reactions/use-toggle-reaction.ts'

const Reactions = separatePart(async () => (await import('./reactions/reactions.tsx')).Reactions)
const EditForm = separatePart(async () => (await import('./edit-comment-form.tsx')).EditForm)
const DeleteQuestion = separatePart(async () => (await import('./delete-question.tsx')).DeleteQuestion)

const actionClass = 'flex size-7 shrink-0 items-center justify-center rounded-md text-ink-soft hover:bg-hover'

type ThreadCommentProps = {
  thread: Thread
  comment: Comment
  document: string
  self: string
  canComment: boolean
  color: string
  children?: ReactNode
}

/**
 * A comment of an open thread, with reactions and a menu: copy its link, and for people with the right, edit, delete.
 */
export function ThreadComment({ color, children, ...props }: ThreadCommentProps) {
  const { thread, comment, document, self, canComment } = props
  const [isEditing, setEditing] = useState(() => drafts.get(editCommentDraft(document, comment.id)) !== '')
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
        // While these buttons are hidden, the names of authors use their space.
        <span className="-me-1 flex justify-end gap-2 at-rest:-ms-1 at-rest:w-0 at-rest:opacity-0">
          {canComment && <AddReaction {...reactions} className={actionClass} />}
          <CommentMenu
            {...props}
            button={setButton}
            onEdit={() => setEditing(true)}
            onDelete={() => setDeleting(true)}
          />
        </span>
      }
      form={isEditing && <EditForm {...{ document, comment }} thread={thread.id} onClose={close} />}
    >
      {children}
      {comment.reactions && <Reactions {...reactions} canComment={canComment} />}
      {isDeleting && (
        <DeleteQuestion {...{ document, thread, comment }} returnFocusTo={button} onClose={() => setDeleting(false)} />
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
      aria-label={t('Actions for the comment by {name}', { name: comment.author.name })}
      className={actionClass}
    >
      <Ellipsis size={16} aria-hidden />
    </button>
  )
  return (
    <Menu trigger={trigger}>
      {isOwn && <MenuItem icon={Pencil} onSelect={onEdit} text={t('Edit')} />}
      <MenuItem
        icon={Link}
        onSelect={() => void copyLink(pathOfPlace(document, { kind: 'comment', thread: thread.id, id: comment.id }))}
        text={t('Copy link')}
      />
      {mayDelete && <MenuItem icon={Trash2} danger onSelect={onDelete} text={t('Delete…')} />}
    </Menu>
  )
}

const loadPicker = () => import('./reactions/reaction-picker.tsx')
const ReactionPicker = separatePart(async () => (await loadPicker()).ReactionPicker)

/** A button that opens the choice of reactions; `className` styles it. */
function AddReaction({ className, ...props }: ReactionsProps & { className: string }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={t('React to the comment by {name}', { name: props.comment.author.name })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className={className}
        onPointerEnter={() => void loadPicker()}
        onClick={() => setOpen(true)}
      >
        <SmilePlus size={15} aria-hidden />
      </button>
      {isOpen && <ReactionPicker {...props} anchor={button} onClose={() => setOpen(false)} />}
    </>
  )
}
