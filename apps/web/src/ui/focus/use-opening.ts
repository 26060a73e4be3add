import { type RefObject, useEffect, useRef, useState } from 'react'

/** Returns the focus to the button after the element that it opened in the page, such as a form, is closed. */
export function useFocusAfter(isOpen: boolean, button: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen, button])
}

/**
 * The state of a button that opens an element in the page, such as a form. After that is closed, the button has the
 * focus.
 */
export function useOpening() {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  useFocusAfter(isOpen, button)
  return [button, { isOpen, open: () => setOpen(true), close: () => setOpen(false) }] as const
}
