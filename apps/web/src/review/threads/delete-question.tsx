import type { Comment, Thread } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { describeError } from '../../api/client.ts'
import { deleteComment } from '../../api/review.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

type DeleteQuestionProps = {
  document: string
  thread: Thread
  comment: Comment
  returnFocusTo: HTMLElement | null
  onClose: () => void
}

/** Asks whether to delete a comment. */
export function DeleteQuestion({ document, thread, comment, returnFocusTo, onClose }: DeleteQuestionProps) {
  const remove = useMutation({
    mutationFn: () => deleteComment(document, thread.id, comment.id),
    onSuccess: onClose,
  })
  const isLast = thread.comments.length === 1
  return (
    <Dialog
      title={t('Delete this comment?')}
      open
      onOpenChange={(open) => !open && onClose()}
      returnFocusTo={returnFocusTo}
    >
      <p className="text-sm text-ink-soft">
        {t(
          isLast
            ? 'It is the only one: its mark in the text goes, too. This can’t be undone.'
            : 'The other comments stay. This can’t be undone.',
        )}
      </p>
      {remove.error && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {describeError(remove.error)}
        </p>
      )}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
          {t('Delete')}
        </Button>
      </div>
    </Dialog>
  )
}
