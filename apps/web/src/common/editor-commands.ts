import { createStore } from './store.ts'

/** What the menu of a document's page asks of its editor. `importFiles` is undefined for people who may not write. */
export type EditorCommands = {
  find: () => void
  showShortcuts: () => void
  importFiles: ((files: readonly File[]) => void) | undefined
  /** The length of the whole text. */
  countText: () => { words: number; characters: number }
}

/** The commands of the editor on the page; null while there is none. */
export const editorCommands = createStore<EditorCommands | null>(null)
