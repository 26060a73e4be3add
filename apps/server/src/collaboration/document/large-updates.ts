import { Mutex } from 'async-mutex'
import type { DividedUpdate } from '../../store/updates/divide-update.ts'
import { UpdateDivider } from '../../store/updates/update-divider.ts'

/** Bytes that may wait in memory to be divided: per group (a person, a run or a link), and in total. */
const limits = { group: 64 * 1024 * 1024, all: 192 * 1024 * 1024 } as const

/** An update in parts, or `busy` if too many bytes already wait. */
export type Divided = DividedUpdate | { kind: 'busy' }

type Waiting = { bytes: number; mutex: Mutex }

/**
 * Divides large updates of all documents in a worker thread, one at a time per person, run or link: however many large
 * updates one group sends, other groups wait for at most one of them.
 */
export class LargeUpdates {
  readonly #divider = new UpdateDivider()
  readonly #groups = new Map<string, Waiting>()
  #bytes = 0

  /** Divides an update for a document with this state vector, see `divideFor`. */
  async divide(update: Uint8Array, stateVector: Uint8Array, group: string): Promise<Divided> {
    const waiting = this.#groups.get(group) ?? { bytes: 0, mutex: new Mutex() }
    const size = update.byteLength
    if (waiting.bytes + size > limits.group || this.#bytes + size > limits.all) return { kind: 'busy' }
    this.#groups.set(group, waiting)
    waiting.bytes += size
    this.#bytes += size
    try {
      return await waiting.mutex.runExclusive(() => this.#divide(update, stateVector))
    } finally {
      waiting.bytes -= size
      this.#bytes -= size
      if (waiting.bytes === 0) this.#groups.delete(group)
    }
  }

  async close(): Promise<void> {
    await this.#divider.close()
  }

  async #divide(update: Uint8Array, stateVector: Uint8Array): Promise<Divided> {
    try {
      return await this.#divider.divideFor(update, stateVector)
    } catch {
      // The thread has ended; the sender retries.
      return { kind: 'busy' }
    }
  }
}
