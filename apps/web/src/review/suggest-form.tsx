import type { Selection } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, useCallback, useId, useState } from 'react'
import { describeError } from '../api/client.ts'
import { suggestChange } from '../api/review.ts'
import { useDraft } from '../app/drafts.ts'
import { showToast } from '../app/toasts.tsx'
import { readRelativeSelection } from '../editor/relative-selection.ts'
import { Button } from '../ui/button.tsx'
import { Floating } from './floating.tsx'
import { spotOfSelection } from './selection-spot.ts'

type SuggestFormProps = { editor: Editor; document: string; onClose: () => void }

type Target = { selection: Selection; text: string }

/**
 * Where who may not edit says what selected text should be instead. It is about the text that was selected when it opened, wherever that
 * goes meanwhile; what was written stays until the server has it.
 */
export function SuggestForm({ editor, document, onClose }: SuggestFormProps) {
  const id = useId()
  const [target] = useState(() => readTarget(editor))
  const [draft, setDraft] = useDraft(`new suggestion ${document}`)
  const text = draft === '' ? (target?.text ?? '') : draft
  const spot = useCallback(() => (target ? spotOfSelection(editor, target.selection) : null), [editor, target])
  const post = useSuggestion(document, target, () => {
    setDraft('')
    onClose()
  })
  if (!target) return null
  const close = () => {
    onClose()
    editor.commands.focus(null, { scrollIntoView: false })
  }
  const send = () => post.mutate(text)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && !event.nativeEvent.isComposing) send()
  }
  return (
    <Floating
      spot={spot}
      side="below"
      label="Suggest a change"
      className="w-80 max-w-[calc(100vw-1.5rem)] p-3"
      onEscape={close}
    >
      <label htmlFor={id} className="text-sm font-medium">
        Suggest instead
      </label>
      <textarea
        id={id}
        autoFocus
        dir="auto"
        rows={3}
        value={text}
        onChange={(event) => setDraft(event.target.value)}
        onFocus={(event) => event.target.select()}
        onKeyDown={onKeyDown}
        className="mt-1.5 w-full resize-y rounded-md border border-line-strong/70 bg-surface px-3 py-2 text-sm"
      />
      {post.error && (
        <p role="alert" className="mt-1 text-sm text-danger">
          {describeError(post.error)}
        </p>
      )}
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <Button look="danger" disabled={post.isPending} onClick={() => post.mutate('')}>
          Suggest removal
        </Button>
        <Button look="primary" disabled={post.isPending || text === target.text} onClick={send}>
          Suggest
        </Button>
      </div>
    </Floating>
  )
}

function useSuggestion(document: string, target: Target | undefined, onDone: () => void) {
  return useMutation({
    mutationFn: (replaceWith: string) => suggestChange(document, target?.selection, replaceWith),
    onSuccess: () => {
      showToast('Suggested. Editors decide on it.')
      onDone()
    },
  })
}

function readTarget({ state }: Editor): Target | undefined {
  const selection = readRelativeSelection(state)
  if (!selection) return undefined
  const { from, to } = state.selection
  return { selection, text: state.doc.textBetween(from, to, '\n') }
}
