import { Extension } from '@tiptap/core'
import type { EditorUi, WritingUi } from '../common/editor-ui.ts'
import { openTable } from './actions.ts'

/**
 * Keyboard shortcuts for what the schema's own extensions define none for. The others are TipTap's; the toolbar's
 * tooltips name all of them.
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
        'Mod-k': open('link'),
        'Mod-Alt-i': open('image'),
        'Mod-Shift-e': open('inlineMath'),
        'Mod-Alt-Shift-f': open('blockMath'),
        'Mod-Alt-Shift-t': () => openTable(this.editor, ui),
        'Mod-Alt-Shift-l': () => this.editor.commands.setHorizontalRule(),
      }
    },
  })
}

const arrows: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }
const macNames: Record<string, string> = { ...arrows, Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↩' }
const otherNames: Record<string, string> = { ...arrows, Mod: 'Ctrl' }

/** A shortcut in the notation of the user's platform: `Mod-Shift-7` is `⌘⇧7` on a Mac, `Ctrl+Shift+7` elsewhere. */
export function formatShortcut(shortcut: string, isMac: boolean): string {
  return shortcutKeys(shortcut, isMac).join(isMac ? '' : '+')
}

/** The keys of a shortcut one by one, as printed on the user's keyboard. */
export function shortcutKeys(shortcut: string, isMac: boolean): string[] {
  return shortcut.split('-').map((key) => (isMac ? macNames[key] : otherNames[key]) ?? capitalize(key))
}

/** Whether this browser runs on a platform with a Command key. */
export function isMacLike(): boolean {
  return typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent)
}

function capitalize(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key
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
