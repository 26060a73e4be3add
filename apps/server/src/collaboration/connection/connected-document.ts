import type { Connection } from '@hocuspocus/server'
import { closeCodes } from '@copydesk/protocol'
import * as Y from 'yjs'
import { writeAcknowledgement, writeFullSync, writeSyncRequest } from './frames.ts'
import { type HeldUpdate, HeldUpdates } from './held-updates.ts'
import type { Admission, OpenDocument } from '../document/open-document.ts'
import type { Sender } from '../../common/identity.ts'
import type { SocketPace } from '../limits/socket-pace.ts'
import { type Identity, Presence } from './presence.ts'

/**
 * Closes a socket; the close frame contains the reason. `isClientsFault`: whether data from the client is the cause; by
 * default the code decides.
 */
export type CloseSocket = (code: number, reason: string, isClientsFault?: boolean) => void

const closesFor = {
  invalid: closeCodes.invalidFrame,
  schema_refused: closeCodes.schemaRefused,
  client_id_taken: closeCodes.foreignClient,
  client_id_unknown: closeCodes.resync,
  too_many_client_ids: closeCodes.tooLarge,
  too_costly: closeCodes.tooLarge,
  document_full: closeCodes.tooLarge,
  quota_exceeded: closeCodes.tooLarge,
  busy: closeCodes.resync,
} as const

const retriesInTurn = 100
/** The cost of reading an update that is not applied, besides its bytes, in steps of some 50 ns. */
const readingCost = 200

type Received = { update: Uint8Array; isFullSync: boolean; tries: number }

/** The socket's functions for a document. */
export type ConnectedDocumentOptions = {
  identity: Identity
  sender: Sender
  /** Ends the socket. */
  close: CloseSocket
  /** Whether data is sent to the client: false while it reads too slowly or is being disconnected. */
  canSend: () => boolean
  /** How many milliseconds an update with missing dependencies is held. */
  heldMs: number
  /** Counts bytes of held updates (negative when released); false if the sender's group holds too many. */
  countHeldBytes: (bytes: number) => boolean
  pace: Pick<SocketPace, 'charge' | 'pauseReading' | 'schedule' | 'whenRead'>
}

/**
 * One document on one socket, after authentication. Updates bypass Hocuspocus' own handling, which acknowledges updates
 * that are only in memory: they are appended to the log first, then shown and acknowledged, in the order of arrival.
 */
export class ConnectedDocument {
  readonly document: OpenDocument
  readonly connection: Connection
  readonly presence: Presence
  readonly #options: ConnectedDocumentOptions
  readonly #held: HeldUpdates
  #hasAsked = false
  #holdTimer: NodeJS.Timeout | undefined
  #closed = false
  readonly #detached = new AbortController()
  #tail: Promise<void> | undefined
  /** Settles when the current large update has been applied. Later actions wait in `#afterLarge`. */
  #large: Promise<void> | undefined
  readonly #afterLarge: (() => void)[] = []
  /** The newest state vector of a sync request that has not been answered yet. */
  #asked: Uint8Array | undefined

  constructor(document: OpenDocument, connection: Connection, options: ConnectedDocumentOptions) {
    this.document = document
    this.connection = connection
    this.presence = new Presence(document.live, connection, options.identity)
    this.#options = options
    this.#held = new HeldUpdates(options.countHeldBytes)
  }

  get isReadOnly(): boolean {
    return this.connection.readOnly
  }

  /** Receives an update: starts to append it immediately, and acknowledges it when it is on disk. */
  receiveUpdate(update: Uint8Array, isFullSync: boolean): void {
    this.#afterLargeUpdate(() => {
      if (this.#admit({ update, isFullSync, tries: 0 })) this.#retryHeld()
    })
  }

  /**
   * Sends the client all changes that it lacks and requests those that the server lacks, after all earlier updates have
   * been acknowledged. No later update is acknowledged before that: providers consider themselves synced when all their
   * updates are acknowledged. Requests that arrive before the answer get one answer, for the newest state vector.
   */
  answer(stateVector: Uint8Array): void {
    const isAnswered = this.#asked !== undefined
    this.#asked = stateVector
    if (!isAnswered) this.#afterLargeUpdate(() => this.#enqueue(Promise.resolve(), () => this.#answer()))
  }

  /** Runs `action` after all earlier updates have been acknowledged. */
  inOrder(action: () => void): void {
    this.#afterLargeUpdate(() => this.#afterTail(action))
  }

  /** The client's rights have changed: drops held updates if it may no longer write. */
  noteRights(): void {
    if (this.isReadOnly) this.#dropHeld()
  }

  /** Resolves when all received updates are stored or refused. */
  async settled(): Promise<void> {
    while (this.#large ?? this.#tail) await (this.#large ?? this.#tail)
  }

  /** Ends receiving. Updates that are being stored still reach the disk. */
  detach(): void {
    this.#closed = true
    this.#detached.abort()
    this.#dropHeld()
    this.#afterLarge.length = 0
    this.presence.close()
  }

  #afterLargeUpdate(act: () => void): void {
    if (this.#closed) return
    if (this.#large) this.#afterLarge.push(act)
    else act()
  }

  #afterTail(action: () => void): void {
    if (this.#tail) this.#enqueue(Promise.resolve(), action)
    else action()
  }

  async #answer(): Promise<void> {
    await this.#options.pace.whenRead(() => this.#sendMissing())
  }

  async #sendMissing(): Promise<void> {
    const { pace, canSend } = this.#options
    const stateVector = this.#asked
    this.#asked = undefined
    // The answer would be dropped. The client asks again after reconnecting.
    if (!stateVector || this.#closed || !canSend()) return
    const { name, live } = this.document
    const missing = await this.document.updateSince(stateVector, this.#detached.signal)
    if (this.#closed || !canSend()) return
    if (!missing) return this.#end(closeCodes.resync, 'the document could not be sent; connect again')
    pace.charge({ bytes: missing.byteLength })
    this.connection.send(writeSyncRequest(name, Y.encodeStateVector(live)))
    this.connection.send(writeFullSync(name, missing))
  }

  /** Whether the update was admitted to the candidate document; otherwise it is held, refused, or applied in parts. */
  #admit(received: Received): boolean {
    const admission = this.document.admit(received.update, received.isFullSync, this.#options.sender)
    if (admission.kind !== 'large') return this.#handleAdmission(admission, received)
    this.#large = this.#admitInParts(received)
    return false
  }

  async #admitInParts({ update, isFullSync, tries }: Received): Promise<void> {
    const { sender, pace } = this.#options
    const resume = pace.pauseReading()
    const mayWrite = (): boolean => !this.#closed && !this.isReadOnly
    try {
      const admission = await this.document.admitInParts(update, isFullSync, sender, mayWrite)
      this.#large = undefined
      if (this.#closed) return
      if (this.#handleAdmission(admission, { update, isFullSync, tries })) this.#retryHeld()
      for (let next = this.#nextAfterLarge(); next; next = this.#nextAfterLarge()) next()
    } catch {
      this.#end(closeCodes.resync, 'the edit could not be stored; connect again')
    } finally {
      resume()
    }
  }

  #nextAfterLarge(): (() => void) | undefined {
    return this.#large ? undefined : this.#afterLarge.shift()
  }

  #handleAdmission(admission: Exclude<Admission, { kind: 'large' }>, received: Received): boolean {
    switch (admission.kind) {
      case 'known':
        this.#options.pace.charge({ work: readingCost + received.update.byteLength })
        if (admission.stored) this.#enqueue(admission.stored, () => this.#acknowledge())
        else this.#afterTail(() => this.#acknowledge())
        return true
      case 'gap':
        this.#options.pace.charge({ work: readingCost + received.update.byteLength })
        this.#holdUpdate({ ...received, missing: admission.missing, tries: received.tries + 1 })
        return false
      case 'refused':
        this.#end(closesFor[admission.code], `${admission.code}: ${admission.message}`, admission.code !== 'busy')
        return false
      case 'appending':
        this.#options.pace.charge({ work: admission.work })
        this.#enqueue(admission.stored, (result) => {
          if (result.ok) this.#acknowledge()
          else if (result.reason === 'stale_run')
            this.#end(closeCodes.staleRun, 'another worker has taken over this run')
          else this.#end(closeCodes.forbidden, 'the document is gone')
        })
        return true
    }
  }

  #holdUpdate(held: HeldUpdate): void {
    if (!this.#held.add(held)) {
      return this.#end(closeCodes.tooLarge, 'too many updates that build on something the server does not have')
    }
    if (this.#hasAsked) return
    this.#hasAsked = true
    this.#holdTimer = setTimeout(
      () => this.#end(closeCodes.resync, 'updates that your changes build on are missing; connect again'),
      this.#options.heldMs,
    )
    this.connection.send(writeSyncRequest(this.document.name, this.document.stateVector))
  }

  /** Admits held updates whose dependencies have arrived, until none is left. */
  #retryHeld(): void {
    if (this.#held.isEmpty) return
    if (this.isReadOnly) return this.#dropHeld()
    for (let count = 0; count < retriesInTurn; count++) {
      const held = this.#held.takeReady((id) => this.document.has(id))
      if (!held) return
      this.#admit(held)
      if (this.#held.isEmpty) return this.#dropHeld()
      if (this.#large || this.#closed) return
    }
    this.#options.pace.schedule(() => this.#retryHeld())
  }

  #dropHeld(): void {
    this.#held.clear()
    this.#hasAsked = false
    clearTimeout(this.#holdTimer)
  }

  #enqueue<T>(stored: Promise<T>, then: (value: T) => void | Promise<void>): void {
    const tail = this.#after(this.#tail, stored, then).finally(() => {
      if (this.#tail === tail) this.#tail = undefined
    })
    this.#tail = tail
  }

  async #after<T>(previous: Promise<void> | undefined, stored: Promise<T>, then: (value: T) => void | Promise<void>) {
    try {
      const [value] = await Promise.all([stored, previous])
      if (!this.#closed) await then(value)
    } catch {
      this.#end(closeCodes.resync, 'the edit could not be stored; connect again')
    }
  }

  #acknowledge(): void {
    this.connection.send(writeAcknowledgement(this.document.name))
  }

  #end(code: number, reason: string, isClientsFault?: boolean): void {
    if (this.#closed) return
    this.detach()
    this.#options.close(code, reason, isClientsFault)
  }
}
