import { type EnglishText, t } from '../../i18n/translate.ts'

/** The shortcuts of overlays over a page, in the notation of `formatShortcut`. */
export const shownKeys = {
  palette: 'Mod-k',
  help: 'Mod-/',
  find: 'Mod-f',
  history: 'Mod-Alt-Shift-h',
  split: 'Mod-Alt-Shift-n',
  sideBar: 'Mod-Alt-Shift-b',
} as const

const arrows: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }
const macSigns: Record<string, string> = { ...arrows, Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↩' }
const otherNames: Record<string, EnglishText> = {
  Mod: 'Ctrl|key',
  Shift: 'Shift|key',
  Enter: 'Enter|key',
}

/** A shortcut in the notation of the user's platform: `Mod-Shift-7` is `⌘⇧7` on a Mac, `Ctrl+Shift+7` elsewhere. */
export function formatShortcut(shortcut: string, isMac: boolean): string {
  return shortcutKeys(shortcut, isMac).join(isMac ? '' : '+')
}

/** The keys of a shortcut one by one, as printed on the user's keyboard. */
export function shortcutKeys(shortcut: string, isMac: boolean): string[] {
  const signs = isMac ? macSigns : arrows
  return shortcut.split('-').map((key) => {
    const name = isMac ? undefined : otherNames[key]
    return name ? t(name) : (signs[key] ?? capitalize(key))
  })
}

/** Whether this browser runs on a platform with a Command key. */
export function isMacLike(): boolean {
  return typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent)
}

function capitalize(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key
}

/** Whether a key was pressed with only the platform's modifier, on any keyboard layout. `key` is a Latin letter. */
export function isModKey(event: KeyboardEvent, key: string): boolean {
  const hasMod = isMacLike() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  if (!hasMod || event.altKey || event.shiftKey) return false
  const isLatin = /^[a-z]$/i.test(event.key)
  return isLatin ? event.key.toLowerCase() === key : event.code === `Key${key.toUpperCase()}`
}

/** Dispatches the key events of a shortcut, with the focus on `target`. */
export function pressShortcut(target: HTMLElement, shortcut: string): void {
  const keys = shortcut.split('-')
  const key = keys.at(-1) ?? ''
  const mod = isMacLike() ? 'metaKey' : 'ctrlKey'
  const event = new KeyboardEvent('keydown', {
    key,
    code: /^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : '',
    [mod]: keys.includes('Mod'),
    altKey: keys.includes('Alt'),
    shiftKey: keys.includes('Shift'),
    bubbles: true,
    cancelable: true,
  })
  target.dispatchEvent(event)
}
