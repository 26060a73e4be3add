import { extname } from 'node:path'
import { ThreadWorker } from '../../threads/thread-worker.ts'
import type { DividedUpdate } from './divide-update.ts'
import type { PartsRequest } from './parts-thread.ts'
import { sliceSizes } from './time-slicing.ts'

/**
 * Divides large updates in a worker thread into parts that are each read and applied in a few milliseconds. The thread
 * starts with the first request.
 */
export class UpdateDivider {
  readonly #thread = new ThreadWorker<PartsRequest, DividedUpdate>(
    new URL(`./parts-thread${extname(import.meta.url)}`, import.meta.url),
  )

  /** Divides an update of a log, whatever its dependencies. Rejects where `divideUpdate` throws. */
  async divide(update: Uint8Array): Promise<Uint8Array[]> {
    const divided = await this.#thread.ask({ update, bytes: sliceSizes.bytes })
    return divided.kind === 'parts' ? divided.parts : [update]
  }

  /** Divides an update for a document with this state vector, see `divideFor`. */
  divideFor(update: Uint8Array, stateVector: Uint8Array): Promise<DividedUpdate> {
    return this.#thread.ask({ update, bytes: sliceSizes.bytes, stateVector })
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }
}
