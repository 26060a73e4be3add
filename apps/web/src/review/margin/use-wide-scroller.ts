import { type RefObject, useLayoutEffect, useState } from 'react'

// Text, column, and spacing: the text shifts for the column but never gets narrower.
const wideEnough = 1072

/** The scroller around an element while it is wide enough for text and margin side by side, else null. */
export function useWideScroller(inside: RefObject<HTMLElement | null>): HTMLElement | null {
  const [wide, setWide] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => {
    const scroller = inside.current?.closest<HTMLElement>('[data-scroller]')
    if (!scroller) return undefined
    const look = () => setWide(scroller.clientWidth >= wideEnough ? scroller : null)
    look()
    const observer = new ResizeObserver(look)
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [inside])
  return wide
}
