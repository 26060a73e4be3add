import type { Connection } from '@hocuspocus/server'
import { closeCodes } from '@copydesk/protocol'
import * as Y from 'yjs'
import { writeAcknowledgement, writeFullSync, writeSyncRequest } from './frames.ts'
import { type Held, HeldUpdates } from './held-updates.ts'
import type { Admission, OpenDocument } from './open-document.ts'
import type { Sender } from './sender.ts'
import type { SocketPace } from './socket-pace.ts'
import { type Identity, Presence } from './presence.ts'

/**
 * Ends a socket; the reason reaches the client in the close frame. `isTheirs`: for what its client has sent; by default
 * the code says it.
 */
export type CloseSocket = (code: number, reason: string, isTheirs?: boolean) => void

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

type Received = { update: Uint8Array; isFullSync: boolean; tries: number }

/** What a document on a socket needs from that socket. */
export type ConnectedDocumentOptions = {
  identity: Identity
  sender: Sender
  /** Ends the socket. */
  close: CloseSocket
  /** Whether the client is sent anything: not while it reads too slowly or is being sent away. */
  isTold: () => boolean
  /** For how many milliseconds an update is held that builds on something missing. */
  heldMs: number
  /** Counts bytes of held updates, negative ones when they go; false if those of the sender's group are too many. */
  noteHeld: (bytes: number) => boolean
  pace: Pick<SocketPace, 'charge' | 'pauseReading' | 'inTurn' | 'whenRead'>
}

/**
 * One document on one socket, after authentication. Updates don't go through Hocuspocus' own handling, which
 * acknowledges what is only in memory: they are appended to the log first, then shown and acknowledged, in the order
 * in which they came.
 */
export class ConnectedDocument {
  readonly document: OpenDocument
  readonly connection: Connection
  readonly presence: Presence
  readonly #options: ConnectedDocumentOptions
  readonly #held: HeldUpdates
  #hasAsked = false
  #patience: NodeJS.Timeout | undefined
  #closed = false
  readonly #detached = new AbortController()
  #tail: Promise<void> | undefined
  /** A large update that is being taken, and what has to wait for it. */
  #large: Promise<void> | undefined
  readonly #behindLarge: (() => void)[] = []
  /** The newest state that the client has asked with and wasn't answered yet. */
  #asked: Uint8Array | undefined

  constructor(document: OpenDocument, connection: Connection, options: ConnectedDocumentOptions) {
    this.document = document
    this.connection = connection
    this.presence = new Presence(document.live, connection, options.identity)
    this.#options = options
    this.#held = new HeldUpdates(options.noteHeld)
  }

  get isReadOnly(): boolean {
    return this.connection.readOnly
  }

  /** Takes an update from the client: its append starts now, its acknowledgement follows when it is on disk. */
  receiveUpdate(update: Uint8Array, isFullSync: boolean): void {
    this.#whenFree(() => {
      if (this.#admit({ update, isFullSync, tries: 0 })) this.#retryHeld()
    })
  }

  /**
   * Brings the client what it lacks, and asks for what the server lacks, after everything that was received before has
   * been acknowledged. Nothing that comes later is acknowledged before that: providers take themselves for synced when
   * all they sent is. Who asks again before they are answered is answered once, for their newest state.
   */
  answer(stateVector: Uint8Array): void {
    const isAnswered = this.#asked !== undefined
    this.#asked = stateVector
    if (!isAnswered) this.#whenFree(() => this.#enqueue(Promise.resolve(), () => this.#answer()))
  }

  /** Runs `action` after everything that was received before has been acknowledged. */
  inOrder(action: () => void): void {
    this.#whenFree(() => this.#afterTail(action))
  }

  /** What the client may do has changed: what waits isn't taken any more from who may not write now. */
  noteRights(): void {
    if (this.isReadOnly) this.#dropHeld()
  }

  /** Resolves when all received updates are settled. */
  async settled(): Promise<void> {
    while (this.#large ?? this.#tail) await (this.#large ?? this.#tail)
  }

  /** Receives nothing more. What is on its way to the disk still arrives there. */
  detach(): void {
    this.#closed = true
    this.#detached.abort()
    this.#dropHeld()
    this.#behindLarge.length = 0
    this.presence.close()
  }

  #whenFree(act: () => void): void {
    if (this.#closed) return
    if (this.#large) this.#behindLarge.push(act)
    else act()
  }

  #afterTail(action: () => void): void {
    if (this.#tail) this.#enqueue(Promise.resolve(), action)
    else action()
  }

  async #answer(): Promise<void> {
    await this.#options.pace.whenRead(() => this.#sendLacking())
  }

  async #sendLacking(): Promise<void> {
    const { pace, isTold } = this.#options
    const stateVector = this.#asked
    this.#asked = undefined
    // The answer would go nowhere; after coming back they ask again.
    if (!stateVector || this.#closed || !isTold()) return
    const { name, live } = this.document
    const lacking = await this.document.updateSince(stateVector, this.#detached.signal)
    if (this.#closed || !isTold()) return
    if (!lacking) return this.#end(closeCodes.resync, 'the document could not be sent; connect again')
    pace.charge({ bytes: lacking.byteLength })
    this.connection.send(writeSyncRequest(name, Y.encodeStateVector(live)))
    this.connection.send(writeFullSync(name, lacking))
  }

  /** Whether the update has reached the head of the document; if not it is held, refused, or taken in parts. */
  #admit(received: Received): boolean {
    const admission = this.document.admit(received.update, received.isFullSync, this.#options.sender)
    if (admission.kind !== 'large') return this.#follow(admission, received)
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
      if (this.#follow(admission, { update, isFullSync, tries })) this.#retryHeld()
      for (let next = this.#nextBehindLarge(); next; next = this.#nextBehindLarge()) next()
    } catch {
      this.#end(closeCodes.resync, 'the edit could not be stored; connect again')
    } finally {
      resume()
    }
  }

  #nextBehindLarge(): (() => void) | undefined {
    return this.#large ? undefined : this.#behindLarge.shift()
  }

  #follow(admission: Exclude<Admission, { kind: 'large' }>, received: Received): boolean {
    switch (admission.kind) {
      case 'known':
        this.#options.pace.charge({ work: received.update.byteLength })
        if (admission.stored) this.#enqueue(admission.stored, () => this.#acknowledge())
        else this.#afterTail(() => this.#acknowledge())
        return true
      case 'gap':
        this.#options.pace.charge({ work: received.update.byteLength })
        this.#hold({ ...received, missing: admission.missing, tries: received.tries + 1 })
        return false
      case 'refused':
        this.#end(closesFor[admission.code], `${admission.code}: ${admission.message}`, admission.code !== 'busy')
        return false
      case 'appending':
        this.#options.pace.charge({ work: admission.work })
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
    if (!this.#held.add(held)) {
      return this.#end(closeCodes.tooLarge, 'too many updates that build on something the server does not have')
    }
    if (this.#hasAsked) return
    this.#hasAsked = true
    this.#patience = setTimeout(
      () => this.#end(closeCodes.resync, 'something that your changes build on has not come; connect again'),
      this.#options.heldMs,
    )
    this.connection.send(writeSyncRequest(this.document.name, this.document.stateVector))
  }

  /** Admits held updates whose gap is filled, until none is left. */
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
    this.#options.pace.inTurn(() => this.#retryHeld())
  }

  #dropHeld(): void {
    this.#held.clear()
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
    this.#options.close(code, reason, isTheirs)
  }
}
