import { contentTypes } from '@copydesk/schema'
import { hasOpenCalls } from '../../history/open-calls.ts'
import type { RunUndo } from '../../history/run-undo.ts'
import { leaseCheck } from '../../runs/run-lease.ts'
import type { RunStore } from '../../runs/run-store.ts'
import type { RunRow } from '../../store/tables.ts'
import type { Peer } from './peer.ts'

/** The keys of the receipts of a run's calls in the content. */
export type Receipts = {
  readonly receiptPrefix: string
  receiptKey(callId: string): string
}

/** Reverts the calls that an earlier worker had begun to write. */
export async function revertLeftCalls(
  peer: Peer,
  run: RunRow,
  signal: AbortSignal,
  { receiptPrefix }: Receipts,
  { undo, runs }: { undo: RunUndo; runs: RunStore },
): Promise<void> {
  if (!hasOpenCalls(peer.doc, receiptPrefix)) return
  await undo.revertOpenCalls(run, receiptPrefix, leaseCheck(run, runs))
  await peer.waitForState((doc) => !hasOpenCalls(doc, receiptPrefix), signal)
}

/**
 * Returns whether the replica has or had receipts with this prefix: a receipt deleted here may still be on the server.
 */
export function watchReceipts({ doc }: Peer, prefix: string): () => boolean {
  const receipts = doc.getMap(contentTypes.receipts)
  const isOwn = (key: string): boolean => key.startsWith(prefix)
  let hasAny = [...receipts.keys()].some(isOwn)
  receipts.observe(({ keysChanged }) => {
    hasAny ||= [...keysChanged].some((key) => typeof key === 'string' && isOwn(key))
  })
  return () => hasAny
}
