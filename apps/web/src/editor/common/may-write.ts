import { PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { t } from '../../i18n/translate.ts'

/** The plugin of `createReadOnly`, whose spec has a function `mayWrite`. */
export const readOnlyKey = new PluginKey('readOnly')

/**
 * Whether an action in this view may change its text. `view.editable` can't be used, because read-only text also has a
 * caret. Same as `editor.isEditable`, for callers that have only the view.
 */
export function mayWrite({ state, editable }: EditorView): boolean {
  const isAllowed: (() => boolean) | undefined = readOnlyKey.get(state)?.spec.mayWrite
  return editable && (isAllowed?.() ?? true)
}

/** An action on hidden content. `isForReaders`: also for users who may not write. */
export type NoteAction = { label: string; run: () => void; isForReaders?: boolean }

type NoteOptions = { element: 'div' | 'span'; text: string; actions: readonly NoteAction[]; view: EditorView }

/** The note in place of hidden content: why it is hidden, and the actions on it. Plain DOM. */
export function createNote({ element, text, actions, view }: NoteOptions): HTMLElement {
  const note = document.createElement(element)
  note.className = 'unshown-note'
  note.contentEditable = 'false'
  note.setAttribute('role', 'group')
  note.setAttribute('aria-label', t('Not shown'))
  note.appendChild(document.createElement('span')).textContent = text
  for (const { label, run, isForReaders = false } of actions) {
    const button = note.appendChild(document.createElement('button'))
    button.type = 'button'
    button.textContent = label
    if (!isForReaders) button.className = 'unshown-change'
    button.addEventListener('click', () => {
      if (isForReaders || mayWrite(view)) run()
    })
  }
  return note
}
