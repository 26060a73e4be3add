import { contentTypes } from '@copydesk/schema'
import type * as Y from 'yjs'
import { z } from 'zod'
import { success, type ToolResult } from '../result.ts'
import { StoredCoordinates } from './coordinates.ts'

const Receipt = z.object({
  status: z.literal('done'),
  text: z.string(),
  summary: z.string(),
  details: z.unknown().optional(),
  /** The numbers that `text` gives: a worker may die after writing the receipt and before storing its numbers. */
  shown: StoredCoordinates.shape.entries.optional(),
})

/** What is kept of a call that changed the document, in the same update as its changes. */
export type Receipt = z.infer<typeof Receipt>

/** The receipt of a call, if it was applied. */
export function readReceipt(doc: Y.Doc, callId: string): Receipt | undefined {
  const parsed = Receipt.safeParse(doc.getMap(contentTypes.receipts).get(callId))
  return parsed.success ? parsed.data : undefined
}

/** Writes the receipt of a call. Call it last in the transaction that applies the call. */
export function writeReceipt(doc: Y.Doc, callId: string, receipt: Receipt): void {
  doc.getMap(contentTypes.receipts).set(callId, receipt)
}

/** The result that a receipt stands for. */
export function receiptResult(receipt: Receipt): ToolResult {
  return success(receipt.text, receipt.summary, receipt.details)
}
