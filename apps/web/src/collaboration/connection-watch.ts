import { readAccessMessage } from '@copydesk/protocol'
import { contentName } from '@copydesk/schema/names'
import type { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import * as Y from 'yjs'
import type { Store } from '../common/store.ts'
import {
  type ConnectionState,
  quotaText,
  type Refusal,
  refusalOfClose,
  refusalOfReason,
  triesAgainAfter,
} from './connection-state.ts'
import { createHttpSync, divertLargeFrames, pause, sendUpdate } from './http-sync.ts'
import type { OfflineStore } from './offline-store.ts'

type Watched = {
  document: string
  clientKey: string
  socket: HocuspocusProviderWebsocket
  content: HocuspocusProvider
  room: HocuspocusProvider
  state: Store<ConnectionState>
  now: () => number
  store: () => OfflineStore
}

/** Observes a connection's providers. `noteLoaded` reports that the browser's store has been read. */
export type ConnectionWatch = { noteLoaded(): void; stop(): void }

// The close code that the provider itself uses when it closes a silent connection.
const givenUp = 4408

// With a local copy, the page waits at most this long for a server that doesn't answer.
const patienceMs = 3000

/** Updates `state` according to the events of the providers and the store, and reacts to them. */
export function watchConnection(watched: Watched): ConnectionWatch {
  const { document, clientKey, socket, content, room, state, store } = watched
  const update = (change: Partial<ConnectionState> = {}) => {
    const before = state.get()
    const isSettled = content.synced && content.unsyncedChanges === 0
    if (isSettled) http.settled()
    state.set({
      ...before,
      connected: socket.status === 'connected',
      synced: content.synced,
      unsynced: content.unsyncedChanges,
      unsyncedSince: isSettled ? null : before.unsyncedSince,
      opened: before.opened || (content.synced && room.synced),
      // The server has accepted this window again.
      refusal: triesAgainAfter(before.refusal) !== undefined && isSettled ? null : before.refusal,
      kept: store().isKeeping(),
      ...change,
    })
  }
  const refuse = (given: Refusal, refusalText: string | null = null) => {
    socket.disconnect()
    const { opened, unsyncedSince } = state.get()
    const isUnsent = unsyncedSince !== null
    // A user who has opened the document, or written into it, knows that it exists.
    const refusal = given === 'not_found' && (opened || isUnsent) ? 'revoked' : given
    // A user who lost access must not find the document in the browser either, once their unsaved text is copied.
    if ((refusal === 'not_found' || refusal === 'revoked') && !isUnsent) void store().clear()
    const afterMs = triesAgainAfter(refusal)
    if (afterMs === undefined) reconnection.stop()
    else reconnection.plan(afterMs)
    update({ refusal, refusalText, ...(refusal === 'revoked' ? { opened: true } : {}) })
  }
  const reconnection = createReturn(() => void socket.connect())
  const http = createHttpSync({
    send: (bytes, signal) => sendUpdate(document, bytes, clientKey, signal),
    socket,
    onUploading: (uploading) => update({ uploading }),
    refuse,
    wait: pause,
  })
  divertLargeFrames(socket, contentName(document), ({ kind, update: bytes }) => {
    // A single change may depend on others that are still in flight: a new socket syncs all of them together.
    if (kind === 'full') http.send(bytes)
    else socket.webSocket?.close()
  })
  const opening = openFromStore(watched, update)
  const stops = [
    opening.stop,
    http.close,
    reconnection.stop,
    followProviders(watched, { update, refuse, onTooLarge: () => http.send(Y.encodeStateAsUpdate(content.document)) }),
    followPage(watched),
    state.subscribe(() => {
      const { unsyncedSince, readOnly } = state.get()
      store().note({ unsentSince: unsyncedSince, readOnly })
    }),
  ]
  return {
    noteLoaded: opening.noteLoaded,
    stop() {
      for (const stop of stops) stop()
    },
  }
}

/** Opens the browser's copy of the document when the server is unreachable; otherwise leaves opening to the server. */
function openFromStore({ socket, state, store }: Watched, update: (change?: Partial<ConnectionState>) => void) {
  let hasWaited = !navigator.onLine
  let hasContent = false
  const open = () => {
    if (hasContent && hasWaited && socket.status !== 'connected' && !state.get().opened) update({ opened: true })
  }
  const stopWaiting = () => {
    hasWaited = true
    open()
  }
  const timer = setTimeout(stopWaiting, patienceMs)
  socket.on('close', stopWaiting)
  return {
    noteLoaded() {
      void store().loaded.then((isAnything) => {
        hasContent = isAnything
        update()
        open()
      })
      void store().begun.then(() => update())
    },
    stop() {
      clearTimeout(timer)
      socket.off('close', stopWaiting)
    },
  }
}

type Reactions = {
  update: (change?: Partial<ConnectionState>) => void
  refuse: (refusal: Refusal, text?: string | null) => void
  onTooLarge: () => void
}

function followProviders({ socket, content, room, state, now, store }: Watched, reactions: Reactions): () => void {
  const { update, refuse, onTooLarge } = reactions
  const onClose = ({ event: { code, reason } }: { event: { code: number; reason: string } }) => {
    const refusal = refusalOfClose(code, reason)
    if (refusal === 'too_large') return onTooLarge()
    if (refusal) return refuse(refusal, quotaText(reason))
    update()
    // The server closed one document and kept the socket: the provider would receive no more messages, so reconnect
    // with a new socket.
    if (socket.status === 'connected') socket.webSocket?.close()
  }
  const onDenied = ({ reason }: { reason: string }) => {
    const refusal = refusalOfReason(reason)
    if (refusal) refuse(refusal)
    else socket.webSocket?.close()
  }
  const onAuthenticated = ({ scope }: { scope: string }) => {
    follow(scope === 'readonly')
  }
  const onStateless = ({ payload }: { payload: string }) => {
    const access = readAccessMessage(payload)
    if (access !== undefined) follow(access === 'read' || access === 'comment')
  }
  const follow = (mayOnlyRead: boolean) => {
    const { readOnly, unsyncedSince } = state.get()
    // Text that was written before the user lost write access would look saved and never be sent.
    if (mayOnlyRead && !readOnly && unsyncedSince !== null) return refuse('read_only')
    update({ readOnly: mayOnlyRead })
  }
  const onUpdate = () => update()
  const onTransaction = (transaction: Y.Transaction) => {
    const { origin } = transaction
    const isOwn = origin !== content && !store().isOrigin(origin) && !state.get().readOnly
    if (isOwn && hasChanged(transaction)) update({ unsyncedSince: state.get().unsyncedSince ?? now() })
  }
  socket.on('status', onUpdate)
  for (const provider of [content, room]) {
    provider.on('synced', onUpdate)
    provider.on('close', onClose)
    provider.on('authenticationFailed', onDenied)
  }
  content.on('unsyncedChanges', onUpdate)
  content.on('authenticated', onAuthenticated)
  content.on('stateless', onStateless)
  content.document.on('afterTransaction', onTransaction)
  return () => content.document.off('afterTransaction', onTransaction)
}

/** Whether a transaction produces an update, which Yjs would encode for a listener even if it was received. */
function hasChanged({ deleteSet, beforeState, afterState }: Y.Transaction): boolean {
  if (deleteSet.clients.size > 0) return true
  for (const [client, clock] of afterState) if (beforeState.get(client) !== clock) return true
  return false
}

function followPage({ socket, content, state }: Watched): () => void {
  // A dead connection is noticed only after half a minute of silence. Closing it immediately costs little: if the
  // server is still reachable, for example on this machine, a new one opens within a second.
  const onOffline = () => {
    if (socket.status === 'connected') socket.webSocket?.dispatchEvent(new CloseEvent('close', { code: givenUp }))
  }
  const onOnline = () => void (state.get().refusal === null && !state.get().uploading && socket.connect())
  const leaving = (event: BeforeUnloadEvent) => {
    const { opened, kept, connected, uploading } = state.get()
    // Changes stored in this browser that can't be sent now aren't lost by leaving; changes about to be saved are worth
    // the wait.
    const isWorthStaying = !kept || connected || uploading
    if (content.hasUnsyncedChanges && opened && isWorthStaying) event.preventDefault()
  }
  addEventListener('online', onOnline)
  addEventListener('offline', onOffline)
  addEventListener('beforeunload', leaving)
  return () => {
    removeEventListener('online', onOnline)
    removeEventListener('offline', onOffline)
    removeEventListener('beforeunload', leaving)
  }
}

/** A planned reconnect: runs the given milliseconds after each call of `plan`, until it is stopped. */
type ReturnLater = { plan(afterMs: number): void; stop(): void }

/**
 * Plans to reconnect after a refusal for a limit or quota of this account, or for updates that another client will
 * bring: the user doesn't have to retry.
 */
function createReturn(reconnect: () => void): ReturnLater {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  return {
    plan(afterMs) {
      stop()
      timer = setTimeout(reconnect, afterMs)
    },
    stop,
  }
}
