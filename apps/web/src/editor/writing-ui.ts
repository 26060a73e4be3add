import { createStore, type Store } from '../app/store.ts'

/** Whether the search is open, and with the line for a replacement. */
export type FindMode = 'find' | 'replace' | null

/** Where the menu of a block opens, in pixels of the window; the caret stands in its block. */
export type MenuPlace = { left: number; top: number; height: number } | null

/** What the writing aids of one editor show, shared by the extensions and the components. */
export type WritingUi = {
  find: Store<FindMode>
  blockMenu: Store<MenuPlace>
  shortcuts: Store<boolean>
  /** The bubble at the selection was closed; it stays so until something else is selected. */
  bubbleClosed: Store<boolean>
  /** Asks for moving what follows to a new document. */
  askToSplit: () => void
}

/** Creates the state of the writing aids of one editor, with nothing open. */
export function createWritingUi(askToSplit: () => void): WritingUi {
  return {
    find: createStore<FindMode>(null),
    blockMenu: createStore<MenuPlace>(null),
    shortcuts: createStore(false),
    bubbleClosed: createStore(false),
    askToSplit,
  }
}
