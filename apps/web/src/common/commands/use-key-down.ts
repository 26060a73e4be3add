import { useEffect, useEffectEvent } from 'react'

/** Calls back on each key press on the page, after the handlers of the focused element. */
export function useKeyDown(onKeyDown: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onKeyDown)
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
}

/** Calls `open` on Mod-Alt-Shift with the key that has this `code`, unless another handler has handled it. */
export function useWideShortcut(code: string, open: () => void): void {
  useKeyDown((event) => {
    const isAsked = (event.ctrlKey || event.metaKey) && event.altKey && event.shiftKey && event.code === code
    if (!isAsked || event.defaultPrevented || event.isComposing) return
    event.preventDefault()
    open()
  })
}
