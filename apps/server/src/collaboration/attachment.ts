import type { Connection } from '@hocuspocus/server'
import { closeCodes } from '@copydesk/protocol'
import * as Y from 'yjs'
import type { MissingId } from './causality.ts'
import { writeAcknowledgement, writeFullSync, writeSyncRequest } from './frames.ts'
import type { OpenDocument } from './open-document.ts'
import type { Sender } from './sender.ts'
import { type Identity, Presence } from './presence.ts'

/** Ends a socket; the reason reaches the client in the close frame. `isTheirs`: for what its client has sent; by default the code says it. */
export type CloseSocket = (code: number, reason: string, isTheirs?: boolean) => void

// Somebody who types on while the line is down sends a frame a keystroke when it is back, all built on the first.
const heldLimitBytes = 8 * 1024 * 1024
const heldOverheadBytes = 256

const closesFor = {
  invalid: closeCodes.invalidFrame,
  schema_refused: closeCodes.schemaRefused,
  client_id_taken: closeCodes.foreignClient,
  client_id_unknown: closeCodes.resync,
} as const

type Received = { update: Uint8Array; isFullSync: boolean }
type Held = Received & { missing: MissingId }

/**
 * Who is attached, what ends their socket, whether they are sent anything (not while they read too slowly or are being sent away), and for how many
 * milliseconds an update is held that builds on something missing.
 */
export type AttachmentOptions = {
  identity: Identity
  sender: Sender
  close: CloseSocket
  isTold: () => boolean
  heldMs: number
}

/**
 * One document on one socket, after authentication. Updates don't go through Hocuspocus' own handling, which
 * acknowledges what is only in memory: they are appended to the log first, then shown and acknowledged, in the order
 * in which they came.
 */
export class Attachment {
  readonly document: OpenDocument
  readonly connection: Connection
  readonly presence: Presence
  readonly #sender: Sender
  readonly #close: CloseSocket
  readonly #isTold: () => boolean
  readonly #heldMs: number
  #held: Held[] = []
  #heldBytes = 0
  #hasAsked = false
  #patience: NodeJS.Timeout | undefined
  #closed = false
  readonly #detached = new AbortController()
  #tail: Promise<void> | undefined

  constructor(document: OpenDocument, connection: Connection, options: AttachmentOptions) {
    this.document = document
    this.connection = connection
    this.presence = new Presence(document.live, connection, options.identity)
    this.#sender = options.sender
    this.#close = options.close
    this.#isTold = options.isTold
    this.#heldMs = options.heldMs
  }

  get isReadOnly(): boolean {
    return this.connection.readOnly
  }

  /** Takes an update from the client: its append starts now, its acknowledgement follows when it is on disk. */
  receiveUpdate(update: Uint8Array, isFullSync: boolean): void {
    if (this.#closed) return
    if (this.#admit({ update, isFullSync })) this.#retryHeld()
  }

  /**
   * Brings the client what it lacks, and asks for what the server lacks, after everything that was received before has been acknowledged. Nothing that
   * comes later is acknowledged before that: providers take themselves for synced when all they sent is.
   */
  answer(stateVector: Uint8Array): void {
    this.#enqueue(Promise.resolve(), () => this.#answer(stateVector))
  }

  /** Runs `action` after everything that was received before has been acknowledged. */
  inOrder(action: () => void): void {
    if (this.#tail) this.#enqueue(Promise.resolve(), action)
    else action()
  }

  /** Resolves when all received updates are settled. */
  async settled(): Promise<void> {
    while (this.#tail) await this.#tail
  }

  /** Receives nothing more. What is on its way to the disk still arrives there. */
  detach(): void {
    this.#closed = true
    this.#detached.abort()
    clearTimeout(this.#patience)
    this.#held = []
    this.#heldBytes = 0
    this.presence.close()
  }

  async #answer(stateVector: Uint8Array): Promise<void> {
    // The answer would go nowhere; after coming back they ask again.
    if (!this.#isTold()) return
    const { name, live } = this.document
    const lacking = await this.document.updateSince(stateVector, this.#detached.signal)
    if (this.#closed || !this.#isTold()) return
    if (!lacking) return this.#end(closeCodes.resync, 'the document could not be sent; connect again')
    this.connection.send(writeSyncRequest(name, Y.encodeStateVector(live)))
    this.connection.send(writeFullSync(name, lacking))
  }

  /** Whether the update has reached the head of the document; if not it is held or refused. */
  #admit({ update, isFullSync }: Received): boolean {
    const admission = this.document.admit(update, isFullSync, this.#sender)
    switch (admission.kind) {
      case 'known':
        if (admission.stored) this.#enqueue(admission.stored, () => this.#acknowledge())
        else this.inOrder(() => this.#acknowledge())
        return true
      case 'gap':
        this.#hold({ update, isFullSync, missing: admission.missing })
        return false
      case 'refused':
        this.#end(closesFor[admission.code], `${admission.code}: ${admission.message}`, true)
        return false
      case 'appending':
        this.#enqueue(admission.stored, (result) => {
          if (result.ok) this.#acknowledge()
          else if (result.reason === 'stale_run')
            this.#end(closeCodes.staleRun, 'another worker has taken this run over')
          else this.#end(closeCodes.forbidden, 'the document is gone')
        })
        return true
    }
  }

  #hold(held: Held): void {
    this.#held.push(held)
    this.#heldBytes += held.update.byteLength + heldOverheadBytes
    if (this.#heldBytes > heldLimitBytes) {
      return this.#end(closeCodes.tooLarge, 'too many updates that build on something the server does not have')
    }
    if (this.#held.length === 1 && !this.#hasAsked) {
      this.#hasAsked = true
      this.#patience = setTimeout(
        () => this.#end(closeCodes.resync, 'something that your changes build on has not come; connect again'),
        this.#heldMs,
      )
      this.connection.send(writeSyncRequest(this.document.name, this.document.stateVector))
    }
  }

  /** Admits held updates whose gap is filled, until none is left; looking at the others costs no decoding. */
  #retryHeld(): void {
    for (let isFilled = true; isFilled && this.#held.length > 0 && !this.#closed;) {
      const waiting = this.#held
      this.#held = []
      this.#heldBytes = 0
      isFilled = false
      for (const held of waiting) {
        if (this.document.has(held.missing)) isFilled = this.#admit(held) || isFilled
        else this.#hold(held)
      }
    }
    if (this.#held.length > 0) return
    this.#hasAsked = false
    clearTimeout(this.#patience)
  }

  #enqueue<T>(stored: Promise<T>, then: (value: T) => void | Promise<void>): void {
    const tail = this.#after(this.#tail, stored, then).finally(() => {
      if (this.#tail === tail) this.#tail = undefined
    })
    this.#tail = tail
  }

  async #after<T>(
    previous: Promise<void> | undefined,
    stored: Promise<T>,
    then: (value: T) => void | Promise<void>,
  ): Promise<void> {
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

  #end(code: number, reason: string, isTheirs?: boolean): void {
    if (this.#closed) return
    this.detach()
    this.#close(code, reason, isTheirs)
  }
}
