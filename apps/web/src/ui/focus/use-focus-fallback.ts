import { useEffect } from 'react'
import { oncePerFrame } from '../../common/throttle.ts'

/**
 * Keeps the focus on the page: when the element with the focus is removed, hidden or disabled, for example by its own
 * command, and no other element takes the focus in the next frame, the open dialog gets it, else the document's text,
 * else the heading of the page. Otherwise no element would have the focus, and keys would have no effect.
 */
export function useFocusFallback(): void {
  useEffect(() => {
    let last: Element | null = null
    let isPressing = false
    const { schedule, cancel } = oncePerFrame(() => {
      if (!last || isUsable(last) || !isNowhere()) return
      last = null
      fallback()?.focus({ preventScroll: true })
    })
    const observer = new MutationObserver(() => isNowhere() && schedule())
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['disabled', 'hidden', 'inert', 'data-state'],
    })
    const stop = new AbortController()
    const listen = (type: string, listener: (event: Event) => void) =>
      addEventListener(type, listener, { capture: true, signal: stop.signal })
    listen('focusin', ({ target }) => (last = target instanceof Element ? target : null))
    listen('mousedown', () => (isPressing = true))
    listen('mouseup', () => (isPressing = false))
    // A press outside of all controls removes the focus intentionally.
    listen('focusout', () => isPressing && (last = null))
    return () => {
      cancel()
      observer.disconnect()
      stop.abort()
    }
  }, [])
}

function isNowhere(): boolean {
  return document.activeElement === document.body || document.activeElement === null
}

function isUsable(element: Element): boolean {
  return element.isConnected && element.checkVisibility() && !element.matches(':disabled, [inert] *')
}

function fallback(): HTMLElement | null {
  const places = ['[role="dialog"]', '[role="menu"]', '.document-text', 'main h1', 'main']
  for (const place of places) {
    const element = [...document.querySelectorAll<HTMLElement>(place)].findLast(isUsable)
    if (!element) continue
    if (!element.hasAttribute('tabindex') && !element.isContentEditable) element.tabIndex = -1
    return element
  }
  return null
}
