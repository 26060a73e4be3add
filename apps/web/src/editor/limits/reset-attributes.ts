import { fitAttributes, unfitAttributes } from '@copydesk/schema'
import type { Attrs, Node } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'

/** Resets invalid values of the block at a position, and of the cells in it if it is a table, to valid ones. */
export function resetAttributes(transaction: Transaction, position: number): Transaction {
  const block = transaction.doc.nodeAt(position)
  if (!block) return transaction
  reset(transaction, position, block)
  if (block.type.spec.tableRole !== 'table') return transaction
  block.descendants((node, offset) => {
    if (!['row', 'cell', 'header_cell'].includes(String(node.type.spec.tableRole))) return false
    reset(transaction, position + 1 + offset, node)
    return true
  })
  return transaction
}

function reset(transaction: Transaction, position: number, { type, attrs }: Node): void {
  for (const name of unfitAttributes(type.name, attrs)) {
    const fallback: unknown = type.spec.attrs?.[name]?.default ?? null
    // An out-of-range span is reset to its default instead of being clipped: it can't be intended.
    const isSpan = name === 'colspan' || name === 'rowspan'
    transaction.setNodeAttribute(position, name, isSpan ? fallback : fitted(type.name, name, attrs, fallback))
  }
}

function fitted(type: string, name: string, attributes: Attrs, fallback: unknown): unknown {
  try {
    return fitAttributes(type, { [name]: attributes[name] }, { cuts: true })[name] ?? fallback
  } catch {
    return fallback
  }
}
