import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { applyUpdates, createVerbatimDoc } from '../store/updates/verbatim-doc.ts'
import { agentIdentity } from '../common/identity.ts'
import type { HistoryRow } from '../provenance/log-rows.ts'

const cutSuffix = '~cut'

/** The value of a receipt while its call is still being written. */
const isOpen = 0

/** Whether a document contains open calls whose receipts begin with `prefix`. */
export function hasOpenCalls(doc: Y.Doc, prefix: string): boolean {
  return [...doc.getMap(contentTypes.receipts).entries()].some(
    ([key, value]) => key.startsWith(prefix) && value === isOpen,
  )
}

/**
 * The rows of a run's calls that are still open at the end of the log. Calls are written one after the other: a row
 * belongs to the most recently opened call, unless it settles a call.
 */
export function findOpenRows(rows: readonly HistoryRow[], run: string, prefix: string): number[] {
  const doc = createVerbatimDoc()
  const receipts = doc.getMap<unknown>(contentTypes.receipts)
  const rowsOf = new Map<string, number[]>()
  let open: string | undefined
  let others: Uint8Array[] = []
  for (const row of rows) {
    // A decision on the run's suggestions isn't part of the call that is being written.
    if (row.run !== run || row.isCut || row.actor !== agentIdentity.id) {
      others.push(row.bytes)
      continue
    }
    applyUpdates(doc, others)
    others = []
    const before = readOwn(receipts, prefix)
    Y.applyUpdate(doc, row.bytes)
    const after = readOwn(receipts, prefix)
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key) !== after.get(key),
    )
    const opened = changed.find((key) => after.get(key) === isOpen)
    if (opened !== undefined) open = opened
    else if (changed.length > 0) open = undefined
    if (open === undefined) continue
    const known = rowsOf.get(open)
    if (known) known.push(row.seq)
    else rowsOf.set(open, [row.seq])
  }
  applyUpdates(doc, others)
  const left = readOwn(receipts, prefix)
  doc.destroy()
  return [...rowsOf].flatMap(([key, seqs]) => (left.get(key) === isOpen ? seqs : []))
}

function readOwn(receipts: Y.Map<unknown>, prefix: string): Map<string, unknown> {
  return new Map([...receipts.entries()].filter(([key]) => key.startsWith(prefix)))
}

/** Removes the receipts of open calls from a document. */
export function clearOpenReceipts(doc: Y.Doc, prefix: string): void {
  const receipts = doc.getMap<unknown>(contentTypes.receipts)
  for (const [key, value] of receipts.entries()) if (key.startsWith(prefix) && value === isOpen) receipts.delete(key)
}

/** The run id of cut-off rows in the replayed log: a separate run that is always undone. */
export function cutPart(run: string): string {
  return run + cutSuffix
}
