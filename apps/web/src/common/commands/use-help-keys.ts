import { useKeyDown } from './use-key-down.ts'

/** Calls `open` on the shortcuts for help: `?` outside of text fields, and Mod-/ everywhere. */
export function useHelpKeys(open: () => void): void {
  useKeyDown((event) => {
    if (event.defaultPrevented || event.isComposing || !asksForHelp(event)) return
    event.preventDefault()
    open()
  })
}

function asksForHelp(event: KeyboardEvent): boolean {
  const isMod = event.ctrlKey || event.metaKey
  if (isMod) return event.key === '/' && !event.altKey
  return event.key === '?' && !event.altKey && !isWriting(event.target)
}

function isWriting(target: EventTarget | null): boolean {
  if (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true
  return target instanceof HTMLElement && target.isContentEditable
}
