import { Extension } from '@tiptap/core'
import { CellSelection } from '@tiptap/pm/tables'
import { type EditorState, NodeSelection, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'

const key = new PluginKey<boolean>('keptSelection')

/**
 * Marks what is selected with the class `kept-selection` while the focus is elsewhere. The browser's own selection leaves the text meanwhile,
 * so that the two don't lie on each other; ProseMirror brings it back when the focus returns by keyboard or by a command.
 */
export const KeptSelection = Extension.create({
  name: 'keptSelection',
  addProseMirrorPlugins() {
    const { editor } = this
    return [
      new Plugin<boolean>({
        key,
        state: {
          init: () => false,
          apply: (transaction, isKept) => nextKept(isKept, transaction, editor.isFocused),
        },
        props: {
          decorations: drawKept,
          handleDOMEvents: {
            blur(view) {
              if (isRange(view.state)) document.getSelection()?.removeAllRanges()
              return false
            },
          },
        },
      }),
    ]
  },
})

/**
 * Whether the mark stands after a transaction: from the loss of the focus until this person selects something else in the text. The return of the
 * focus doesn't take it away. A click gives the focus before its place is known, and whatever is redrawn in between puts the old selection
 * back, so that the click is lost and the next key replaces what was selected.
 */
export function nextKept(isKept: boolean, transaction: Transaction, isFocused: boolean): boolean {
  if (transaction.getMeta('blur') !== undefined) return true
  // The binding sets the selection anew with every change by others.
  const fromYjs: unknown = transaction.getMeta(ySyncPluginKey)
  return isKept && !(isFocused && transaction.selectionSet && fromYjs === undefined)
}

function drawKept(state: EditorState): DecorationSet | null {
  // Selected cells are marked anyway, and the text between the first and the last of them isn't what is selected.
  if (key.getState(state) !== true || !isRange(state) || isCells(state)) return null
  const { from, to } = state.selection
  return DecorationSet.create(state.doc, [Decoration.inline(from, to, { class: 'kept-selection' })])
}

function isCells({ selection }: EditorState): boolean {
  return selection instanceof CellSelection
}

function isRange({ selection }: EditorState): boolean {
  return !selection.empty && !(selection instanceof NodeSelection)
}
