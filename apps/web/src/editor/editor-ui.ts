import { createStore, type Store } from '../app/store.ts'

/** The small forms that open beside the selection. */
export type PopoverKind = 'link' | 'image' | 'inlineMath' | 'blockMath' | 'codeLanguage'

/** Which form is open, or that the menu of the table is asked for. Extensions and toolbar open one, the popover closes it. */
export type EditorUi = Store<PopoverKind | 'tableMenu' | null>

/** Creates the interface state of one editor, with no form open. */
export function createEditorUi(): EditorUi {
  return createStore<PopoverKind | 'tableMenu' | null>(null)
}
