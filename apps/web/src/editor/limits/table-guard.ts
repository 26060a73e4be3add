import { TableMap } from '@tiptap/pm/tables'
import type { Node } from 'prosemirror-model'
import { NodeSelection, Plugin } from 'prosemirror-state'
import { faultOf } from './faults.ts'

let isGuarded = false

/**
 * Lets the library for tables see nothing in a table that isn't drawn: it would make a list of all the cells that such
 * a table says it has, and mend the shared text by itself.
 */
export function guardTableMaps(): void {
  if (isGuarded) return
  isGuarded = true
  const read = TableMap.get.bind(TableMap)
  const nothing = new TableMap(0, 0, [], null)
  TableMap.get = (table: Node) => (faultOf(table) ? nothing : read(table))
}

/**
 * The plugins of tables, which would select the cells of a table that is selected as a whole; one that isn't drawn has
 * none to select.
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
