import { type Editor, Extension } from '@tiptap/core'
import type { Node } from 'prosemirror-model'
import { type EditorState, NodeSelection, Plugin, PluginKey, type Selection, TextSelection } from 'prosemirror-state'
import type { DecorationSet } from 'prosemirror-view'
import type { WritingUi } from '../common/editor-ui.ts'

/** The data for the search bar. `number` counts from 1; 0 without a match. */
export type FindSummary = { count: number; number: number }

/** A running search in the editor state: its update for a changed document, its decorations, and the active match. */
export type SearchState = {
  text: string
  summary: FindSummary
  active: { from: number; to: number } | null
  again(doc: Node): SearchState
  draw(state: EditorState): DecorationSet | null
}

/** The plugin state with the search; set by a transaction's meta `{ search }`, null ends it. */
export const findKey = new PluginKey<SearchState | null>('find')

/** The plugin state of the search, which Escape in the text ends. The search code is loaded with the bar. */
export function createFind(ui: WritingUi): Extension {
  return Extension.create({
    name: 'find',
    addKeyboardShortcuts: () => ({
      Escape: ({ editor }) => {
        if (ui.find.get() === null) return false
        ui.find.set(null)
        endFind(editor)
        return true
      },
    }),
    addProseMirrorPlugins: () => [
      new Plugin<SearchState | null>({
        key: findKey,
        state: {
          init: () => null,
          apply(transaction, search) {
            const meta: { search: SearchState | null } | undefined = transaction.getMeta(findKey)
            if (meta) return meta.search
            return search && transaction.docChanged ? search.again(transaction.doc) : search
          },
        },
        props: { decorations: (state) => findKey.getState(state)?.draw(state) },
      }),
    ],
  })
}

// A match in a caption selects its image.
function selectionOf(doc: Node, { from, to }: { from: number; to: number }): Selection {
  return doc.nodeAt(from)?.isBlock ? NodeSelection.create(doc, from) : TextSelection.create(doc, from, to)
}

/** The search of an editor; null if there is none. */
export function readSearch(state: EditorState): SearchState | null {
  return findKey.getState(state) ?? null
}

/** Ends the search and focuses the text with the match selected. */
export function endFind({ view }: Editor): void {
  const active = readSearch(view.state)?.active
  const { tr } = view.state
  if (active) tr.setSelection(selectionOf(view.state.doc, active))
  view.dispatch(tr.setMeta(findKey, { search: null }))
  view.focus()
}
