import type { Transaction } from 'prosemirror-state'
import { ySyncPluginKey } from 'y-prosemirror'

/**
 * Whether the binding dispatched this transaction for a change in Yjs: by others, by undo and redo, or by the opening
 * of the document. It replaces the whole document, so positions don't map through it.
 */
export function isFromYjs(transaction: Transaction): boolean {
  return transaction.getMeta(ySyncPluginKey) !== undefined
}

/** Whether the binding dispatched this transaction to fill an editor that was opened. */
export function isOpening(transaction: Transaction): boolean {
  const meta: { binding?: unknown } | undefined = transaction.getMeta(ySyncPluginKey)
  return meta?.binding !== undefined
}

/** Whether this transaction is an edit in this editor: by typing, a paste, or a command. */
export function isOwnEdit(transaction: Transaction): boolean {
  return transaction.docChanged && !isFromYjs(transaction)
}
