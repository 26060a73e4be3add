import { type Document, Hocuspocus } from '@hocuspocus/server'
import { closeCodes, deniedReasons, FILES_CHANGED, NOTIFIED } from '@copydesk/protocol'
import { contentTypes, parseDocumentName, retainDeletedTypes } from '@copydesk/schema'
import type { FastifyBaseLogger } from 'fastify'
import type { WebSocket } from 'ws'
import { type Identify, type PersonCaller, sessionTokenOf } from '../auth/callers.ts'
import { type Access, allows } from '../common/identity.ts'
import type { Signal, Signals } from '../common/signals.ts'
import type { LogQuota } from '../quotas/log-quota.ts'
import type { FindAccess } from '../rights/access.ts'
import { ChunkedLoader } from '../store/log/chunked-loader.ts'
import type { Replica } from '../store/log/replica-cache.ts'
import type { Snapshots } from '../store/log/snapshots.ts'
import type { Store } from '../store/store.ts'
import type { UpdateLog } from '../store/log/update-log.ts'
import { keepVerbatim } from '../store/updates/verbatim-doc.ts'
import { authenticate, type AuthenticationDeps, Denied, type SocketContext } from './authentication.ts'
import { ClientIds, readClientKey } from './admission/client-ids.ts'
import { CollabSocket } from './connection/collab-socket.ts'
import { defaultSocketLimits, SocketCounts, type SocketLimits } from './limits/socket-limits.ts'
import type { SocketOrigin } from '../common/client-address.ts'
import { LargeUpdates } from './document/large-updates.ts'
import { IdleDocumentCache } from './document/idle-document-cache.ts'
import { OpenDocument, type OpenDocumentDeps } from './document/open-document.ts'
import { RightsWatch } from './rights-watch.ts'
import { dayMs, sleep } from '../common/time.ts'

/** How long `close` waits for the answers to its close frames. */
const answerWithinMs = 1000

export type CollaborationDeps = {
  store: Store
  log: UpdateLog
  storage: { logs: Pick<LogQuota, 'admit'> }
  signals: Signals
  identify: Identify
  access: FindAccess
  visits: AuthenticationDeps['visits']
  now: () => number
  /** Monotonic clock for durations, in milliseconds. */
  elapsed: () => number
  snapshots: Snapshots
  logger: FastifyBaseLogger
  statementsFor: (document: string) => OpenDocumentDeps['statementsFor']
  /** Called when the content has changed and then not changed for a moment. */
  onContentSettled: (document: string) => Promise<void>
  onTitle: (document: string, title: string) => void
  limits?: Partial<SocketLimits> | undefined
  /** How many milliseconds a document stays open after the last user has left. */
  keepOpenMs: number
}

/**
 * The collaboration server: Hocuspocus for documents, presence and broadcasting. Every frame first passes
 * `CollabSocket`, so that an edit is acknowledged only after it is on disk.
 */
export class Collaboration {
  readonly #deps: CollaborationDeps
  readonly #hocuspocus: Hocuspocus
  readonly #open = new Map<string, OpenDocument>()
  readonly #sockets = new Set<CollabSocket>()
  readonly #rights: RightsWatch
  readonly #loading: ChunkedLoader
  readonly #large = new LargeUpdates()
  readonly #counts: SocketCounts
  readonly #idleDocuments: IdleDocumentCache
  readonly #unsubscribe: () => void
  #closed = false

  constructor(deps: CollaborationDeps) {
    this.#deps = deps
    this.#rights = new RightsWatch(deps)
    this.#loading = new ChunkedLoader(deps.log, (error, document) =>
      deps.logger.warn({ err: error, document }, 'a document is loaded in one piece, which delays others'),
    )
    this.#idleDocuments = new IdleDocumentCache((live) => this.#unloadIfUnused(live), { forMs: deps.keepOpenMs })
    this.#counts = new SocketCounts({ ...defaultSocketLimits, ...deps.limits }, deps.elapsed)
    this.#hocuspocus = new Hocuspocus<SocketContext>({
      quiet: true,
      // `CollabSocket` closes idle sockets itself, since it sees frames that Hocuspocus doesn't.
      timeout: dayMs,
      maxPendingDocuments: 100,
      extensions: [
        {
          onAuthenticate: (payload) => authenticate(payload, { ...deps, rights: this.#rights, open: this.#open }),
          onLoadDocument: ({ document, documentName }) => this.#load(documentName, document),
          connected: async ({ connection, documentName, context }) =>
            this.#attach(documentName, connection, context as SocketContext),
          // HTTP sync opens documents without a socket.
          onDisconnect: async ({ documentName, context }) =>
            (context as Partial<SocketContext>).socket?.detach(documentName),
          onStoreDocument: ({ documentName }) => this.#refreshSnapshot(documentName),
          beforeUnloadDocument: async ({ documentName, document }) => {
            if (this.#open.get(documentName)?.isIdle === false) throw new Denied('edits are on their way to the disk')
            if (!this.#idleDocuments.keeps(document)) return
            void this.#refreshSnapshot(documentName, true)
            throw new Denied('it stays open for a while')
          },
          afterUnloadDocument: async ({ documentName }) => this.#unloaded(documentName),
        },
      ],
    })
    this.#unsubscribe = deps.signals.subscribe((signal) => {
      if (signal.kind === 'log') this.#noteLogged(signal)
      if (signal.kind === 'rights') this.#rights.follow(signal, this.#open.values())
      if (signal.kind === 'notified') {
        const people = new Set(signal.people)
        this.#notifyPages(NOTIFIED, ({ user }) => people.has(user.id))
      }
      // Only people with write access see proposals of file changes.
      if (signal.kind === 'files-changed')
        this.#notifyPages(FILES_CHANGED, ({ guest }, access) => !guest && allows(access, 'write'))
    })
  }

  /** Whether an address may open one more socket, see `SocketCounts`. */
  checkNewSocket(address: string): ReturnType<SocketCounts['checkNewSocket']> {
    return this.#counts.checkNewSocket(address)
  }

  /** Takes over an upgraded socket. `request` carries the query parameters and the session cookie. */
  accept(webSocket: WebSocket, from: SocketOrigin, request: Request): void {
    const socket = new CollabSocket(webSocket, from, this.#counts, this.#deps.elapsed)
    this.#sockets.add(socket)
    webSocket.once('close', () => this.#sockets.delete(socket))
    const clientKey = readClientKey(new URL(request.url).searchParams.get('client'))
    const cookie = sessionTokenOf(request.headers.get('cookie') ?? undefined)
    socket.start(this.#hocuspocus.handleConnection(webSocket, request, { socket, cookie, clientKey }))
  }

  /** A document that is open in this process, for reading only. Valid until the next `await`. */
  replica(name: string): Replica | undefined {
    return this.#open.get(name)?.replica
  }

  /** Opens a document during `work`, like a connected client; undefined if the document does not exist. */
  async withOpenDocument<T>(name: string, work: (document: OpenDocument) => Promise<T>): Promise<T | undefined> {
    // Hocuspocus hooks refuse by throwing.
    const connection = await this.#hocuspocus.openDirectConnection(name).catch((error: unknown) => {
      if (error instanceof Denied) return undefined
      throw error
    })
    if (!connection) return undefined
    try {
      const document = this.#open.get(name)
      if (!document || document.live !== connection.document || document.live.isDestroyed) {
        throw new Error(`${name} was closed while it was opened`)
      }
      this.#idleDocuments.noteReopened(document.live)
      return await work(document)
    } finally {
      await connection.disconnect({ unloadImmediately: false })
    }
  }

  /**
   * Closes all sockets with a code on which providers reconnect, after the received updates are on disk. Gives the
   * clients a moment to answer: a socket that is terminated while its client sends loses the close frame.
   */
  async close(): Promise<void> {
    this.#closed = true
    this.#idleDocuments.close()
    this.#unsubscribe()
    const sockets = [...this.#sockets]
    await Promise.allSettled(sockets.map((socket) => socket.settled()))
    for (const socket of sockets) socket.close(closeCodes.serviceRestart, 'the server restarts')
    await Promise.race([Promise.all(sockets.map((socket) => socket.closed())), sleep(answerWithinMs)])
    await this.#deps.log.settled()
    await this.#loading.close()
    await this.#large.close()
  }

  /** Terminates sockets whose clients didn't answer the close frame. */
  terminate(): void {
    for (const socket of this.#sockets) socket.terminate()
  }

  async #load(name: string, live: Document): Promise<void> {
    keepVerbatim(live)
    const loaded = await this.#loading.load(name, live)
    if (!loaded) throw new Denied(deniedReasons.notFound)
    if (loaded.quarantined.length > 0) {
      this.#deps.logger.error(
        { document: name, rows: loaded.quarantined },
        'updates that cannot be applied were set aside',
      )
    }
    const clients = new ClientIds(this.#deps, name)
    await clients.load()
    const parsed = parseDocumentName(name)
    // Keeps text that people type into a block while an agent changes its type: the agent inserts it into the new
    // block.
    if (parsed?.part === 'content') retainDeletedTypes(live)
    const document = new OpenDocument(name, live, loaded, {
      log: this.#deps.log,
      clients,
      large: this.#large,
      reserveBytes: (sender, bytes) => this.#deps.storage.logs.admit(parsed?.document ?? name, sender, bytes),
      statementsFor: this.#deps.statementsFor(parsed?.document ?? name),
      onSendFailure: (error) =>
        this.#deps.logger.error({ err: error, document: name }, 'a document could not be sent; its client reconnects'),
      onStoreFailure: (error) =>
        this.#deps.logger.error(
          { err: error, document: name },
          'an edit could not be stored; its sender sends it again',
        ),
      onIdle: () => this.#unloadIfUnused(live),
    })
    this.#open.set(name, document)
    try {
      // No signal was received for rows written between the load and this point.
      await document.catchUp()
    } catch (error) {
      this.#open.delete(name)
      document.destroy()
      throw error
    }
    if (parsed?.part === 'content') this.#watchTitle(parsed.document, live)
  }

  #noteLogged({ name, seq, update }: Extract<Signal, { kind: 'log' }>): void {
    this.#open
      .get(name)
      ?.noteLogged(seq, update)
      .catch((error: unknown) => {
        this.#deps.logger.error({ err: error, document: name }, 'the log could not be read; the next edit tries again')
      })
  }

  /** Sends a message to the open pages of some people, which then fetch the changes. */
  #notifyPages(message: string, isFor: (caller: PersonCaller, access: Access) => boolean): void {
    for (const { name, live } of this.#open.values()) {
      if (parseDocumentName(name)?.part !== 'content') continue
      for (const connection of live.getConnections()) {
        const { caller, access } = connection.context as SocketContext
        if (caller.kind === 'person' && isFor(caller, access)) connection.sendStateless(message)
      }
    }
  }

  #watchTitle(document: string, live: Document): void {
    const meta = live.getMap(contentTypes.meta)
    const note = (): void => {
      const title: unknown = meta.get('title')
      if (typeof title === 'string') this.#deps.onTitle(document, title)
    }
    meta.observe((event) => {
      if (event.keysChanged.has('title')) note()
    })
    // The title in the document list is a copy that may be outdated after a crash.
    note()
  }

  #attach(name: string, connection: Parameters<CollabSocket['attach']>[1], context: SocketContext): void {
    const { socket, caller } = context
    const document = this.#open.get(name)
    if (!document || document.live !== connection.document || connection.document.isDestroyed) {
      // The document was unloaded while this client joined; the client's updates would be lost.
      return socket.close(closeCodes.resync, 'the document was just closed; connect again')
    }
    this.#idleDocuments.noteReopened(document.live)
    socket.attach(document, connection, caller, context.clientKey)
    this.#rights.catchUp(name, connection)
  }

  async #refreshSnapshot(name: string, closed = false): Promise<void> {
    if (this.#closed) return
    try {
      // Search reads the newest snapshot, so a closed document needs a snapshot of all its changes.
      await this.#deps.snapshots.refresh(name, { always: closed })
      const parsed = parseDocumentName(name)
      if (!closed && parsed?.part === 'content') await this.#deps.onContentSettled(parsed.document)
    } catch (error) {
      // No data is lost: the log is complete, and the next change tries again.
      this.#deps.logger.error({ err: error, document: name }, 'no snapshot could be made')
    }
  }

  #unloadIfUnused(live: Document): void {
    if (live.getConnectionsCount() === 0) void this.#hocuspocus.unloadDocument(live)
  }

  #unloaded(name: string): void {
    const document = this.#open.get(name)
    // A client may have opened the document again while the hooks ran.
    if (document?.live.isDestroyed) {
      document.destroy()
      this.#open.delete(name)
    }
    void this.#refreshSnapshot(name, true)
  }
}
