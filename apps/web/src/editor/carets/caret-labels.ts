import { inkOn, safeColor } from '../../ui/person-look.ts'

/** The labels over the carets of others, by the awareness client whose caret it is. */
export type CaretLabels = {
  /** Makes a caret with its label, for a user as awareness knows them and what they are doing, empty for nothing worth a word. */
  create(user: Record<string, unknown>, activity: string): HTMLElement
  /** Says what has changed about a caret that is shown, and shows its label again. */
  show(client: number, user: Record<string, unknown>, activity: string): void
  forget(client: number): void
  /** Moves the labels that can be read so that none is cut off at the side of the text's scroller. */
  place(text: HTMLElement): void
  /** Shows the labels near the pointer while it is over the text, and places them anew when that gets another size; answers what ends both. */
  watch(text: HTMLElement): () => void
}

const restingClass = 'peer-label-resting'
const shownForMs = 2400

/** Creates the labels of one document. */
export function createCaretLabels(): CaretLabels {
  const labels = new Map<number, HTMLElement>()
  const shifts = new WeakMap<HTMLElement, number>()
  const place = (text: HTMLElement) => {
    const shown = [...labels.values()].filter((label) => label.isConnected && !label.classList.contains(restingClass))
    const scroller = shown.length > 0 && text.closest('[data-scroller]')
    if (!scroller) return
    const left = scroller.getBoundingClientRect().left + scroller.clientLeft
    // All are read before one is moved, so that the browser lays the text out once.
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
      // Also when the text is put into the page, and when a panel beside it opens.
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

/** How far something that begins at `start` has to be moved to lie between two edges with a little room; what is too wide begins at the left one. */
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
  const name = typeof user.name === 'string' ? user.name : 'Someone'
  const text = activity ? `${name} · ${activity}` : name
  if (label.textContent !== text) label.textContent = text
  label.dataset.busy = String(activity !== '')
  replay(label)
}

// An animation would have the browser draw the page anew at every tick, for each caret: a label that rests costs nothing.
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

// Carets take no pointer events, so that one can click into the text under them.
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
