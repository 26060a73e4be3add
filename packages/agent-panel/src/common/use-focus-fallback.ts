import { type RefObject, useLayoutEffect } from 'react'

/**
 * When a focused element is removed, its answer gets the focus: otherwise the focus would return to the beginning of
 * the page.
 */
export function useFocusFallback(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const shown = element.current
    return () => {
      if (shown?.contains(document.activeElement))
        shown.closest<HTMLElement>('[data-run]')?.focus({ preventScroll: true })
    }
  }, [element])
}
