import { createStore, type Store } from '../app/store.ts'

/** Whether the search bar is open, and whether it shows the field for a replacement. */
export type FindMode = 'find' | 'replace' | null

/** Where a block's menu opens, in pixels of the window; the caret is in that block. */
export type MenuPlace = { left: number; top: number; height: number } | null

/** The state of the writing aids of one editor, shared by the extensions and the components. */
export type WritingUi = {
  find: Store<FindMode>
  blockMenu: Store<MenuPlace>
  shortcuts: Store<boolean>
  /** The bubble at the selection was closed; it stays closed until the selection changes. */
  bubbleClosed: Store<boolean>
  /** Asks to move what follows to a new document. */
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
