import { HocuspocusProvider, MessageType } from '@hocuspocus/provider'
import { createDecoder, readVarString, readVarUint } from 'lib0/decoding'
import * as Y from 'yjs'

const stateOfOther = 0
const batchMs = 100

/**
 * A provider that applies remote changes at most ten times per second: each application costs the browser a layout and
 * a paint, which would delay this user's key presses. The first change after a pause is applied immediately, later ones
 * together in one transaction. `hold` delays all remote changes for a while. Local changes are still sent: both merge
 * when the held changes are applied, as after a time offline.
 */
export class BatchingProvider extends HocuspocusProvider {
  /** Called before messages of the server are applied. */
  readonly beforeIncoming = new Set<() => void>()
  #queued: MessageEvent[] = []
  #pause: ReturnType<typeof setTimeout> | undefined
  #isHeld = false

  /** From now on remote changes are queued. */
  hold(): void {
    this.#isHeld = true
  }

  /** Applies the queued changes in order. May be called at any time. */
  release(): void {
    this.#isHeld = false
    this.#applyQueued()
  }

  override onMessage(event: MessageEvent): void {
    if (!isRemoteChange(event.data)) return super.onMessage(event)
    this.#queued.push(event)
    if (!this.#isHeld && this.#pause === undefined) this.#applyQueued()
  }

  override destroy(): void {
    clearTimeout(this.#pause)
    this.#queued = []
    super.destroy()
  }

  #applyQueued(): void {
    const waiting = this.#queued
    if (waiting.length === 0) return
    this.#queued = []
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      if (!this.#isHeld) this.#applyQueued()
    }, batchMs)
    for (const act of this.beforeIncoming) act()
    const applyAll = () => {
      for (const event of waiting) super.onMessage(event)
    }
    // The content of a large document, which Yjs would encode again for listeners of updates.
    const isFirst = this.document.store.clients.size === 0
    const listen = () => this.document.on('update', this.boundDocumentUpdateHandler)
    // What observers write in response is sent: a gap would hold back all later changes of this user.
    const listenToOwn = ({ origin }: Y.Transaction) => void (origin !== this && listen())
    if (isFirst) {
      this.document.off('update', this.boundDocumentUpdateHandler)
      this.document.on('afterTransaction', listenToOwn)
    }
    try {
      Y.transact(this.document, applyAll, this, false)
    } finally {
      this.document.off('afterTransaction', listenToOwn)
      if (isFirst) listen()
    }
  }
}

/** Whether a frame changes the text or moves carets of peers; queries and acknowledgements are handled immediately. */
function isRemoteChange(data: unknown): boolean {
  if (!(data instanceof ArrayBuffer || data instanceof Uint8Array)) return false
  const decoder = createDecoder(new Uint8Array(data))
  readVarString(decoder)
  const type = readVarUint(decoder)
  if (type === MessageType.Awareness) return true
  return type === MessageType.Sync && readVarUint(decoder) !== stateOfOther
}
