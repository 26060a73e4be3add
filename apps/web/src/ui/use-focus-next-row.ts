import { type RefObject, useLayoutEffect } from 'react'

/**
 * When a row goes while `button` has the focus, as one does that was thrown away, the next row's button takes it, and after the last row the heading: it
 * would fall to the beginning of the page.
 */
export function useFocusNextRow(button: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const shown = button.current
    return () => {
      if (shown && shown === document.activeElement) focusNextRow(shown)
    }
  }, [button])
}

function focusNextRow(button: HTMLElement): void {
  const row = button.closest('li')
  if (!row) return
  const next = row.nextElementSibling ?? row.previousElementSibling
  const target =
    next?.querySelector<HTMLElement>('button') ??
    next?.querySelector('a') ??
    document.querySelector<HTMLElement>('main h1')
  if (target?.tagName === 'H1') target.tabIndex = -1
  target?.focus()
}
