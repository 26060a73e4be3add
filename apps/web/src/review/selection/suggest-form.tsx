import type { Selection } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, useCallback, useEffect, useState } from 'react'
import { describeError } from '../../api/client.ts'
import { suggestChange } from '../../api/review.ts'
import { useDraft } from '../../common/drafts.ts'
import { Floating, spotOfSelection } from '../../editor/common/floating.tsx'
import { readRelativeSelection } from '../../editor/common/positions.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/fields/field.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'

type SuggestFormProps = { editor: Editor; document: string; onClose: () => void }

type Target = { selection: Selection; text: string }

/**
 * The form in which users without the right to edit suggest a replacement for selected text. It belongs to the text
 * that was selected when it opened, also if that text moves; its draft is kept until the server has stored it.
 */
export function SuggestForm({ editor, document, onClose }: SuggestFormProps) {
  const target = useTarget(editor, onClose)
  const [text, write, forget] = useSuggestedText(document, target?.text ?? '')
  const spot = useCallback(() => (target ? spotOfSelection(editor, target.selection) : null), [editor, target])
  const post = useSuggestion(document, target, forget)
  if (!target) return null
  const close = () => {
    onClose()
    editor.commands.focus(null, { scrollIntoView: false })
  }
  const suggest = (replaceWith: string) => {
    if (!post.isPending) post.mutate(replaceWith, { onSuccess: close })
  }
  const send = () => {
    if (text !== target.text) suggest(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && !event.nativeEvent.isComposing) send()
  }
  return (
    <Floating
      spot={spot}
      side="below"
      label={t('Suggest a change')}
      className="w-80 max-w-[calc(100vw-1.5rem)] p-3"
      onEscape={close}
    >
      <TextArea
        label={t('Suggest instead')}
        autoFocus
        rows={3}
        value={text}
        problem={post.error ? describeError(post.error) : undefined}
        onChange={(event) => write(event.target.value)}
        onFocus={(event) => event.target.select()}
        onKeyDown={onKeyDown}
        className="resize-y"
      />
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <Button look="danger" disabled={post.isPending} onClick={() => suggest('')}>
          {t('Suggest removal')}
        </Button>
        <Button look="primary" disabled={post.isPending || text === target.text} onClick={send}>
          {t('Suggest')}
        </Button>
      </div>
    </Floating>
  )
}

// The draft of a replacement for this text; other text has a separate draft.
function useSuggestedText(document: string, before: string) {
  const [draft, setDraft] = useDraft(`new suggestion ${document} ${before}`)
  // An empty draft isn't stored: only this state knows that the user has emptied the field.
  const [isEmptied, setEmptied] = useState(false)
  const write = (text: string) => {
    setEmptied(text === '')
    setDraft(text)
  }
  const forget = (sent: string) => setDraft((now) => (now === sent ? '' : now))
  return [draft === '' && !isEmptied ? before : draft, write, forget] as const
}

// Also runs after the form was closed; another one may be open by then.
function useSuggestion(document: string, target: Target | undefined, onSent: (text: string) => void) {
  return useMutation({
    mutationFn: (replaceWith: string) => suggestChange(document, target?.selection, replaceWith),
    onSuccess: (_answer, sent) => {
      showToast(t('Suggested. Editors decide on it.'))
      onSent(sent)
    },
  })
}

function useTarget(editor: Editor, onMissing: () => void): Target | undefined {
  const [target] = useState(() => readTarget(editor))
  useEffect(() => {
    if (!target) onMissing()
  }, [target, onMissing])
  return target
}

function readTarget({ state }: Editor): Target | undefined {
  const selection = readRelativeSelection(state)
  if (!selection) return undefined
  const { from, to } = state.selection
  return { selection, text: state.doc.textBetween(from, to, '\n') }
}
