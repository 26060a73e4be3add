import type { Connection, Hocuspocus } from '@hocuspocus/server'
import { closeCodes, deniedReasons } from '@copydesk/protocol'
import { parseDocumentName } from '@copydesk/schema'
import type { WebSocket } from 'ws'
import { type Caller, senderOf } from '../../auth/callers.ts'
import { sleep } from '../../common/time.ts'
import { ConnectedDocument, type CloseSocket } from './connected-document.ts'
import { handleFrame } from './document-frames.ts'
import { type Frame, readFrame, writePermissionDenied } from './frames.ts'
import type { OpenDocument } from '../document/open-document.ts'
import { type Identity, identityOf } from './presence.ts'
import { SocketLiveness } from './socket-liveness.ts'
import { type SlowReader, watchReader } from './slow-reader.ts'
import { fullReasons, type GroupKind, groupsOf, type SocketGroup, sumOf } from '../limits/socket-groups.ts'
import type { SocketOrigin } from '../../common/client-address.ts'
import type { SocketCounts, CountedSocket } from '../limits/socket-limits.ts'
import { littleUnread, SocketPace } from '../limits/socket-pace.ts'

type ClientConnection = ReturnType<Hocuspocus['handleConnection']>

/**
 * The state of a document on a socket: its token is being checked and frames wait, it is attached, or it was refused
 * and its frames are dropped until another token arrives. A document without an entry has received no token yet.
 */
type DocumentState =
  | { state: 'refused' }
  | { state: 'authenticating'; waiting: { frame: Frame; bytes: Uint8Array }[]; bytes: number }
  | { state: 'attached'; connected: ConnectedDocument }

const limits = { documents: 100, waitingBytes: 16 * 1024 * 1024, waitingFrames: 1000 }
const disconnectWithinMs = 400
// A close frame has room for 123 bytes of reason (RFC 6455, 5.5).
const reasonBytes = 120
/** Close codes for sockets that are closed because of the client's data. */
const refusals: ReadonlySet<number> = new Set([
  closeCodes.invalidFrame,
  closeCodes.tooLarge,
  closeCodes.schemaRefused,
  closeCodes.foreignClient,
])

/** One client's WebSocket. This class handles every frame before Hocuspocus gets it. */
export class CollabSocket {
  readonly #socket: WebSocket
  readonly #documents = new Map<string, DocumentState>()
  readonly #liveness: SocketLiveness
  #hocuspocus: ClientConnection | undefined
  #isDisconnecting = false
  readonly #counts: SocketCounts
  readonly #from: SocketOrigin
  readonly #counted: CountedSocket
  readonly #reader: SlowReader
  readonly #pace: SocketPace
  readonly #groups = new Set<SocketGroup>()
  /** The accounts of the tokens that were accepted on this socket. */
  readonly #callers = new Set<string>()
  /** Bytes of held updates, whose dependencies are missing. */
  heldBytes = 0

  constructor(socket: WebSocket, from: SocketOrigin, counts: SocketCounts, elapsed: () => number) {
    this.#socket = socket
    this.#counts = counts
    this.#from = from
    this.#counted = counts.countSocket(from)
    const onRead = (): void => this.#liveness.noteActivity()
    this.#pace = new SocketPace(socket, { counts, groups: this.#groups, address: from.address, elapsed, onRead })
    this.#reader = watchReader(socket, {
      limit: () => this.#unreadLimit(),
      onCaughtUp: () =>
        this.close(closeCodes.resync, 'this connection is too slow for the updates of this document; connect again'),
    })
    this.#liveness = new SocketLiveness(socket, {
      limits: counts.limits,
      elapsed,
      isInUse: () => this.#isInUse(),
      isPaused: () => this.#pace.isPaused,
      close: this.close,
    })
  }

  /** Starts to forward frames to the Hocuspocus side of the connection. */
  start(hocuspocus: ClientConnection): void {
    this.#hocuspocus = hocuspocus
    this.#socket.on('message', (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary))
    // For a frame above maxPayload, ws emits an error and closes with 1009 itself.
    this.#socket.on('error', () => this.#socket.close())
    this.#socket.on('close', (code, reason) => {
      this.#liveness.stop()
      this.#pace.stop()
      this.#reader.stop()
      this.#counted.closed()
      this.#counts.groups.leave(this, this.#groups)
      for (const document of this.#documents.values()) if (document.state === 'attached') document.connected.detach()
      this.#documents.clear()
      hocuspocus.handleClose({ code, reason: reason.toString() })
    })
  }

  /** Hocuspocus has accepted the client for a document: handles the waiting frames. */
  attach(document: OpenDocument, connection: Connection, caller: Caller, clientKey: string | undefined): void {
    const full = this.#joinGroups(caller)
    if (full) return this.close(closeCodes.tooMany, fullReasons[full])
    const state = this.#documents.get(document.name)
    const [identity, sender] = [identityOf(caller), senderOf(caller, clientKey)]
    const canSend = (): boolean => !this.#reader.isSuspended && !this.#isDisconnecting
    const connected = new ConnectedDocument(document, connection, {
      identity,
      sender,
      close: this.close,
      canSend,
      heldMs: this.#counts.limits.heldMs,
      countHeldBytes: (change) => this.#countHeldBytes(change),
      pace: this.#pace,
    })
    this.#documents.set(document.name, { state: 'attached', connected })
    if (state?.state !== 'authenticating') return
    for (const { frame, bytes } of state.waiting) this.#handle(frame, bytes)
  }

  /**
   * The token for this document was refused; the client may send another token. `wasLookedAt`: whether the check
   * queried the store, which counts against the address.
   */
  refuse(name: string, wasLookedAt = false): void {
    this.#documents.set(name, { state: 'refused' })
    if (wasLookedAt) this.#counted.refused()
  }

  /** Hocuspocus has closed the document. */
  detach(name: string): void {
    const state = this.#documents.get(name)
    if (state?.state !== 'attached') return
    const { connected } = state
    // This notice is outdated: the client has already opened the document again.
    if (connected.document.live.hasConnection(connected.connection)) return
    connected.detach()
    this.#documents.delete(name)
  }

  /** Resolves when every update received so far is on disk or refused. */
  async settled(): Promise<void> {
    for (const document of this.#documents.values()) {
      if (document.state === 'attached') await document.connected.settled()
    }
  }

  /** Sends a stateless message about a document, after all earlier frames have been acknowledged. */
  sendStateless(name: string, connection: Connection, message: string): void {
    const state = this.#documents.get(name)
    if (state?.state === 'attached' && state.connected.connection === connection) {
      state.connected.inOrder(() => connection.sendStateless(message))
    }
  }

  /** The name or the rights of the caller who has this document open on this socket have changed. */
  setIdentity(name: string, connection: Connection, identity: Identity): void {
    const state = this.#documents.get(name)
    if (state?.state === 'attached' && state.connected.connection === connection) {
      state.connected.presence.setIdentity(identity)
      state.connected.noteRights()
    }
  }

  /**
   * Closes the socket of a caller who has lost their rights. Ignores all further frames. Updates that are being stored
   * are acknowledged first, unless that takes longer than `disconnectWithinMs`.
   */
  disconnect(code: number, reason: string): void {
    if (this.#isDisconnecting) return
    this.#isDisconnecting = true
    void Promise.race([this.settled(), sleep(disconnectWithinMs)]).then(() => this.close(code, reason))
  }

  /** Whether this caller may open a document now; if not, closes the socket. */
  admits(caller: Caller): boolean {
    const account = accountOf(caller)
    this.#callers.add(account)
    const isKeptOut = this.#counts.refusals.isBlocked(account)
    if (isKeptOut)
      this.close(closeCodes.tooMany, 'too many updates of this account were refused; try again in a minute')
    return !isKeptOut
  }

  readonly close: CloseSocket = (code, reason, isClientsFault = refusals.has(code)) => {
    // A socket that is already closed is not counted again.
    if (isClientsFault && this.#socket.readyState === this.#socket.OPEN) {
      for (const account of this.#callers) this.#counts.refusals.note(account)
    }
    this.#socket.close(code, truncate(reason))
  }

  /** Resolves when the socket is closed, by the answer to a close frame or otherwise. */
  closed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState === this.#socket.CLOSED) resolve()
      else this.#socket.once('close', () => resolve())
    })
  }

  terminate(): void {
    this.#socket.terminate()
  }

  /** Whether sending is suspended because the client reads too slowly. */
  get isSendingSuspended(): boolean {
    return this.#reader.isSuspended
  }

  /** The number of bytes that the client has not read yet. */
  get unread(): number {
    return this.#socket.bufferedAmount
  }

  /** Joins the groups of a caller; returns the first group without room for this socket, if any. */
  #joinGroups(caller: Caller): GroupKind | undefined {
    this.#counted.noteAuthenticated()
    const joined = this.#counts.groups.join(this, groupsOf(caller, this.#from))
    if (!joined.ok) return joined.full
    for (const group of joined.groups) this.#groups.add(group)
    return undefined
  }

  #countHeldBytes(change: number): boolean {
    this.heldBytes += change
    return change < 0 || [...this.#groups].every((group) => sumOf(group, 'heldBytes') <= group.limits.held)
  }

  #unreadLimit(): number {
    const { unread } = this.#counts.limits
    if (this.unread < littleUnread) return unread
    return [...this.#groups].every((group) => sumOf(group, 'unread') <= group.limits.unread) ? unread : littleUnread
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#liveness.noteActivity()
    if (this.#socket.readyState !== this.#socket.OPEN || this.#isDisconnecting) return
    if (!isBinary) return this.close(closeCodes.invalidFrame, 'text frames are not part of the protocol')
    this.#pace.charge({ frames: 1, bytes: data.byteLength })
    try {
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      const frame = readFrame(bytes)
      // The memory behind `bytes` may be reused before the queued frame is handled.
      const kept = frame.kind === 'update' ? bytes : bytes.slice()
      if (frame.kind !== 'keep-alive') this.#pace.schedule(() => this.#route(frame, kept), kept.byteLength)
    } catch (error) {
      this.close(closeCodes.invalidFrame, `a frame that can't be read: ${error instanceof Error ? error.message : ''}`)
    }
  }

  #route(frame: Exclude<Frame, { kind: 'keep-alive' }>, bytes: Uint8Array): void {
    const known = this.#documents.get(frame.name)
    if (known?.state === 'attached') return this.#handle(frame, bytes)
    if (known?.state === 'authenticating') return this.#queueFrame(known, frame, bytes)
    if (frame.kind === 'close') return
    if (frame.kind !== 'auth' && known?.state === 'refused') return
    const isFull = this.#documents.size >= limits.documents
    // A client that does not wait for the answer to a token keeps sending frames until it reads the refusal.
    if (isFull && frame.kind !== 'auth') return
    if (frame.kind !== 'auth') return this.close(closeCodes.unauthenticated, 'send a token for the document first')
    if (this.#counted.isOverTokenLimit && this.#isLimited()) {
      return this.close(closeCodes.tooMany, 'too many tokens from this address were refused; try again in a minute')
    }
    // If the socket were closed, the provider would reconnect with the same number of documents, again and again.
    if (isFull) return this.#socket.send(writePermissionDenied(frame.name, deniedReasons.tooManyDocuments))
    if (!parseDocumentName(frame.name)) {
      // Hocuspocus uses names as keys of plain objects and must not see names such as `constructor`.
      this.refuse(frame.name)
      return this.#socket.send(writePermissionDenied(frame.name, deniedReasons.invalidName))
    }
    this.#documents.set(frame.name, { state: 'authenticating', waiting: [], bytes: 0 })
    this.#hocuspocus?.handleMessage(bytes)
  }

  /**
   * Whether the limit on refused tokens of the address applies to this socket. A socket with an accepted token and no
   * refused document is exempt.
   */
  #isLimited(): boolean {
    return this.#groups.size === 0 || [...this.#documents.values()].some(({ state }) => state === 'refused')
  }

  #queueFrame(state: DocumentState & { state: 'authenticating' }, frame: Frame, bytes: Uint8Array): void {
    state.bytes += bytes.byteLength
    if (state.bytes > limits.waitingBytes || state.waiting.length >= limits.waitingFrames) {
      return this.close(closeCodes.tooLarge, 'too much was sent before the token was accepted')
    }
    state.waiting.push({ frame, bytes: bytes.slice() })
  }

  #handle(frame: Frame, bytes: Uint8Array): void {
    if (frame.kind === 'keep-alive') return
    const known = this.#documents.get(frame.name)
    if (known?.state === 'attached') handleFrame(known.connected, frame, bytes, this)
  }

  /** Whether a document is open, or its token is being checked. */
  #isInUse(): boolean {
    return [...this.#documents.values()].some(({ state }) => state !== 'refused')
  }
}

/** The account for which a socket counts: the person's or the run's. */
function accountOf(caller: Caller): string {
  return caller.kind === 'run' ? caller.run : caller.user.id
}

function truncate(reason: string): string {
  const bytes = Buffer.from(reason)
  return bytes.byteLength <= reasonBytes
    ? reason
    : new TextDecoder().decode(bytes.subarray(0, reasonBytes - 3)).replace(/\uFFFD$/, '') + '…'
}
