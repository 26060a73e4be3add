import { type RefObject, useLayoutEffect } from 'react'

/** When an element goes that holds the focus, the answer that it belongs to takes the focus: it must not fall to the page's beginning. */
export function useFocusKept(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const shown = element.current
    return () => {
      if (shown?.contains(document.activeElement))
        shown.closest<HTMLElement>('[data-run]')?.focus({ preventScroll: true })
    }
  }, [element])
}
