import type { Editor } from '@tiptap/core'
import { MessageSquareText } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useNarrow } from '../document/use-narrow.ts'
import { useSettledSelection } from '../editor/bubble/use-settled-selection.ts'
import type { EditorUi } from '../editor/editor-ui.ts'
import { reviewAtCaret } from '../editor/review/at-caret.ts'
import type { ReviewUi } from '../editor/review/review-ui.ts'
import type { WritingUi } from '../editor/writing-ui.ts'
import { Floating } from './floating.tsx'
import { NewThreadForm } from './new-thread-form.tsx'
import { spotOf } from './spot.ts'
import { useReview } from './use-review.ts'

const SelectionBubble = lazy(async () => ({
  default: (await import('../editor/bubble/selection-bubble.tsx')).SelectionBubble,
}))

const SuggestForm = lazy(async () => ({ default: (await import('./suggest-form.tsx')).SuggestForm }))

type CommentBubbleProps = {
  editor: Editor
  ui: ReviewUi
  editorUi: EditorUi
  writing: WritingUi
  document: string
  canDecide: boolean
  onOpenThread: (thread: string) => void
  onAsk: () => void
}

/**
 * The bubble at selected text, and the comment form that it opens; if the panel covers the text, also the button that
 * opens a comment's thread.
 */
export function CommentBubble(props: CommentBubbleProps) {
  const { editor, ui, editorUi, writing, document, canDecide, onOpenThread, onAsk } = props
  const { composing, thread } = useReview(ui)
  const isNarrow = useNarrow()
  const isSelected = useSettledSelection(editor, writing)
  const spot = useCallback(() => spotOf(editor, editor.state.selection.from, editor.state.selection.to), [editor])
  const [suggesting, setSuggesting] = useState(false)
  if (suggesting) {
    return (
      <Suspense fallback={null}>
        <SuggestForm editor={editor} document={document} onClose={() => setSuggesting(false)} />
      </Suspense>
    )
  }
  if (composing) return <NewThreadForm {...{ editor, ui, writing, document, onOpenThread }} />
  if (isSelected) {
    return (
      <Suspense fallback={null}>
        <SelectionBubble
          editor={editor}
          ui={editorUi}
          writing={writing}
          canEdit={canDecide}
          onSuggest={canDecide ? undefined : () => setSuggesting(true)}
          onComment={() => ui.put({ composing: true })}
          onAsk={onAsk}
        />
      </Suspense>
    )
  }
  if (!isNarrow || thread === null || !canFind(editor, thread)) return null
  return (
    <Floating
      spot={spot}
      side="above"
      label="Commented text"
      className="p-0.5"
      onEscape={() => editor.commands.focus()}
    >
      <button
        type="button"
        // A mouse press leaves the focus, and so the selection, in the text.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onOpenThread(thread)}
        className="flex h-8 items-center gap-1.5 rounded-lg px-2.5 text-sm font-medium hover:bg-hover"
      >
        <MessageSquareText size={15} aria-hidden />
        Show comment
      </button>
    </Floating>
  )
}

function canFind(editor: Editor, thread: string): boolean {
  return reviewAtCaret(editor.state).threads.includes(thread)
}
