import type { Editor } from '@tiptap/core'
import { useCallback } from 'react'

/**
 * A ref for an element that may be removed while it holds the focus, as a card is with its suggestion: the text then
 * takes the focus, which would otherwise move to the start of the page. Nothing scrolls.
 */
export function useFocusBack(editor: Editor): (element: HTMLElement | null) => (() => void) | undefined {
  return useCallback(
    (element) => {
      if (!element) return undefined
      return () => {
        if (!element.contains(document.activeElement)) return
        queueMicrotask(() => {
          if (!editor.isDestroyed) editor.view.dom.focus({ preventScroll: true })
        })
      }
    },
    [editor],
  )
}
