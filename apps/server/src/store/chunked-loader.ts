import * as Y from 'yjs'
import { applyInSlices, sliceSizes } from './time-slicing.ts'
import { UpdateDivider } from './update-divider.ts'
import type { LoadedLog, UpdateLog } from './update-log.ts'
import { createVerbatimDoc } from './verbatim-doc.ts'

// What is smaller is applied in some milliseconds.
const largeBytes = 4 * sliceSizes.bytes

/**
 * Loads documents into the memory of the server without holding up those who have others open: 2 MB at once would for
 * 50 ms.
 */
export class ChunkedLoader {
  readonly #log: UpdateLog
  readonly #onTrouble: (error: unknown, name: string) => void
  readonly #divider = new UpdateDivider()
  readonly #going = new Set<Promise<unknown>>()

  /** `onTrouble` is told what has to be loaded at once. */
  constructor(log: UpdateLog, onTrouble: (error: unknown, name: string) => void) {
    this.#log = log
    this.#onTrouble = onTrouble
  }

  /**
   * The rows of a log as a Y.Doc, and in `copy`, which is empty and may have other types and listeners; `undefined` if
   * there is no such log. Of rows that can't be applied those are told that weren't known, see `UpdateLog.load`.
   */
  async load(name: string, copy: Y.Doc): Promise<LoadedLog | undefined> {
    const loading = this.#load(name, copy)
    this.#going.add(loading)
    try {
      return await loading
    } finally {
      this.#going.delete(loading)
    }
  }

  /** Resolves when nothing is being loaded any more. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#going)
    await this.#divider.close()
  }

  async #load(name: string, copy: Y.Doc): Promise<LoadedLog | undefined> {
    const logged = await this.#log.updatesOf(name)
    if (!logged) return undefined
    const doc = createVerbatimDoc()
    try {
      const turns = await this.#turnsOf(logged.updates)
      if ((await applyInSlices(doc, turns)) && (await applyInSlices(copy, turns))) {
        return { doc, seq: logged.seq, steps: logged.steps, quarantined: [] }
      }
    } catch (error) {
      this.#onTrouble(error, name)
    }
    // It finds out what can't be applied, and sets it aside.
    const loaded = await this.#log.load(name)
    if (loaded) Y.applyUpdate(copy, Y.encodeStateAsUpdate(loaded.doc))
    return loaded
  }

  async #turnsOf(updates: readonly Uint8Array[]): Promise<Uint8Array[][]> {
    let turn: Uint8Array[] = []
    let size = 0
    const turns = [turn]
    for (const update of updates) {
      for (const part of await this.#partsOf(update)) {
        if (turn.length > 0 && (size + part.byteLength > sliceSizes.bytes || turn.length >= sliceSizes.updates)) {
          turns.push((turn = []))
          size = 0
        }
        turn.push(part)
        size += part.byteLength
      }
    }
    return turns
  }

  async #partsOf(update: Uint8Array): Promise<Uint8Array[]> {
    if (update.byteLength < largeBytes) return [update]
    return this.#divider.divide(update)
  }
}
