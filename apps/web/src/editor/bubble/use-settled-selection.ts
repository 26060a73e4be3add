import type { Editor } from '@tiptap/core'
import { type EditorState, TextSelection } from 'prosemirror-state'
import { useEffect, useState } from 'react'
import type { WritingUi } from '../writing-ui.ts'

/** Whether text is selected, no mouse button is pressed, and the focus hasn't left the text. */
export function useSettledSelection(editor: Editor, { bubbleClosed }: WritingUi): boolean {
  const [isSelected, setSelected] = useState(false)
  useEffect(() => {
    let isDown = false
    let { from, to } = editor.state.selection
    const update = () => setSelected(!isDown && !bubbleClosed.get() && holdsSomething(editor.state) && isInText(editor))
    const onSelection = () => {
      const { selection } = editor.state
      if (selection.from !== from || selection.to !== to) bubbleClosed.set(false)
      from = selection.from
      to = selection.to
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
    const stopClosed = bubbleClosed.subscribe(update)
    editor.on('selectionUpdate', onSelection)
    editor.on('focus', update)
    addEventListener('focusin', update)
    addEventListener('pointerdown', onDown)
    addEventListener('pointerup', onUp)
    addEventListener('pointercancel', onUp)
    return () => {
      stopClosed()
      editor.off('selectionUpdate', onSelection)
      editor.off('focus', update)
      removeEventListener('focusin', update)
      removeEventListener('pointerdown', onDown)
      removeEventListener('pointerup', onUp)
      removeEventListener('pointercancel', onUp)
    }
  }, [editor, bubbleClosed])
  return isSelected
}

// A double click behind a line selects only its end.
function holdsSomething({ doc, selection }: EditorState): boolean {
  if (selection.empty) return false
  return !(selection instanceof TextSelection) || doc.textBetween(selection.from, selection.to, '', '\ufffc') !== ''
}

function isInText({ view }: Editor): boolean {
  return view.hasFocus() || Boolean(document.activeElement?.closest('[data-bubble]'))
}
