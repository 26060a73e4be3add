import { type AnyExtension, Node } from '@tiptap/core'
import type { NodeView } from 'prosemirror-view'
import { faultOf } from '../limits/faults.ts'
import { guardTableMaps, guardTablePlugins } from '../limits/table-guard.ts'

/**
 * The schema's table with this app's rendering. TipTap's view writes the attributes of a review onto the table once and
 * never removes them; the review draws them around the view instead. A table that can't be drawn (`faultOf`) has no
 * columns to draw or to copy.
 */
export function drawnTable(table: AnyExtension): AnyExtension {
  if (!(table instanceof Node)) return table
  guardTableMaps()
  return table.extend({
    addNodeView() {
      const create = this.parent?.()
      if (typeof create !== 'function') return null
      return (props) => {
        if (faultOf(props.node)) return undrawnTable()
        const view = create({ ...props, HTMLAttributes: {} })
        const update = view.update?.bind(view)
        view.update = (node, ...rest) => !faultOf(node) && update?.(node, ...rest) === true
        return view
      }
    },
    renderHTML(props) {
      return (faultOf(props.node) ? null : this.parent?.(props)) ?? ['table', ['tbody', 0]]
    },
    addProseMirrorPlugins() {
      return guardTablePlugins(this.parent?.() ?? [])
    },
  })
}

function undrawnTable(): NodeView {
  return { dom: document.createElement('div'), update: (node) => faultOf(node) !== null, ignoreMutation: () => true }
}
