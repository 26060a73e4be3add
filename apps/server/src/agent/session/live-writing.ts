import { setTimeout as wait } from 'node:timers/promises'
import { type DocumentSession, type StreamedCall, streamToolCall, type Tool } from '@copydesk/tools'
import type { Logger } from 'pino'
import type { DocumentTransactions } from '../../store/log/document-transactions.ts'
import type { Ticket } from './document-mutex.ts'
import { type AbortReason, flushWithinMs, type Peer } from './peer.ts'

const showEveryMs = 80
// Longer than a typed character takes from a browser to the server.
const lateKeysMs = 500

/**
 * Tool calls of a run that the model is still writing, shown in the document while their arguments arrive. They hold
 * the lock of the document: two runs that write into one block at the same time would mix their words.
 */
export type LiveWriting = {
  started(callId: string, name: string): void
  /** A piece of the arguments' JSON has arrived. */
  added(callId: string, json: string): void
  /** The call is complete; its execution follows and replaces the preview. */
  completed(callId: string): void
  /** A completed call was executed: the lock is released unless other calls are being written. */
  settled(): void
  /** The call will not be executed. */
  discard(callId: string): void
  /** The calls that are still being written will not be executed. Returns whether any of them was shown. */
  discardAll(): boolean
}

type Writing = { call: StreamedCall; json: string; timer: NodeJS.Timeout | undefined }

function removeWriting(writings: Map<string, Writing>, callId: string): Writing | undefined {
  const writing = writings.get(callId)
  clearTimeout(writing?.timer)
  writings.delete(callId)
  return writing
}

/** The document's lock while calls of a run are shown. No call is shown before an earlier one on which it depends. */
function createWritingLock(ticket: Pick<Ticket, 'claim' | 'release'>, isWriting: () => boolean) {
  let isBlocked = false
  return {
    claim: () => !isBlocked && ticket.claim(),
    /** Another call begins. */
    noteNext: () => void (isBlocked ||= isWriting() && !ticket.claim()),
    releaseIfIdle() {
      if (isWriting()) return
      isBlocked = false
      ticket.release()
    },
  }
}

/** Shows calls about twelve times a second. `receipts` names the key under which a call is executed. */
export function createLiveWriting(
  session: DocumentSession,
  tools: readonly Tool[],
  ticket: Pick<Ticket, 'claim' | 'release'>,
  receipts: { receiptKey(callId: string): string },
  { writer, logger }: { writer: Pick<DocumentTransactions, 'idle'>; logger: Logger },
): LiveWriting {
  const writings = new Map<string, Writing>()
  const lock = createWritingLock(ticket, () => writings.size > 0)
  const remove = (callId: string): Writing | undefined => removeWriting(writings, callId)
  const discard = (callId: string): void => {
    try {
      remove(callId)?.call.revert()
    } catch (error) {
      // The preview is removed by means of the log before the run's end is stored.
      logger.error({ err: error }, 'the streamed part of a call could not be reverted')
    }
    lock.releaseIfIdle()
  }
  const show = (callId: string, { call, json }: Writing): void => {
    // Another run is writing: this call is executed after it, without a preview.
    if (!lock.claim()) return
    try {
      call.show(json)
    } catch (error) {
      // Only the preview ends; the call is executed nevertheless.
      logger.error({ err: error }, 'a call could not be streamed into the document')
      discard(callId)
    }
  }
  const showSoon = async (callId: string, writing: Writing): Promise<void> => {
    await writer.idle()
    writing.timer = undefined
    // The call may have been completed or discarded meanwhile.
    if (writings.get(callId) === writing) show(callId, writing)
  }
  return {
    started(callId, name) {
      // The previous call is complete; the next one depends on its whole preview.
      for (const [earlier, writing] of writings) show(earlier, writing)
      lock.noteNext()
      const call = streamToolCall(name, session, { callId: receipts.receiptKey(callId), tools })
      if (call) writings.set(callId, { call, json: '', timer: undefined })
    },
    added(callId, json) {
      const writing = writings.get(callId)
      if (!writing) return
      writing.json += json
      writing.timer ??= setTimeout(() => void showSoon(callId, writing), showEveryMs)
    },
    completed: (callId) => void remove(callId),
    settled: lock.releaseIfIdle,
    discard,
    discardAll() {
      const open = [...writings.keys()]
      for (const callId of open) discard(callId)
      return open.length > 0
    },
  }
}

/**
 * Removes the previews of calls that will not be executed, and waits briefly for the typing of users in blocks that
 * were just replaced; resolves when the result is on disk.
 */
export async function endWriting(
  writing: LiveWriting,
  lateKeys: () => Promise<boolean>,
  peer: Peer,
  signal: AbortSignal,
): Promise<void> {
  const hasDiscarded = writing.discardAll()
  // The server accepts no further updates from this peer.
  if (signal.reason === ('revoked' satisfies AbortReason)) return
  if (!(await lateKeys()) && !hasDiscarded) return
  // Updates that can't be flushed are reverted before the run's end is stored, or when the run is resumed.
  await peer.flushed(AbortSignal.timeout(flushWithinMs)).catch(() => undefined)
}

/**
 * Creates a wait for characters that users typed before they could see that their block was replaced: after the run has
 * ended, the log refuses updates in which the session would forward them. The returned function resolves to whether it
 * waited.
 */
export function createLateKeys(
  session: DocumentSession,
  signal: AbortSignal,
  elapsed: () => number,
): () => Promise<boolean> {
  let changedAt = -lateKeysMs
  session.onCommit(() => (changedAt = elapsed()))
  return async () => {
    const reason: unknown = signal.reason
    if (!session.isWatching() || reason === 'shutdown' || reason === 'refused' || reason === 'revoked') return false
    // Users may also be typing in the document of a run that is stopped.
    const leaving = signal.aborted ? new AbortController().signal : signal
    const left = changedAt + lateKeysMs - elapsed()
    await wait(Math.max(0, Math.min(left, lateKeysMs)), undefined, { signal: leaving }).catch(() => undefined)
    return true
  }
}
