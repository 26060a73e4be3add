import type { Selection } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { type CSSProperties, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { fromBase64, toPosition } from './positions.ts'

/**
 * A position on the screen in pixels, and the edge below which the panel must stay, if there is one; null while it is
 * out of view.
 */
export type Spot = { left: number; top: number; bottom: number; roof?: number } | null

type FloatingProps = {
  /** The position of the text that the panel belongs to; read again while the page scrolls or is resized. */
  spot: () => Spot
  side: 'above' | 'below'
  className: string
  label: string
  /** Calls back when the text may have moved on its own; returns a function that unsubscribes. */
  follow?: (listener: () => void) => () => void
  onLeave?: () => void
  onEscape: () => void
  children: ReactNode
} & Record<`data-${string}`, string>

const gap = 8
const edge = 12
// Not `visibility`: a hidden element can't take the focus, and loses it while a user types.
const unseen: CSSProperties = { opacity: 0, pointerEvents: 'none', animation: 'none' }

/**
 * A small panel next to a position in the text that never takes the focus on its own. It follows the text, is placed on
 * the other side if there is no room, and is hidden while its text is out of view.
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
    // Scroll events don't bubble, but can be captured.
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

/** The position of a box of this size next to a spot in a window of this size; null without a spot. */
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

/**
 * The screen position of a range of the text; null while it is scrolled out of view, or with `stays` the edge that it
 * has passed.
 */
export function spotOf({ view }: Editor, from: number, to = from, stays = false): Spot {
  const frame = view.dom.closest('[data-scroller]')?.getBoundingClientRect()
  const size = view.state.doc.content.size
  const start = view.coordsAtPos(Math.min(from, size))
  const end = view.coordsAtPos(Math.min(to, size), -1)
  if (!frame) return null
  const isOutside = end.bottom < frame.top || start.top > frame.bottom
  if (isOutside && !stays) return null
  return {
    left: start.left,
    top: within(start.top, frame),
    bottom: within(end.bottom, frame),
    roof: frame.top + 2,
  }
}

function within(y: number, { top, bottom }: DOMRect): number {
  return Math.min(Math.max(y, top), bottom)
}

/** The current screen position of text that was selected; that of the current selection if the text is deleted. */
export function spotOfSelection(editor: Editor, selection: Selection): Spot {
  const anchor = toPosition(editor.state, fromBase64(selection.anchor))
  const head = toPosition(editor.state, fromBase64(selection.head))
  if (anchor === undefined || head === undefined) {
    const { from, to } = editor.state.selection
    return spotOf(editor, from, to, true)
  }
  return spotOf(editor, Math.min(anchor, head), Math.max(anchor, head), true)
}
