import { createStore, type Store } from '../app/store.ts'

/** The small forms that open at the selection. */
export type PopoverKind = 'link' | 'image' | 'inlineMath' | 'blockMath' | 'codeLanguage'

/**
 * Which form is open, or that the table menu was requested. Extensions and toolbar open a form, the popover closes it.
 */
export type EditorUi = Store<PopoverKind | 'tableMenu' | null>

/** Creates the interface state of one editor, with no form open. */
export function createEditorUi(): EditorUi {
  return createStore<PopoverKind | 'tableMenu' | null>(null)
}
