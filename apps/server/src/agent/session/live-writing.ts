import { type DocumentSession, type StreamedCall, streamToolCall, type Tool } from '@copydesk/tools'
import type { Logger } from 'pino'
import type { DocumentTransactions } from '../../store/log/document-transactions.ts'
import type { Ticket } from './document-mutex.ts'

const showEveryMs = 80

/**
 * Tool calls of a run that the model is still writing, shown in the document while they grow. They hold the lock of the
 * document: two runs that wrote into one block at once would mix their words.
 */
export type LiveWriting = {
  started(callId: string, name: string): void
  /** A piece of the arguments' JSON has arrived. */
  added(callId: string, json: string): void
  /** The call is complete and about to be executed, which settles what was shown. */
  completed(callId: string): void
  /** A completed call has been executed: without others that are being written, the lock is free. */
  settled(): void
  /** The call will not be executed. */
  discard(callId: string): void
  /** None of the calls that are still being written will be executed. Returns whether any of them was shown. */
  discardAll(): boolean
}

type Writing = { call: StreamedCall; json: string; timer: NodeJS.Timeout | undefined }

function takeFrom(writings: Map<string, Writing>, callId: string): Writing | undefined {
  const writing = writings.get(callId)
  clearTimeout(writing?.timer)
  writings.delete(callId)
  return writing
}

/** The lock of the document while calls of a run are shown. None is shown before an earlier one that it builds on. */
function createWritingLock(ticket: Pick<Ticket, 'claim' | 'release'>, isWriting: () => boolean) {
  let isBlocked = false
  return {
    claim: () => !isBlocked && ticket.claim(),
    /** A further call begins. */
    noteNext: () => void (isBlocked ||= isWriting() && !ticket.claim()),
    settle() {
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
  const take = (callId: string): Writing | undefined => takeFrom(writings, callId)
  const discard = (callId: string): void => {
    try {
      take(callId)?.call.takeBack()
    } catch (error) {
      // It is taken back from the log before the run's end is stored.
      logger.error({ err: error }, 'the streamed part of a call could not be reverted')
    }
    lock.settle()
  }
  const show = (callId: string, { call, json }: Writing): void => {
    // Another run is writing: the call is executed whole, after it.
    if (!lock.claim()) return
    try {
      call.show(json)
    } catch (error) {
      // The call itself is executed nevertheless; only the preview ends.
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
      // The previous call is complete: this one builds on all of it.
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
    completed: (callId) => void take(callId),
    settled: lock.settle,
    discard,
    discardAll() {
      const open = [...writings.keys()]
      for (const callId of open) discard(callId)
      return open.length > 0
    },
  }
}
