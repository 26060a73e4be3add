import { PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/** The plugin of `createReadOnly`, whose spec has a function `mayWrite`. */
export const readOnlyKey = new PluginKey('readOnly')

/**
 * Whether what is done in this view may change its text. `view.editable` doesn't say that: there is a caret in text that one may only read, too.
 * The same as `editor.isEditable`, for those who have only the view.
 */
export function mayWrite({ state, editable }: EditorView): boolean {
  const isAllowed: (() => boolean) | undefined = readOnlyKey.get(state)?.spec.mayWrite
  return editable && (isAllowed?.() ?? true)
}
