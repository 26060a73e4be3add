import type { EditorView } from 'prosemirror-view'

type TypedAhead = {
  /** Changes the initial text of the form's field. */
  write: (change: (now: string) => string) => void
  /** Called when the user cancels the form. */
  cancel: () => void
}

// Keys are withheld from the text at most this long.
const waitsMs = 10_000
const swallowed = ['Enter', 'Delete', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']

/**
 * Redirects keys to a form that was requested but isn't mounted yet; otherwise they would replace the selected text.
 * Ends when the text loses the focus, which the form takes.
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
