import type { Comment, Thread } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { deleteComment } from '../../api/review.ts'
import { t } from '../../i18n/translate.ts'
import { Question } from '../../ui/question.tsx'

type DeleteQuestionProps = {
  document: string
  thread: Thread
  comment: Comment
  returnFocusTo: HTMLElement | null
  onClose: () => void
}

export function DeleteQuestion({ document, thread, comment, returnFocusTo, onClose }: DeleteQuestionProps) {
  const remove = useMutation({
    mutationFn: () => deleteComment(document, thread.id, comment.id),
    onSuccess: onClose,
  })
  const isLast = thread.comments.length === 1
  return (
    <Question
      title={t('Delete this comment?')}
      action={t('Delete')}
      isPending={remove.isPending}
      error={remove.error}
      returnFocusTo={returnFocusTo}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t(
        isLast
          ? 'It is the only one: its mark in the text goes, too. This can’t be undone.'
          : 'The other comments stay. This can’t be undone.',
      )}
    </Question>
  )
}
