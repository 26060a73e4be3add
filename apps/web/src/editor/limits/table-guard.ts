import { TableMap } from '@tiptap/pm/tables'
import type { Node } from 'prosemirror-model'
import { NodeSelection, Plugin } from 'prosemirror-state'
import { faultOf } from './faults.ts'

let isGuarded = false

/**
 * Makes prosemirror-tables treat a hidden table as empty: otherwise it would list all the cells that the table claims
 * to have, and repair the shared text by itself.
 */
export function guardTableMaps(): void {
  if (isGuarded) return
  isGuarded = true
  const read = TableMap.get.bind(TableMap)
  const nothing = new TableMap(0, 0, [], null)
  TableMap.get = (table: Node) => (faultOf(table) ? nothing : read(table))
}

/**
 * The plugins of tables, without their conversion of a selected table into selected cells for hidden tables, which have
 * no cells to select.
 */
export function guardTablePlugins(plugins: readonly Plugin[]): Plugin[] {
  return plugins.map((plugin) => {
    const append = plugin.spec.appendTransaction
    if (!append) return plugin
    return new Plugin({
      ...plugin.spec,
      appendTransaction: (transactions, before, after) => {
        const { selection } = after
        const isHidden = selection instanceof NodeSelection && faultOf(selection.node) !== null
        return isHidden ? null : append.call(plugin, transactions, before, after)
      },
    })
  })
}
