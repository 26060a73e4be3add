import * as Y from 'yjs'
import { whenDocument } from './when-document.ts'

/** A run's place in the line of a document. */
export type Seat = {
  /**
   * Waits until no other run is changing the document and everything that earlier turns wrote is in this run's replica;
   * then does `change`, which must resolve only when what it wrote is on the server. Rejects with an `AbortError` when
   * `signal` is aborted before its turn, and as `change` does: at once, while the turn goes on until it is known what
   * has become of what was written.
   */
  inTurn<T>(signal: AbortSignal, change: () => Promise<T>): Promise<T>
  /** Gives the place up; a turn that is under way still ends in its line. May be called twice. */
  leave(): void
}

type Line = {
  seats: number
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
export class TurnTaking {
  readonly #lines = new Map<string, Line>()

  /**
   * Takes a seat in the line of a document, with the replica that the run works on. After a turn that failed `settled` is
   * asked: it resolves when what is in the replica is on the server, and rejects, before long, if that can't be known.
   */
  join(document: string, doc: Y.Doc, settled: () => Promise<void>): Seat {
    const line = this.#lines.get(document) ?? { seats: 0, isTaken: false, waiting: [], written: new Map() }
    this.#lines.set(document, line)
    line.seats += 1
    let left = false
    const end = (): void => {
      endTurn(line)
      this.#dropIfIdle(document, line)
    }
    return {
      async inTurn(signal, change) {
        await takeTurn(line, signal)
        try {
          await received(doc, line.written, signal)
        } catch (error) {
          end()
          throw error
        }
        const result = await change().catch((error: unknown) => {
          // What a turn wrote before it was cut off may be on its way; those after it must see it if it arrives.
          const clocks = clocksOf(doc)
          void settled()
            .then(() => (line.written = clocks))
            .catch(() => undefined)
            .finally(end)
          throw error
        })
        line.written = clocksOf(doc)
        end()
        return result
      },
      leave: () => {
        if (left) return
        left = true
        line.seats -= 1
        this.#dropIfIdle(document, line)
      },
    }
  }

  #dropIfIdle(document: string, line: Line): void {
    if (line.seats === 0 && !line.isTaken && this.#lines.get(document) === line) this.#lines.delete(document)
  }
}

function clocksOf(doc: Y.Doc): Map<number, number> {
  return Y.decodeStateVector(Y.encodeStateVector(doc))
}

function takeTurn(line: Line, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(stopped())
  if (!line.isTaken) {
    line.isTaken = true
    return Promise.resolve()
  }
  return new Promise((resolve, reject) => {
    const start = (): void => {
      signal.removeEventListener('abort', abort)
      resolve()
    }
    const abort = (): void => {
      line.waiting = line.waiting.filter((other) => other !== start)
      reject(stopped())
    }
    signal.addEventListener('abort', abort, { once: true })
    line.waiting.push(start)
  })
}

/** The turn passes straight to the next in line, so that nobody who comes in between can be faster. */
function endTurn(line: Line): void {
  const next = line.waiting.shift()
  if (next) next()
  else line.isTaken = false
}

/** Waits until `doc` holds what `written` names. Deletions come with the receipt of their call, which has a clock. */
function received(doc: Y.Doc, written: ReadonlyMap<number, number>, signal: AbortSignal): Promise<void> {
  const isHere = (): boolean => [...written].every(([client, clock]) => Y.getState(doc.store, client) >= clock)
  return whenDocument(doc, isHere, signal)
}

function stopped(): DOMException {
  return new DOMException('the run was ended while it waited for its turn', 'AbortError')
}
