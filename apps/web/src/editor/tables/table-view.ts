import { type AnyExtension, Node } from '@tiptap/core'

/**
 * The schema's table as it is drawn here. TipTap's view writes the attributes of a review onto the table once and never takes them off
 * again; the review itself draws them around the view.
 */
export function drawnTable(table: AnyExtension): AnyExtension {
  if (!(table instanceof Node)) return table
  return table.extend({
    addNodeView() {
      const create = this.parent?.()
      return typeof create === 'function' ? (props) => create({ ...props, HTMLAttributes: {} }) : null
    },
  })
}
