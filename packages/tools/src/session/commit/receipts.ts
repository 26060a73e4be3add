import { contentTypes } from '@copydesk/schema'
import type * as Y from 'yjs'
import { success, type ToolResult } from '../../common/result.ts'
import { localizable } from '../../common/localizable.ts'

/**
 * Receipts record which calls have changed the document: they are written in the same update as the change, so that no
 * call is applied twice. Every peer receives them with every change, so they contain nothing else; the session that
 * produced a result keeps it.
 */
export type Receipts = {
  /** The result of a call that was applied; a generic result if it was applied before the run was resumed. */
  find(callId: string): ToolResult | undefined
  /** Records a call as applied. Call it last in the transaction that applies the call. */
  write(callId: string, result: ToolResult): void
  /**
   * Records, in the transaction that writes the first streamed text, that a call is in progress and may have to be
   * reverted.
   */
  open(callId: string): void
  /** Removes the record of a call that was reverted. */
  discard(callId: string): void
}

/** The interface that a Y.Map and a JavaScript Map share. */
type Stored = {
  get(key: string): number | undefined
  has(key: string): boolean
  set(key: string, value: number): unknown
  delete(key: string): unknown
}

const applied = 1
const isOpen = 0

/**
 * The receipts in a document's `receipts`; with `isShared` false in memory only, for sessions that are never resumed.
 * On a server, only runs may write receipts into a document.
 */
export function createReceipts(doc: Y.Doc, isShared: boolean): Receipts {
  const stored: Stored = isShared ? doc.getMap<number>(contentTypes.receipts) : new Map<string, number>()
  const results = new Map<string, ToolResult>()
  return {
    find(callId) {
      if (stored.get(callId) !== applied) return undefined
      return results.get(callId) ?? success(resumedText, localizable`Changed before the run was interrupted`)
    },
    write(callId, result) {
      stored.set(callId, applied)
      results.set(callId, result)
    },
    open(callId) {
      if (!stored.has(callId)) stored.set(callId, isOpen)
    },
    discard: (callId) => void stored.delete(callId),
  }
}

const resumedText =
  'This change was made before the run was interrupted, and is in effect. Read the document for the current text and numbers.'
