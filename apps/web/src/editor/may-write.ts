import { PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/** The plugin of `createReadOnly`, whose spec has a function `mayWrite`. */
export const readOnlyKey = new PluginKey('readOnly')

/**
 * Whether an action in this view may change its text. `view.editable` doesn't tell: read-only text has a caret, too.
 * Same as `editor.isEditable`, for callers that have only the view.
 */
export function mayWrite({ state, editable }: EditorView): boolean {
  const isAllowed: (() => boolean) | undefined = readOnlyKey.get(state)?.spec.mayWrite
  return editable && (isAllowed?.() ?? true)
}
