import { type RefObject, useLayoutEffect } from 'react'

/**
 * When a row is removed while `button` has the focus, for example by its own action, the same button of the next row
 * takes the focus, and after the last row the heading: otherwise the browser would move it to the start of the page.
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
  const at = [...row.querySelectorAll('button')].findIndex((each) => each === button)
  const buttons = next?.querySelectorAll('button')
  const target =
    buttons?.[at] ?? buttons?.[0] ?? next?.querySelector('a') ?? document.querySelector<HTMLElement>('main h1')
  if (target?.tagName === 'H1') target.tabIndex = -1
  target?.focus()
}
