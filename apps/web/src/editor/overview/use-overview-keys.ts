import { useEffect } from 'react'
import type { WritingUi } from '../writing-ui.ts'

/** `?` outside of text fields, and Mod-/ everywhere, open the overview of the shortcuts. */
export function useOverviewKeys({ shortcuts }: WritingUi): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || !asksForHelp(event)) return
      event.preventDefault()
      shortcuts.set(true)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [shortcuts])
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
