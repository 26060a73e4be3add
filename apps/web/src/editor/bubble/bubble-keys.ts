import { Extension } from '@tiptap/core'
import type { WritingUi } from '../writing-ui.ts'

/**
 * Alt-F10 moves the focus from the text to the bubble at the selection, or without one to the toolbar; Esc in the text
 * closes the bubble.
 */
export function createBubbleKeys({ bubbleClosed }: WritingUi): Extension {
  return Extension.create({
    name: 'bubbleKeys',
    addKeyboardShortcuts: () => ({
      'Alt-F10': () => {
        const first =
          document.querySelector<HTMLElement>('[data-bubble] button') ??
          document.querySelector<HTMLElement>('.toolbar :is(button:enabled, select)')
        first?.focus()
        return first !== null
      },
      Escape: () => {
        if (bubbleClosed.get() || !document.querySelector('[data-bubble]')) return false
        bubbleClosed.set(true)
        return true
      },
    }),
  })
}
