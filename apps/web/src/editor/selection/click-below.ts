import { Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import { mayWrite } from '../common/may-write.ts'

/** A click below a document that ends in a table, a formula or code appends an empty paragraph. */
export const ClickBelow = Extension.create({
  name: 'clickBelow',
  addProseMirrorPlugins() {
    return [
      new Plugin({
        key: new PluginKey('clickBelow'),
        props: {
          handleDOMEvents: {
            mousedown(view, event) {
              const last = view.state.doc.lastChild
              const lastBox = view.dom.lastElementChild?.getBoundingClientRect()
              const paragraph = view.state.schema.nodes.paragraph
              const below = event.target === view.dom && lastBox !== undefined && event.clientY > lastBox.bottom
              if (!mayWrite(view) || !below || !paragraph || last?.type === paragraph) return false
              const end = view.state.doc.content.size
              const transaction = view.state.tr.insert(end, paragraph.create())
              view.dispatch(transaction.setSelection(TextSelection.create(transaction.doc, end + 1)))
              view.focus()
              event.preventDefault()
              return true
            },
          },
        },
      }),
    ]
  },
})

// ProseMirror reads the browser's selection at most this many milliseconds after the click.
const heardWithin = 200

/**
 * A double click beyond the end of a line selects the invisible border to the next block instead of a word; typing
 * would then join the two blocks. This extension puts the caret at the end of the line instead.
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
