import { Extension } from '@tiptap/core'
import { NodeSelection, type Selection } from 'prosemirror-state'
import type { EditorUi, WritingUi } from '../common/editor-ui.ts'
import { openTable } from './actions.ts'

/**
 * Keyboard shortcuts that the schema's own extensions don't define. The others are TipTap's; the toolbar's tooltips
 * show all of them.
 */
export function createShortcuts(ui: EditorUi): Extension {
  const open = (kind: 'link' | 'image' | 'inlineMath' | 'blockMath') => () => {
    ui.set(kind)
    return true
  }
  return Extension.create({
    name: 'copydeskShortcuts',
    addKeyboardShortcuts() {
      return {
        // Without selected text it opens the palette, as on other pages.
        'Mod-k': () => hasSelectedText(this.editor.state.selection) && open('link')(),
        'Mod-Alt-i': open('image'),
        'Mod-Shift-e': open('inlineMath'),
        'Mod-Alt-Shift-f': open('blockMath'),
        'Mod-Alt-Shift-t': () => openTable(this.editor, ui),
        'Mod-Alt-Shift-l': () => this.editor.commands.setHorizontalRule(),
      }
    },
  })
}

function hasSelectedText(selection: Selection): boolean {
  return !selection.empty && !(selection instanceof NodeSelection)
}

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
