import { t } from '../../i18n/translate.ts'
import { inkOn, safeColor } from '../../ui/people/person-look.ts'

/** The labels of peers' carets, by awareness client. */
export type CaretLabels = {
  /** Creates a caret with its label, for a user as in awareness and their activity (empty for none). */
  create(user: Record<string, unknown>, activity: string): HTMLElement
  /** Updates a caret that is shown, and shows its label again. */
  show(client: number, user: Record<string, unknown>, activity: string): void
  forget(client: number): void
  /** Moves the visible labels so that none is cut off at the side of the text's scroller. */
  place(text: HTMLElement): void
  /**
   * Shows the labels near the pointer while it is over the text, and repositions them when the text is resized; returns
   * a function that stops both.
   */
  watch(text: HTMLElement): () => void
}

const restingClass = 'peer-label-resting'
const shownForMs = 2400

export function createCaretLabels(): CaretLabels {
  const labels = new Map<number, HTMLElement>()
  const shifts = new WeakMap<HTMLElement, number>()
  const place = (text: HTMLElement) => {
    const shown = [...labels.values()].filter((label) => label.isConnected && !label.classList.contains(restingClass))
    const scroller = shown.length > 0 && text.closest('[data-scroller]')
    if (!scroller) return
    const left = scroller.getBoundingClientRect().left + scroller.clientLeft
    // Measures all before moving any, so that the browser computes the layout once.
    const moves = shown.map((label) => {
      const shift = shifts.get(label) ?? 0
      const box = label.getBoundingClientRect()
      return [label, shift, shiftInto(box.left - shift, box.width, left, left + scroller.clientWidth)] as const
    })
    for (const [label, before, shift] of moves) {
      if (shift === before) continue
      shifts.set(label, shift)
      label.style.translate = shift === 0 ? '' : `${shift}px`
      label.toggleAttribute('data-shifted', shift !== 0)
    }
  }
  return {
    create(user, activity) {
      const { caret, label } = createCaret(user, activity)
      if (typeof user.clientId === 'number') labels.set(user.clientId, label)
      return caret
    },
    show(client, user, activity) {
      const label = labels.get(client)
      if (label?.isConnected) write(label, user, activity)
    },
    forget: (client) => void labels.delete(client),
    place,
    watch(text) {
      const stopLooking = showNearPointer(text, () => place(text))
      // Also fires when the text is mounted, and when a panel next to it opens.
      const sizes = new ResizeObserver(() => place(text))
      sizes.observe(text)
      return () => {
        stopLooking()
        sizes.disconnect()
      }
    },
  }
}

const edge = 4

/**
 * The distance by which an element that begins at `start` must be moved to lie between two edges with a small margin;
 * an element that is too wide begins at the left edge.
 */
export function shiftInto(start: number, width: number, left: number, right: number): number {
  const wanted = Math.max(left + edge, Math.min(start, right - edge - width))
  return Math.round(wanted - start)
}

function createCaret(user: Record<string, unknown>, activity: string) {
  const color = safeColor(user.color)
  const caret = document.createElement('span')
  const label = document.createElement('span')
  caret.className = 'peer-caret'
  caret.dataset.kind = user.kind === 'agent' ? 'agent' : 'person'
  caret.style.borderColor = color
  label.className = 'peer-label'
  Object.assign(label.style, { backgroundColor: color, color: inkOn(color) })
  write(label, user, activity)
  caret.append('\u2060', label, '\u2060')
  return { caret, label }
}

function write(label: HTMLElement, user: Record<string, unknown>, activity: string): void {
  const name = typeof user.name === 'string' ? user.name : t('Someone')
  const text = activity ? `${name} · ${activity}` : name
  if (label.textContent !== text) label.textContent = text
  label.dataset.busy = String(activity !== '')
  replay(label)
}

// A CSS animation would repaint the page at every tick, for each caret; a timer costs nothing while the label rests.
const resting = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>()

function replay(label: HTMLElement): void {
  clearTimeout(resting.get(label))
  label.classList.remove(restingClass)
  if (label.dataset.busy === 'true') return
  resting.set(
    label,
    setTimeout(() => label.classList.add(restingClass), shownForMs),
  )
}

// Carets ignore pointer events, so that clicks reach the text under them.
const nearPx = 10

function showNearPointer(text: HTMLElement, onShown: () => void): () => void {
  let frame = 0
  const stop = new AbortController()
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      const near = [...text.querySelectorAll('.peer-caret')].filter((caret) => {
        const { left, right, top, bottom } = caret.getBoundingClientRect()
        return clientX > left - nearPx && clientX < right + nearPx && clientY > top && clientY < bottom
      })
      for (const caret of near) {
        const label = caret.querySelector<HTMLElement>('.peer-label')
        if (label) replay(label)
      }
      if (near.length > 0) onShown()
    })
  }
  text.addEventListener('pointermove', onMove, { passive: true, signal: stop.signal })
  return () => {
    cancelAnimationFrame(frame)
    stop.abort()
  }
}
