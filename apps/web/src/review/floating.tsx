import { type CSSProperties, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** A place on the screen in pixels, and the edge above which nothing should stand, if there is one; null while it can't be seen. */
export type Spot = { left: number; top: number; bottom: number; roof?: number } | null

type FloatingProps = {
  /** Where the text is that this belongs to; asked again while the page scrolls or changes its size. */
  spot: () => Spot
  side: 'above' | 'below'
  className: string
  label: string
  /** Calls back whenever the text may have moved by itself; answers what ends that. */
  follow?: (listener: () => void) => () => void
  onLeave?: () => void
  onEscape: () => void
  children: ReactNode
} & Record<`data-${string}`, string>

const gap = 8
const edge = 12
// Not `visibility`: what is hidden in that way can't take the focus, and lets go of it while somebody types.
const unseen: CSSProperties = { opacity: 0, pointerEvents: 'none', animation: 'none' }

/**
 * A small panel beside a place in the text that never takes the focus by itself. It follows the text, goes to the other side where
 * there is no room, and is hidden while its text is out of sight.
 */
export function Floating({
  spot,
  side,
  className,
  label,
  follow,
  onLeave,
  onEscape,
  children,
  ...data
}: FloatingProps) {
  const element = useRef<HTMLElement>(null)
  const [style, setStyle] = useState<CSSProperties>(unseen)
  const place = useCallback(() => {
    const box = element.current?.getBoundingClientRect()
    const next = box ? placeBeside(spot(), box, side, { width: innerWidth, height: visibleHeight() }) : null
    setStyle(next ? { left: next.left, top: next.top } : unseen)
  }, [spot, side])
  useLayoutEffect(() => {
    place()
    // Scrolling doesn't bubble, but it can be captured.
    addEventListener('scroll', place, { capture: true, passive: true })
    addEventListener('resize', place)
    // The keyboard of a touch screen covers part of the window.
    visualViewport?.addEventListener('resize', place)
    const unfollow = follow?.(place)
    const observer = new ResizeObserver(place)
    if (element.current) observer.observe(element.current)
    return () => {
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
      visualViewport?.removeEventListener('resize', place)
      unfollow?.()
      observer.disconnect()
    }
  }, [place, follow])
  return (
    <section
      ref={element}
      aria-label={label}
      style={style}
      onMouseLeave={onLeave}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onEscape()
      }}
      className={`pop fixed z-20 rounded-xl border border-line bg-surface shadow-raised ${className}`}
      {...data}
    >
      {children}
    </section>
  )
}

function visibleHeight(): number {
  return visualViewport ? Math.min(innerHeight, visualViewport.height + visualViewport.offsetTop) : innerHeight
}

/** Where a box of this size goes beside a spot in a window of this size; null without a spot. */
export function placeBeside(
  spot: Spot,
  box: { width: number; height: number },
  side: 'above' | 'below',
  room: { width: number; height: number },
): { left: number; top: number } | null {
  if (!spot) return null
  const above = spot.top - gap - box.height
  const highest = Math.max(edge, spot.roof ?? 0)
  const below = spot.bottom + gap
  const fitsBelow = below + box.height <= room.height - edge
  const isAbove = side === 'above' ? above >= highest || !fitsBelow : !fitsBelow && above >= highest
  return {
    left: Math.max(edge, Math.min(spot.left, room.width - edge - box.width)),
    top: Math.max(highest, isAbove ? above : below),
  }
}
