import type { Editor } from '@tiptap/core'
import { MessageSquareText } from 'lucide-react'
import { type EditorState, TextSelection } from 'prosemirror-state'
import { useCallback, useEffect, useState } from 'react'
import { lazyPart, separatePart } from '../../common/lazy-part.ts'
import { useNarrow } from '../../common/layout/media-queries.ts'
import type { EditorUi, WritingUi } from '../../editor/common/editor-ui.ts'
import { Floating, spotOf } from '../../editor/common/floating.tsx'
import { useEditorState } from '../../editor/common/use-editor-state.ts'
import { selectedImage } from '../../editor/images/selected-image.ts'
import { t } from '../../i18n/translate.ts'
import { reviewAtCaret } from '../text/at-caret.ts'
import { type ReviewUi, useReview } from '../text/review-ui.ts'
import { NewThreadForm } from './new-thread-form.tsx'

const SelectionBubble = separatePart(
  async () => (await import('../../editor/toolbar/selection-bubble.tsx')).SelectionBubble,
)

const ImageActions = lazyPart(async () => (await import('../../editor/images/image-actions.tsx')).ImageActions)

const SuggestForm = separatePart(async () => (await import('./suggest-form.tsx')).SuggestForm)

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
  const isImage = useEditorState(editor, ({ state }) => selectedImage(state) !== undefined)
  const spot = useCallback(() => spotOf(editor, editor.state.selection.from, editor.state.selection.to), [editor])
  const [suggesting, setSuggesting] = useState(false)
  if (suggesting) return <SuggestForm editor={editor} document={document} onClose={() => setSuggesting(false)} />
  if (composing) return <NewThreadForm {...{ editor, ui, writing, document, onOpenThread }} />
  if (isSelected) {
    return (
      <SelectionBubble
        editor={editor}
        ui={editorUi}
        writing={writing}
        canEdit={canDecide}
        onSuggest={canDecide ? undefined : () => setSuggesting(true)}
        onComment={() => ui.put({ composing: true })}
        onAsk={onAsk}
        imageActions={isImage && <ImageActions editor={editor} ui={editorUi} canEdit={canDecide} />}
      />
    )
  }
  if (!isNarrow || thread === null || !canFind(editor, thread)) return null
  return (
    <Floating
      spot={spot}
      side="above"
      label={t('Commented text')}
      className="p-0.5"
      onEscape={() => editor.commands.focus()}
    >
      <button
        type="button"
        // A mouse press keeps the focus, and so the selection, in the text.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onOpenThread(thread)}
        className="flex h-8 items-center gap-1.5 rounded-lg px-2.5 text-sm font-medium hover:bg-hover"
      >
        <MessageSquareText size={15} aria-hidden />
        {t('Show comment')}
      </button>
    </Floating>
  )
}

function canFind(editor: Editor, thread: string): boolean {
  return reviewAtCaret(editor.state).threads.includes(thread)
}

/** Whether text is selected, no mouse button is pressed, and the focus hasn't left the text. */
function useSettledSelection(editor: Editor, { bubbleClosed }: WritingUi): boolean {
  const [isSelected, setSelected] = useState(false)
  useEffect(() => {
    let isDown = false
    let last = editor.state.selection
    const update = () =>
      setSelected(!isDown && !bubbleClosed.get() && hasSelectedContent(editor.state) && isInText(editor))
    const onSelection = () => {
      const { selection } = editor.state
      if (!selection.eq(last)) bubbleClosed.set(false)
      last = selection
      update()
    }
    const onDown = (event: PointerEvent) => {
      isDown = event.target instanceof Node && editor.view.dom.contains(event.target)
      if (isDown) setSelected(false)
    }
    const onUp = () => {
      isDown = false
      // The selection of a double click or a drag is read right after the button's release.
      requestAnimationFrame(() => !editor.isDestroyed && update())
    }
    const listening = new AbortController()
    const stopClosed = bubbleClosed.subscribe(update)
    editor.on('selectionUpdate', onSelection)
    editor.on('focus', update)
    addEventListener('focusin', update, listening)
    addEventListener('pointerdown', onDown, listening)
    addEventListener('pointerup', onUp, listening)
    addEventListener('pointercancel', onUp, listening)
    // Text may have been selected before this component was mounted.
    update()
    return () => {
      stopClosed()
      editor.off('selectionUpdate', onSelection)
      editor.off('focus', update)
      listening.abort()
    }
  }, [editor, bubbleClosed])
  return isSelected
}

// A double click behind a line selects only its end.
function hasSelectedContent({ doc, selection }: EditorState): boolean {
  if (selection.empty) return false
  return !(selection instanceof TextSelection) || doc.textBetween(selection.from, selection.to, '', '\ufffc') !== ''
}

function isInText({ view }: Editor): boolean {
  return view.hasFocus() || Boolean(document.activeElement?.closest('[data-bubble]'))
}
