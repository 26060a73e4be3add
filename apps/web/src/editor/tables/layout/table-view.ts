import { columnWidths, fullTableWidth, setColumnWidths, tableSizes } from '@copydesk/schema'
import { type AnyExtension, Node as NodeExtension } from '@tiptap/core'
import { findTable, TableMap } from '@tiptap/pm/tables'
import type { Node } from 'prosemirror-model'
import { NodeSelection, Plugin, type Transaction } from 'prosemirror-state'
import type { NodeView, ViewMutationRecord } from 'prosemirror-view'
import { isOpening } from '../../common/from-yjs.ts'
import { drawingProblemOf } from '../../limits/drawing-problems.ts'

/**
 * The schema's table with this app's rendering and commands. A table that can't be drawn (`drawingProblemOf`) has no
 * columns to draw or to copy.
 */
export function drawnTable(table: AnyExtension): AnyExtension {
  if (!(table instanceof NodeExtension)) return table
  guardTableMaps()
  return table.extend({
    addNodeView() {
      const { HTMLAttributes } = this.options
      return ({ node }) => (drawingProblemOf(node) ? undrawnTable() : new TableView(node, HTMLAttributes))
    },
    renderHTML(props) {
      return (drawingProblemOf(props.node) ? null : this.parent?.(props)) ?? ['table', ['tbody', 0]]
    },
    addCommands() {
      const commands = this.parent?.()
      return {
        ...commands,
        insertTable: (options) => (props) => {
          const isDone = commands?.insertTable?.(options)(props) === true
          if (isDone && props.dispatch) fillText(props.tr)
          return isDone
        },
      }
    },
    addProseMirrorPlugins() {
      return guardTablePlugins(this.parent?.() ?? [])
    },
  })
}

// Makes a new table as wide as the text, so that typing into it moves no column.
function fillText(transaction: Transaction): void {
  const table = findTable(transaction.selection.$from)
  if (!table || columnWidths(table.node).length > 0) return
  const { width } = TableMap.get(table.node)
  setColumnWidths(
    transaction,
    table.pos,
    Array.from({ length: width }, () => fullTableWidth / width),
  )
}

/**
 * A table in a frame that scrolls sideways. Upstream's view draws widths in pixels, and never removes the attributes of
 * a review from the table; the review draws them around the view instead.
 */
class TableView implements NodeView {
  readonly dom = document.createElement('div')
  readonly contentDOM = document.createElement('tbody')
  readonly #table = document.createElement('table')
  readonly #columns = document.createElement('colgroup')
  #node: Node

  constructor(node: Node, attributes: Record<string, unknown>) {
    this.#node = node
    this.dom.className = 'tableWrapper'
    for (const [name, value] of Object.entries(attributes)) this.#table.setAttribute(name, String(value))
    this.#table.append(this.#columns, this.contentDOM)
    this.dom.append(this.#table)
    this.#draw()
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type || drawingProblemOf(node)) return false
    const isOtherRow = node.firstChild !== this.#node.firstChild
    this.#node = node
    if (isOtherRow) this.#draw()
    return true
  }

  ignoreMutation({ target, type }: ViewMutationRecord): boolean {
    return type !== 'selection' && !this.contentDOM.contains(target)
  }

  #draw(): void {
    const sizes = tableSizes(this.#node)
    this.dom.toggleAttribute('data-sized', sizes !== undefined)
    drawSizes(this.#table, sizes?.table ?? '', sizes?.columns ?? [])
  }
}

/** Draws a table with these sizes, as CSS; a table without sizes is as wide as the text. */
export function drawSizes(table: HTMLTableElement, width: string, columns: readonly string[]): void {
  const group = table.querySelector('colgroup')
  if (!group) return
  table.style.width = width
  group.replaceChildren(
    ...columns.map((column) => {
      const element = document.createElement('col')
      element.style.width = column
      return element
    }),
  )
}

function undrawnTable(): NodeView {
  return {
    dom: document.createElement('div'),
    update: (node) => drawingProblemOf(node) !== null,
    ignoreMutation: () => true,
  }
}

let isGuarded = false

/**
 * Makes prosemirror-tables treat a hidden table as empty: otherwise it would list all the cells that the table claims
 * to have, and repair the shared text on its own. Also prevents it from setting the widths of cells, which every
 * browser would otherwise write at once for a row that a peer has added without widths; `createTables` sets them in the
 * user's own edits.
 */
function guardTableMaps(): void {
  if (isGuarded) return
  isGuarded = true
  const read = TableMap.get.bind(TableMap)
  const nothing = new TableMap(0, 0, [], null)
  TableMap.get = (table: Node) => {
    if (drawingProblemOf(table)) return nothing
    const map = read(table)
    const problems = map.problems?.filter(({ type }) => type !== 'colwidth mismatch') ?? []
    map.problems = problems.length > 0 ? problems : null
    return map
  }
}

/**
 * The plugins of tables, without their conversion of a selected table into selected cells for hidden tables, which have
 * no cells to select.
 */
function guardTablePlugins(plugins: readonly Plugin[]): Plugin[] {
  return plugins.map((plugin) => {
    const append = plugin.spec.appendTransaction
    if (!append) return plugin
    return new Plugin({
      ...plugin.spec,
      appendTransaction: (transactions, before, after) => {
        const { selection, doc } = after
        // In a long document without tables, the plugins would search for tables by comparing each block with none.
        if (transactions.some(isOpening) && !hasTable(doc)) return null
        const isHidden = selection instanceof NodeSelection && drawingProblemOf(selection.node) !== null
        return isHidden ? null : append.call(plugin, transactions, before, after)
      },
    })
  })
}

function hasTable(doc: Node): boolean {
  let isFound = false
  doc.descendants((node) => {
    isFound ||= node.type.name === 'table'
    return !isFound && !node.isTextblock
  })
  return isFound
}
