import type { Editor } from '@tiptap/core'
import { useCallback } from 'react'

/**
 * A ref for an element that may go while it holds the focus, as a card does with its suggestion: the text then takes the focus, which would
 * fall to the beginning of the page. Nothing scrolls.
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
