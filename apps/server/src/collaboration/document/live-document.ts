import type { Document } from '@hocuspocus/server'
import * as Y from 'yjs'
import type { UpdateLog } from '../../store/log/update-log.ts'
import type { Replica } from '../../store/log/replica-cache.ts'
import { applyUpdates } from '../../store/updates/verbatim-doc.ts'

/** The transaction origin for `live`; Hocuspocus would treat other objects as connections. */
const shown = { source: 'local' } as const

/** An update received by this node that is being logged and broadcast. */
export type OwnUpdate = { bytes: Uint8Array; seq: number; waitsForDisk: boolean; showing: Promise<void> | undefined }

export type LiveDocumentEvents = {
  /** Called when a row is announced that `live` lacks, and that another node may have written. */
  onAnnounced: () => void
  /** Called before `live` gets a row that another node may have written. */
  onRow: (update: Uint8Array) => void
}

/**
 * The copy of a document that Hocuspocus serves: it contains only rows of the log, in the order of the log. Applying a
 * row broadcasts it to the document's clients.
 */
export class LiveDocument {
  readonly #name: string
  readonly #live: Document
  readonly #log: UpdateLog
  readonly #events: LiveDocumentEvents
  /** Updates that are in the log but not yet in `live`, in log order. */
  readonly #unshown: OwnUpdate[] = []
  #seq: number
  /** The newest row that any source has announced. */
  #announced = 0
  #catchingUp: Promise<void> | undefined
  /** Rows of the commit that is being announced; `live` gets them in a microtask. */
  #batch: Uint8Array[] = []
  #batching: Promise<void> | undefined

  /** `live` has all rows up to `seq`. */
  constructor(name: string, live: Document, seq: number, log: UpdateLog, events: LiveDocumentEvents) {
    this.#name = name
    this.#live = live
    this.#seq = seq
    this.#log = log
    this.#events = events
  }

  /** The newest row that `live` has or is about to get. */
  get seq(): number {
    return this.#seq
  }

  /** The live document and its row of the log, for reading only. Valid until the next `await`. */
  get replica(): Replica {
    this.#showBatch()
    return { doc: this.#live, seq: this.#seq }
  }

  /**
   * Shows a row that this node or another wrote to the log, after any rows between it and this node's copy. Rejects if
   * the log can't be read; the next row retries.
   */
  async noteLogged(seq: number, update: Uint8Array): Promise<void> {
    if (seq <= this.#seq) return
    this.#announced = Math.max(this.#announced, seq)
    this.#events.onAnnounced()
    if (seq === this.#seq + 1 && !this.#catchingUp) this.#show(seq, update)
    else await this.catchUp()
  }

  /**
   * Shows a row of this node, which the candidate document already has. Rows of one commit are shown together, as one
   * frame to every client.
   */
  async #showOwn(seq: number, update: Uint8Array): Promise<void> {
    if (seq !== this.#seq + 1 || this.#catchingUp) return this.noteLogged(seq, update)
    this.#seq = seq
    this.#batch.push(update)
    await (this.#batching ??= Promise.resolve().then(() => this.#showBatch()))
  }

  /** Shows an update of this node that was written to the log. */
  written(own: OwnUpdate): void {
    this.#unshown.push(own)
    this.showWritten()
  }

  /** Shows written updates, up to the first that has to wait for the disk. */
  showWritten(): void {
    for (let own = this.#unshown[0]; own && !own.waitsForDisk; own = this.#unshown[0]) {
      this.#unshown.shift()
      own.showing = this.#showOwn(own.seq, own.bytes)
      // Callers that await it get the error.
      own.showing.catch(() => undefined)
    }
  }

  #showBatch(): void {
    const updates = this.#batch
    this.#batch = []
    this.#batching = undefined
    if (updates.length > 0) applyUpdates(this.#live, updates, shown)
  }

  /**
   * Reads the rows of the log that this node's copy lacks, and shows them when they are on disk. Rejects if the log
   * can't be read.
   */
  async catchUp(): Promise<void> {
    this.#catchingUp ??= this.#readTail().finally(() => (this.#catchingUp = undefined))
    await this.#catchingUp
  }

  async #readTail(): Promise<void> {
    let announced: number
    do {
      announced = this.#announced
      const rows = await this.#log.rowsAfter(this.#name, this.#seq)
      if (rows.length > 0) await this.#log.sync()
      for (const row of rows) {
        if (row.seq > this.#seq) this.#show(row.seq, row.bytes)
      }
      // A row that was announced during the read may be missing from the result.
    } while (this.#announced > Math.max(announced, this.#seq))
  }

  #show(seq: number, update: Uint8Array): void {
    this.#showBatch()
    this.#events.onRow(update)
    Y.applyUpdate(this.#live, update, shown)
    this.#seq = seq
  }
}
