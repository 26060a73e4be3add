import type { Comment } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { rewordComment } from '../../api/review.ts'
import { editCommentDraft, useDraft } from '../../common/drafts.ts'
import { t } from '../../i18n/translate.ts'
import { directoryOf } from '../../mentions/people-directory.ts'
import { Button } from '../../ui/button.tsx'
import { CommentBox } from './thread-parts.tsx'

type EditFormProps = { document: string; thread: string; comment: Comment; onClose: () => void }

/** The form that changes a comment's text. Unsaved text is a draft, with which the form opens again after a reload. */
export function EditForm({ document, thread, comment, onClose }: EditFormProps) {
  const [draft, setDraft] = useDraft(editCommentDraft(document, comment.id))
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
      <CommentBox
        document={document}
        agents={false}
        label={t('Edit comment')}
        placeholder={t('Edit the comment')}
        text={text}
        onText={(next) => {
          setUntouched(false)
          setDraft(next)
        }}
        onSend={() => (text.trim() === comment.text ? done() : save.mutate(text.trim()))}
        sendLabel={t('Save')}
        sending={save}
        autoFocus
        onEscape={done}
      />
      <Button size="small" className="mt-1.5" onClick={done}>
        {t('Cancel')}
      </Button>
    </div>
  )
}
