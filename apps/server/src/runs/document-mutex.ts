import * as Y from 'yjs'
import { whenDocument } from './when-document.ts'

/** A run's place in the queue of a document. */
export type Ticket = {
  /**
   * Waits until no other run is changing the document and everything that earlier turns wrote is in this run's replica;
   * then does `change`, which must resolve only when what it wrote is on the server. Rejects with an `AbortError` when
   * `signal` is aborted before its turn, and as `change` does: at once, while the turn goes on until it is known what
   * has become of what was written.
   */
  runExclusive<T>(signal: AbortSignal, change: () => Promise<T>): Promise<T>
  /** Gives the place up; a turn that is under way still ends in its queue. May be called twice. */
  leave(): void
}

type Queue = {
  tickets: number
  isTaken: boolean
  waiting: (() => void)[]
  /** Clocks by client id: what has been written in turns so far. */
  written: Map<number, number>
}

/**
 * Lets the runs in one document change it one after the other. Each run works on a replica of its own: two that change
 * the same words at once would each be right about its own replica and wrong together. Reading needs no turn. One object serves
 * all runs of a process; runs in different processes merge as people's edits do.
 */
export class DocumentMutex {
  readonly #queues = new Map<string, Queue>()

  /**
   * Takes a ticket in the queue of a document, with the replica that the run works on. After a turn that failed `settled` is
   * asked: it resolves when what is in the replica is on the server, and rejects, before long, if that can't be known.
   */
  join(document: string, doc: Y.Doc, settled: () => Promise<void>): Ticket {
    const queue = this.#queues.get(document) ?? { tickets: 0, isTaken: false, waiting: [], written: new Map() }
    this.#queues.set(document, queue)
    queue.tickets += 1
    let left = false
    const end = (): void => {
      endTurn(queue)
      this.#dropIfIdle(document, queue)
    }
    return {
      async runExclusive(signal, change) {
        await takeTurn(queue, signal)
        try {
          await received(doc, queue.written, signal)
        } catch (error) {
          end()
          throw error
        }
        const result = await change().catch((error: unknown) => {
          // What a turn wrote before it was cut off may be on its way; those after it must see it if it arrives.
          const clocks = clocksOf(doc)
          void settled()
            .then(() => (queue.written = clocks))
            .catch(() => undefined)
            .finally(end)
          throw error
        })
        queue.written = clocksOf(doc)
        end()
        return result
      },
      leave: () => {
        if (left) return
        left = true
        queue.tickets -= 1
        this.#dropIfIdle(document, queue)
      },
    }
  }

  #dropIfIdle(document: string, queue: Queue): void {
    if (queue.tickets === 0 && !queue.isTaken && this.#queues.get(document) === queue) this.#queues.delete(document)
  }
}

function clocksOf(doc: Y.Doc): Map<number, number> {
  return Y.decodeStateVector(Y.encodeStateVector(doc))
}

function takeTurn(queue: Queue, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(stopped())
  if (!queue.isTaken) {
    queue.isTaken = true
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

/** The turn passes straight to the next in queue, so that nobody who comes in between can be faster. */
function endTurn(queue: Queue): void {
  const next = queue.waiting.shift()
  if (next) next()
  else queue.isTaken = false
}

/** Waits until `doc` holds what `written` names. Deletions come with the receipt of their call, which has a clock. */
function received(doc: Y.Doc, written: ReadonlyMap<number, number>, signal: AbortSignal): Promise<void> {
  const isHere = (): boolean => [...written].every(([client, clock]) => Y.getState(doc.store, client) >= clock)
  return whenDocument(doc, isHere, signal)
}

function stopped(): DOMException {
  return new DOMException('the run was ended while it waited for its turn', 'AbortError')
}
