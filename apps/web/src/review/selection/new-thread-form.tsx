import type { Selection } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import type { Editor } from '@tiptap/core'
import { X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { postThread } from '../../api/review.ts'
import { newCommentDraft, useDraft } from '../../common/drafts.ts'
import { isNarrow } from '../../common/layout/media-queries.ts'
import type { WritingUi } from '../../editor/common/editor-ui.ts'
import { Floating, spotOfSelection } from '../../editor/common/floating.tsx'
import { readRelativeSelection, selectedText } from '../../editor/common/positions.ts'
import { t } from '../../i18n/translate.ts'
import { directoryOf } from '../../mentions/people-directory.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'
import { useFocusBack } from '../text/review-focus.ts'
import type { ReviewUi } from '../text/review-ui.ts'
import { CommentBox } from '../threads/thread-parts.tsx'

type NewThreadFormProps = {
  editor: Editor
  ui: ReviewUi
  writing: WritingUi
  document: string
  onOpenThread: (thread: string) => void
}

type Target = { selection: Selection; quote: string }

const longestQuote = 20_000

/**
 * The form for the first comment on selected text. It belongs to the text that was selected when it opened, also if
 * that text moves. The draft is kept, even after closing, until the server has stored it.
 */
export function NewThreadForm({ editor, ui, writing, document, onOpenThread }: NewThreadFormProps) {
  const [target] = useState(() => readTarget(editor))
  const [text, setText] = useDraft(newCommentDraft(document))
  const spot = useCallback(() => (target ? spotOfSelection(editor, target.selection) : null), [editor, target])
  const sending = useMutation({
    mutationFn: (sent: { text: string; target: Target }) => post(document, sent),
    // The user may have continued writing meanwhile, perhaps in another form.
    onSuccess: (_thread, { text: sent }) => setText((now) => (now.trim() === sent ? '' : now)),
  })
  const focusBack = useFocusBack(editor)
  const show = ({ id }: { id: string }) => {
    // The commented text is still selected when the focus returns to it.
    writing.bubbleClosed.set(true)
    ui.put({ composing: false, thread: id })
    if (isNarrow()) showToast(t('Comment added.'), { label: t('Show'), run: () => onOpenThread(id) })
    else onOpenThread(id)
  }
  useEffect(() => {
    if (!target) ui.put({ composing: false })
  }, [target, ui])
  const close = () => {
    ui.put({ composing: false })
    editor.commands.focus()
  }
  if (!target) return null
  return (
    <Floating
      spot={spot}
      side="below"
      label={t('New comment')}
      className="w-80 max-w-[calc(100vw-1.5rem)] p-2"
      onEscape={close}
    >
      <div className="mb-1 flex items-center gap-2 ps-1">
        <p dir="auto" className="min-w-0 flex-1 truncate text-xs text-ink-soft">
          {target.quote ? t('“{name}”', { name: target.quote }) : t('Comment on the selection')}
        </p>
        <button type="button" aria-label={t('Close')} onClick={close} className={`${iconButtonClass} -my-1 size-7!`}>
          <X size={14} aria-hidden />
        </button>
      </div>
      <div ref={focusBack}>
        <CommentBox
          document={document}
          label={t('Comment')}
          placeholder={t('Comment, or @agent to ask')}
          text={text}
          onText={setText}
          onSend={() => sending.mutate({ text: text.trim(), target }, { onSuccess: show })}
          sendLabel={t('Comment|verb')}
          sending={sending}
          autoFocus
        />
      </div>
    </Floating>
  )
}

function readTarget({ state }: Editor): Target | undefined {
  const selection = readRelativeSelection(state)
  if (!selection) return undefined
  return { selection, quote: selectedText(state, '\n').trim().slice(0, longestQuote) }
}

function post(document: string, { text, target: { selection, quote } }: { text: string; target: Target }) {
  const mentions = directoryOf(document).mentionedIn(text)
  return postThread(document, { text, mentions, selection, ...(quote ? { quote } : {}) })
}
