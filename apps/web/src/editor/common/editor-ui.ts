import type { Editor } from '@tiptap/core'
import { createStore, type Store } from '../../common/store.ts'

/** The small forms that open at the selection. */
export type PopoverKind = 'link' | 'image' | 'inlineMath' | 'blockMath' | 'codeLanguage'

type Opened = PopoverKind | 'tableMenu' | 'imageView' | null

/**
 * The open form, the request for the table menu, or that the selected image is shown in full screen. Extensions and
 * toolbar open a form, the popover closes it.
 */
export type EditorUi = Store<Opened>

/** Creates the interface state of one editor, with no form open. */
export function createEditorUi(): EditorUi {
  return createStore<Opened>(null)
}

/** The props of every form in a popover. `onDone` closes it and returns the focus to the text. */
export type FormProps = { editor: Editor; onDone: () => void }

/** A request to search, with or without the field for a replacement; each new one moves the focus to the search bar. */
type FindRequest = { withReplace: boolean }

/** The position of a block's menu, in pixels of the window; the caret is in that block. */
type MenuPlace = { left: number; top: number; height: number } | null

/** The state of the writing aids of one editor, shared by the extensions and the components. */
export type WritingUi = {
  /** Null while the search bar is closed. */
  find: Store<FindRequest | null>
  blockMenu: Store<MenuPlace>
  shortcuts: Store<boolean>
  /** The bubble at the selection was closed; it remains closed until the selection changes. */
  bubbleClosed: Store<boolean>
  /** Requests the dialog that moves the following content to a new document. */
  askToSplit: () => void
}

/** Creates the state of the writing aids of one editor, all of them closed. */
export function createWritingUi(askToSplit: () => void): WritingUi {
  return {
    find: createStore<FindRequest | null>(null),
    blockMenu: createStore<MenuPlace>(null),
    shortcuts: createStore(false),
    bubbleClosed: createStore(false),
    askToSplit,
  }
}
