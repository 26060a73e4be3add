import { extname } from 'node:path'
import { ThreadWorker } from '../threads/thread-worker.ts'
import type { DividedUpdate } from './divide-update.ts'
import type { PartsRequest } from './parts-thread.ts'
import { sliceSizes } from './time-slicing.ts'

/**
 * A thread that divides large updates into parts of which each is read and applied in a few milliseconds. It starts
 * with the first.
 */
export class UpdateDivider {
  readonly #thread = new ThreadWorker<PartsRequest, DividedUpdate>(
    new URL(`./parts-thread${extname(import.meta.url)}`, import.meta.url),
  )

  /** The parts of an update that a log holds, whatever it builds on. Rejects like `divideUpdate` throws. */
  async divide(update: Uint8Array): Promise<Uint8Array[]> {
    const divided = await this.#thread.ask({ update, bytes: sliceSizes.bytes })
    return divided.kind === 'parts' ? divided.parts : [update]
  }

  /** The same for a document with this state vector, see `divideFor`. */
  divideFor(update: Uint8Array, stateVector: Uint8Array): Promise<DividedUpdate> {
    return this.#thread.ask({ update, bytes: sliceSizes.bytes, stateVector })
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }
}
