import * as Y from 'yjs'
import { applyInSlices, sliceSizes } from '../updates/time-slicing.ts'
import { UpdateDivider } from '../updates/update-divider.ts'
import type { LoadedLog, UpdateLog } from './update-log.ts'
import { createVerbatimDoc } from '../updates/verbatim-doc.ts'

// Smaller logs are applied in some milliseconds.
const largeBytes = 4 * sliceSizes.bytes

/** Loads documents without blocking the event loop: 2 MB at once would block it for 50 ms. */
export class ChunkedLoader {
  readonly #log: UpdateLog
  readonly #onError: (error: unknown, name: string) => void
  readonly #divider = new UpdateDivider()
  readonly #loading = new Set<Promise<unknown>>()

  /** `onError` is called for a document that has to be loaded at once. */
  constructor(log: UpdateLog, onError: (error: unknown, name: string) => void) {
    this.#log = log
    this.#onError = onError
  }

  /**
   * Loads a log into a Y.Doc and also into `copy`, which must be empty and may have other types and listeners. Returns
   * `undefined` if there is no such log. Reports only newly found rows that can't be applied, see `UpdateLog.load`.
   */
  async load(name: string, copy: Y.Doc): Promise<LoadedLog | undefined> {
    const loading = this.#load(name, copy)
    this.#loading.add(loading)
    try {
      return await loading
    } finally {
      this.#loading.delete(loading)
    }
  }

  /** Resolves when no load is in progress. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#loading)
    await this.#divider.close()
  }

  async #load(name: string, copy: Y.Doc): Promise<LoadedLog | undefined> {
    const logged = await this.#log.updatesOf(name)
    if (!logged) return undefined
    const doc = createVerbatimDoc()
    try {
      const batches = await this.#batchesOf(logged.updates)
      if ((await applyInSlices(doc, batches)) && (await applyInSlices(copy, batches))) {
        return { doc, seq: logged.seq, steps: logged.steps, quarantined: [] }
      }
    } catch (error) {
      this.#onError(error, name)
    }
    // `UpdateLog.load` finds the rows that can't be applied, and quarantines them.
    const loaded = await this.#log.load(name)
    if (loaded) Y.applyUpdate(copy, Y.encodeStateAsUpdate(loaded.doc))
    return loaded
  }

  async #batchesOf(updates: readonly Uint8Array[]): Promise<Uint8Array[][]> {
    let batch: Uint8Array[] = []
    let size = 0
    const batches = [batch]
    for (const update of updates) {
      for (const part of await this.#partsOf(update)) {
        if (batch.length > 0 && (size + part.byteLength > sliceSizes.bytes || batch.length >= sliceSizes.updates)) {
          batches.push((batch = []))
          size = 0
        }
        batch.push(part)
        size += part.byteLength
      }
    }
    return batches
  }

  async #partsOf(update: Uint8Array): Promise<Uint8Array[]> {
    if (update.byteLength < largeBytes) return [update]
    return this.#divider.divide(update)
  }
}
