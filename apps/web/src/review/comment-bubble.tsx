import type { Editor } from '@tiptap/core'
import { MessageSquarePlus, MessageSquareText } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useNarrow } from '../document/use-narrow.ts'
import { reviewAtCaret } from '../editor/review/at-caret.ts'
import type { ReviewUi } from '../editor/review/review-ui.ts'
import { formatShortcut, isMacLike } from '../editor/shortcuts.ts'
import { Floating } from './floating.tsx'
import { NewThreadForm } from './new-thread-form.tsx'
import { spotOf } from './spot.ts'
import { useReview } from './use-review.ts'

type CommentBubbleProps = { editor: Editor; ui: ReviewUi; document: string; onOpenThread: (thread: string) => void }

/** The button beside selected text that begins a comment, and the form that it opens; where the panel covers the text, also the way to a comment. */
export function CommentBubble({ editor, ui, document, onOpenThread }: CommentBubbleProps) {
  const { composing, thread } = useReview(ui)
  const isNarrow = useNarrow()
  const isSelected = useSettledSelection(editor)
  const spot = useCallback(() => spotOf(editor, editor.state.selection.from, editor.state.selection.to), [editor])
  if (composing) return <NewThreadForm editor={editor} ui={ui} document={document} onOpenThread={onOpenThread} />
  // Above a selection made with a finger stand the browser's own buttons.
  const side = matchMedia('(pointer: coarse)').matches ? 'below' : 'above'
  const focusText = () => editor.commands.focus()
  if (isSelected) {
    return (
      <Floating spot={spot} side={side} label="Selected text" className="p-0.5" onEscape={focusText}>
        <BubbleButton title={formatShortcut('Mod-Alt-m', isMacLike())} onPress={() => ui.put({ composing: true })}>
          <MessageSquarePlus size={15} aria-hidden />
          Comment
        </BubbleButton>
      </Floating>
    )
  }
  if (!isNarrow || thread === null || !canFind(editor, thread)) return null
  return (
    <Floating spot={spot} side="above" label="Commented text" className="p-0.5" onEscape={focusText}>
      <BubbleButton onPress={() => onOpenThread(thread)}>
        <MessageSquareText size={15} aria-hidden />
        Show comment
      </BubbleButton>
    </Floating>
  )
}

function canFind(editor: Editor, thread: string): boolean {
  return reviewAtCaret(editor.state).threads.includes(thread)
}

function BubbleButton({ title, onPress, children }: { title?: string; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      title={title}
      // The mouse leaves the focus, and so the selection, in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
      className="flex h-8 items-center gap-1.5 rounded-lg px-2.5 text-sm font-medium hover:bg-hover"
    >
      {children}
    </button>
  )
}

/** Whether something is selected in the text and no button is held down any more. Changes count each selection anew. */
function useSettledSelection(editor: Editor): boolean {
  const [isSelected, setSelected] = useState(false)
  useEffect(() => {
    let isDown = false
    const update = () => setSelected(!isDown && !editor.state.selection.empty && isInText(editor))
    const onDown = (event: PointerEvent) => {
      isDown = event.target instanceof Node && editor.view.dom.contains(event.target)
      if (isDown) setSelected(false)
    }
    const onUp = () => {
      isDown = false
      // The selection of a double click or a drag is read right after the button is up.
      requestAnimationFrame(update)
    }
    editor.on('selectionUpdate', update)
    editor.on('focus', update)
    addEventListener('pointerdown', onDown)
    addEventListener('pointerup', onUp)
    addEventListener('pointercancel', onUp)
    return () => {
      editor.off('selectionUpdate', update)
      editor.off('focus', update)
      removeEventListener('pointerdown', onDown)
      removeEventListener('pointerup', onUp)
      removeEventListener('pointercancel', onUp)
    }
  }, [editor])
  return isSelected
}

// Without editing the browser's own selection counts, which leaves the text with the first click elsewhere.
function isInText({ view }: Editor): boolean {
  return view.hasFocus() || view.dom.contains(document.getSelection()?.anchorNode ?? null)
}
