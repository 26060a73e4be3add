import type { EditorView } from 'prosemirror-view'

type TypedAhead = {
  /** Changes what the field will hold when it is there. */
  write: (change: (now: string) => string) => void
  /** Whoever types doesn't want it any more. */
  cancel: () => void
}

// Nothing keeps the keys from the text for longer.
const waitsMs = 10_000
const swallowed = ['Enter', 'Delete', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']

/**
 * What is typed for a form that was asked for and isn't there yet goes into the form, not over the text that it is about. Ends when the
 * focus has left the text, which the form takes.
 */
export function keepTypedAhead(view: EditorView, { write, cancel }: TypedAhead): void {
  const stop = new AbortController()
  const onKeyDown = (event: KeyboardEvent) => {
    if (!view.hasFocus()) return stop.abort()
    const { key } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (key === 'Escape') {
      stop.abort()
      cancel()
    } else if (key === 'Backspace') write((now) => [...now].slice(0, -1).join(''))
    else if ([...key].length === 1) write((now) => now + key)
    else if (!swallowed.includes(key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  view.dom.ownerDocument.addEventListener('keydown', onKeyDown, { capture: true, signal: stop.signal })
  view.dom.addEventListener('blur', () => stop.abort(), { signal: stop.signal })
  setTimeout(() => stop.abort(), waitsMs)
}
