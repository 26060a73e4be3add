import { useEffect, useLayoutEffect, useRef, useState } from 'react'

type Shown = { control: HTMLElement; text: string; shortcut: string | undefined }

const layerId = 'tooltip'
const openDelay = 350
// Within this many milliseconds after one tooltip the next one opens without delay.
const warmFor = 300

/** Shows the tooltips of the whole page, one at a time; rendered once. Closes on Escape, a press, or scrolling. */
export function TooltipLayer() {
  const [shown, setShown] = useState<Shown>()
  useEffect(() => watchControls(setShown), [])
  return shown ? <TooltipBox shown={shown} /> : null
}

function TooltipBox({ shown: { control, text, shortcut } }: { shown: Shown }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const window = { width: innerWidth, height: innerHeight }
    const { left, top } = placeTooltip(control.getBoundingClientRect(), element.getBoundingClientRect(), window)
    element.style.translate = `${left}px ${top}px`
    element.style.visibility = 'visible'
    const described = control.getAttribute('aria-describedby')
    if (described !== null || control.getAttribute('aria-label') === text) return undefined
    control.setAttribute('aria-describedby', layerId)
    return () => control.removeAttribute('aria-describedby')
  }, [control, text, shortcut])
  return (
    <div
      ref={box}
      id={layerId}
      role="tooltip"
      style={{ visibility: 'hidden' }}
      className="pointer-events-none fixed top-0 left-0 z-60 max-w-72 rounded-md bg-ink px-2 py-1 text-xs text-page shadow-raised"
    >
      {text}
      {shortcut && <span className="ml-2 opacity-80">{shortcut}</span>}
    </div>
  )
}

function watchControls(show: (shown: Shown | undefined) => void): () => void {
  let control: HTMLElement | null = null
  // After a press on a control or a dismissal, its tooltip reopens only after the pointer or focus has left the
  // control.
  let dismissed: HTMLElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let closedAt = Number.NEGATIVE_INFINITY
  const close = () => {
    clearTimeout(timer)
    if (control) closedAt = performance.now()
    control = null
    show(undefined)
  }
  const open = (next: HTMLElement, delay: number) => {
    if (control) close()
    control = next
    const isWarm = performance.now() - closedAt < warmFor
    const showIt = () => {
      const { tooltip, tooltipShortcut } = next.dataset
      if (next.isConnected && tooltip) show({ control: next, text: tooltip, shortcut: tooltipShortcut })
    }
    timer = setTimeout(showIt, isWarm ? 0 : delay)
  }
  const dismiss = () => {
    dismissed = control
    if (control) close()
  }
  const onOver = (event: PointerEvent) => {
    const next = controlOf(event.target)
    if (next !== dismissed) dismissed = null
    if (next === control || next === dismissed || event.pointerType === 'touch') return
    if (next) open(next, openDelay)
    else if (control !== document.activeElement) close()
  }
  const onFocus = ({ target }: FocusEvent) => {
    const next = controlOf(target)
    if (next && target === next && next !== control && next.matches(':focus-visible')) open(next, 0)
  }
  const onDown = ({ target }: PointerEvent) => {
    dismiss()
    dismissed = controlOf(target)
  }
  const onKey = ({ key }: KeyboardEvent) => void (key === 'Escape' && dismiss())
  const onLeave = () => void (control && close())
  const stop = new AbortController()
  const options = { capture: true, passive: true, signal: stop.signal }
  document.addEventListener('pointerover', onOver, options)
  document.addEventListener('focusin', onFocus, options)
  document.addEventListener('pointerdown', onDown, options)
  document.addEventListener('keydown', onKey, options)
  for (const event of ['focusout', 'scroll'] as const) document.addEventListener(event, onLeave, options)
  return () => {
    stop.abort()
    clearTimeout(timer)
  }
}

function controlOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null
}

type Box = { width: number; height: number }
type Control = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>

const gap = 6
const margin = 8

/**
 * The position of a tooltip's box, in pixels of the window: above its control, below if there is no room, never
 * outside.
 */
export function placeTooltip(control: Control, box: Box, window: Box): { left: number; top: number } {
  const middle = (control.left + control.right - box.width) / 2
  const left = Math.max(margin, Math.min(middle, window.width - box.width - margin))
  const above = control.top - gap - box.height
  return { left: Math.round(left), top: Math.round(above >= margin ? above : control.bottom + gap) }
}
