import * as Y from 'yjs'
import { whenDocument } from './when-document.ts'

/** A run's ticket in the queue of a document. */
export type Ticket = {
  /**
   * Waits until no other run holds the lock of the document and this run's replica has all writes of earlier holders;
   * then calls `change`, which must resolve only when the server has its writes. Rejects with an `AbortError` if
   * `signal` is aborted before `change` starts. Rejects immediately if `change` rejects; the lock is then held until it
   * is known whether the written updates reached the server.
   */
  runExclusive<T>(signal: AbortSignal, change: () => Promise<T>): Promise<T>
  /**
   * Takes the lock immediately if no other run holds it and the replica has the writes of earlier holders; false
   * otherwise. Changes of this run then don't wait, until `release`.
   */
  claim(): boolean
  /** Releases the lock of `claim` when the server has the writes since then. May be called without a claim. */
  release(): void
  /** Leaves the queue; a change in progress still keeps the lock until it ends. May be called twice. */
  leave(): void
}

type Queue = {
  tickets: number
  isLocked: boolean
  waiting: (() => void)[]
  /** Clocks by client id: all writes under the lock so far. */
  written: Map<number, number>
}

/**
 * Serializes the changes of the runs in one document. Each run works on its own replica: if two runs changed the same
 * words concurrently, each change would be right in its own replica, but the merged text wrong. Reading needs no lock.
 * One object serves all runs of a process; changes of runs in different processes merge like users' edits.
 */
export class DocumentMutex {
  readonly #queues = new Map<string, Queue>()

  /**
   * Takes a ticket in the queue of a document, with the replica of the run. `settled` is called after a failed change:
   * it resolves when the server has the content of the replica, and rejects soon if that can't be determined.
   */
  join(document: string, doc: Y.Doc, settled: () => Promise<void>): Ticket {
    const queue = this.#queues.get(document) ?? { tickets: 0, isLocked: false, waiting: [], written: new Map() }
    this.#queues.set(document, queue)
    queue.tickets += 1
    let left = false
    let isClaimed = false
    const end = (): void => {
      releaseToNext(queue)
      this.#dropIfIdle(document, queue)
    }
    // The writes may still be in transit; later changes must include them if they arrive.
    const endLater = (): void => {
      const clocks = clocksOf(doc)
      void settled()
        .then(() => (queue.written = clocks))
        .catch(() => undefined)
        .finally(end)
    }
    const release = (): void => {
      if (!isClaimed) return
      isClaimed = false
      endLater()
    }
    return {
      release,
      claim() {
        if (isClaimed) return true
        if (queue.isLocked || !isReceived(doc, queue.written)) return false
        queue.isLocked = true
        isClaimed = true
        return true
      },
      async runExclusive(signal, change) {
        if (isClaimed) return change()
        await acquire(queue, signal)
        try {
          await whenDocument(doc, () => isReceived(doc, queue.written), signal)
        } catch (error) {
          end()
          throw error
        }
        const result = await change().catch((error: unknown) => {
          endLater()
          throw error
        })
        queue.written = clocksOf(doc)
        end()
        return result
      },
      leave: () => {
        if (left) return
        left = true
        release()
        queue.tickets -= 1
        this.#dropIfIdle(document, queue)
      },
    }
  }

  #dropIfIdle(document: string, queue: Queue): void {
    if (queue.tickets === 0 && !queue.isLocked && this.#queues.get(document) === queue) this.#queues.delete(document)
  }
}

function clocksOf(doc: Y.Doc): Map<number, number> {
  return Y.decodeStateVector(Y.encodeStateVector(doc))
}

function acquire(queue: Queue, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(stopped())
  if (!queue.isLocked) {
    queue.isLocked = true
    return Promise.resolve()
  }
  return new Promise((resolve, reject) => {
    const start = (): void => {
      signal.removeEventListener('abort', abort)
      resolve()
    }
    const abort = (): void => {
      queue.waiting = queue.waiting.filter((other) => other !== start)
      reject(stopped())
    }
    signal.addEventListener('abort', abort, { once: true })
    queue.waiting.push(start)
  })
}

/** Passes the lock directly to the next waiting run, so that no later run can overtake it. */
function releaseToNext(queue: Queue): void {
  const next = queue.waiting.shift()
  if (next) next()
  else queue.isLocked = false
}

/**
 * Whether `doc` has reached the clocks in `written`. Deletions have no clock of their own, but come with the receipt of
 * their call, which has one.
 */
function isReceived(doc: Y.Doc, written: ReadonlyMap<number, number>): boolean {
  return [...written].every(([client, clock]) => Y.getState(doc.store, client) >= clock)
}

function stopped(): DOMException {
  return new DOMException('the run was ended while it waited for its turn', 'AbortError')
}
