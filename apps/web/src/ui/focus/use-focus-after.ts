import { type RefObject, useEffect, useRef } from 'react'

/** Returns the focus to the button once what it opened in the page, such as a form, is closed. */
export function useFocusAfter(isOpen: boolean, button: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen, button])
}
