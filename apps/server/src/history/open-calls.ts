import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { createVerbatimDoc } from '../store/verbatim-doc.ts'
import type { HistoryRow } from './ledger.ts'

/** The value of a receipt while its call is still being written. */
const isOpen = 0

/** Whether a document holds the beginning of calls whose receipts begin with `prefix`. */
export function hasOpenCalls(doc: Y.Doc, prefix: string): boolean {
  return [...doc.getMap(contentTypes.receipts).entries()].some(
    ([key, value]) => key.startsWith(prefix) && value === isOpen,
  )
}

/**
 * The rows of a run in which calls grew that are still open at the end of the log. Calls are written one after the other: a row belongs
 * to the call that was opened last, unless it settles one.
 */
export function findOpenRows(rows: readonly HistoryRow[], run: string, prefix: string): number[] {
  const doc = createVerbatimDoc()
  const receipts = doc.getMap<unknown>(contentTypes.receipts)
  const rowsOf = new Map<string, number[]>()
  let open: string | undefined
  for (const row of rows) {
    const before = readOwn(receipts, prefix)
    Y.applyUpdate(doc, row.bytes)
    if (row.run !== run) continue
    const after = readOwn(receipts, prefix)
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key) !== after.get(key),
    )
    const opened = changed.find((key) => after.get(key) === isOpen)
    if (opened !== undefined) open = opened
    else if (changed.length > 0) open = undefined
    if (open !== undefined) rowsOf.set(open, [...(rowsOf.get(open) ?? []), row.seq])
  }
  const left = readOwn(receipts, prefix)
  doc.destroy()
  return [...rowsOf].flatMap(([key, seqs]) => (left.get(key) === isOpen ? seqs : []))
}

function readOwn(receipts: Y.Map<unknown>, prefix: string): Map<string, unknown> {
  return new Map([...receipts.entries()].filter(([key]) => key.startsWith(prefix)))
}

/** Takes the receipts of open calls out of a document. */
export function clearOpenReceipts(doc: Y.Doc, prefix: string): void {
  const receipts = doc.getMap<unknown>(contentTypes.receipts)
  for (const [key, value] of receipts.entries()) if (key.startsWith(prefix) && value === isOpen) receipts.delete(key)
}

/** The name under which rows that were cut off stand in the ledger: a doing of the run that is always undone. */
export function cutPart(run: string): string {
  return `${run}~cut`
}
