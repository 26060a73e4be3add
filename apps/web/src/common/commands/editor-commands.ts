import { createStore } from '../store.ts'

/**
 * The functions of the editor for the rest of a document's page. `importFiles` is undefined for people who may not
 * write.
 */
export type EditorCommands = {
  /** Moves the focus to the text, with its selection. */
  focus: () => void
  find: () => void
  showShortcuts: () => void
  importFiles: ((files: readonly File[]) => void) | undefined
  /** The length of the whole text. */
  countText: () => { words: number; characters: number }
}

/** The commands of the editor on the page; null while there is none. */
export const editorCommands = createStore<EditorCommands | null>(null)

/**
 * Returns the focus to the element that had it, or if that no longer exists to the text. The text gets its selection
 * back, too: a browser would put the caret at its beginning.
 */
export function returnFocus(element: Element | null): void {
  const isUsual = element instanceof HTMLElement && element.isConnected && !element.matches('.document-text, body')
  if (isUsual) element.focus({ preventScroll: true })
  else editorCommands.get()?.focus()
}
