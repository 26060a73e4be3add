import { contentTypes } from '@copydesk/schema'
import type * as Y from 'yjs'
import { success, type ToolResult } from '../result.ts'

/**
 * Receipts say which calls have changed the document: they are written in the same update as the change, so that no call is ever
 * applied twice. They travel to everybody with every change, so they hold nothing more; the result is kept by the session that gave it.
 */
export type Receipts = {
  /** The result of a call that was applied; in general words if it was applied before the run was taken up again. */
  find(callId: string): ToolResult | undefined
  /** Notes a call as applied. Call it last in the transaction that applies it. */
  write(callId: string, result: ToolResult): void
  /** Notes, in the transaction that writes the first of its text, that a call is being written and may have to be taken back. */
  open(callId: string): void
  /** Forgets a call that was taken back. */
  discard(callId: string): void
}

/** What a map of Yjs and one of JavaScript have in common. */
type Stored = {
  get(key: string): number | undefined
  has(key: string): boolean
  set(key: string, value: number): unknown
  delete(key: string): unknown
}

const applied = 1
const isOpen = 0

/**
 * The receipts in a document's `receipts`; with `isShared` false in memory alone, for sessions that nobody takes up again. Only runs may
 * write receipts into a document on a server.
 */
export function createReceipts(doc: Y.Doc, isShared: boolean): Receipts {
  const stored: Stored = isShared ? doc.getMap<number>(contentTypes.receipts) : new Map<string, number>()
  const results = new Map<string, ToolResult>()
  return {
    find(callId) {
      if (stored.get(callId) !== applied) return undefined
      return results.get(callId) ?? success(takenUpText, 'Changed before the run was interrupted')
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

const takenUpText =
  'This change was made before the run was interrupted, and it stands. Read the document for the present text and numbers.'
