import { Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey, TextSelection } from 'prosemirror-state'

// ProseMirror hears of what the browser has selected a moment after the click.
const heardWithin = 200

/**
 * A double click beyond the end of a line selects no word but the border to the next block, which one doesn't see; what one types then
 * would join the two. The caret stands at the end of the line instead.
 */
export const EmptyDoubleClick = Extension.create({
  name: 'emptyDoubleClick',
  addProseMirrorPlugins() {
    let clickedAt = Number.NEGATIVE_INFINITY
    return [
      new Plugin({
        key: new PluginKey('emptyDoubleClick'),
        appendTransaction(transactions, _before, state) {
          const isClick = performance.now() - clickedAt < heardWithin && transactions.some((each) => each.selectionSet)
          if (!isClick || !isBorder(state)) return null
          return state.tr.setSelection(TextSelection.create(state.doc, state.selection.from))
        },
        props: {
          handleDOMEvents: {
            dblclick() {
              clickedAt = performance.now()
              return false
            },
          },
        },
      }),
    ]
  },
})

function isBorder({ doc, selection }: EditorState): boolean {
  if (selection.empty || !(selection instanceof TextSelection)) return false
  return doc.textBetween(selection.from, selection.to, '', '\uFFFC') === ''
}
