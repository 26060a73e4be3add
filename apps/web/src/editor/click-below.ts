import { Extension } from '@tiptap/core'
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import { mayWrite } from './may-write.ts'

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
