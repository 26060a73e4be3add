import { contentName, contentTypes, roomName, SCHEMA_VERSION } from '@copydesk/schema'
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import * as Y from 'yjs'
import { createStore, sameJson, type Store } from '../app/store.ts'
import { type ConnectionState, initialConnection, refusalOfClose, refusalOfReason } from './connection-state.ts'
import type { LocalUser } from './presence.ts'
import { createRoomStore, type RoomStore } from './room-store.ts'

/**
 * One document opened for working: its content and its room on one socket. Whoever opens it closes it; afterwards its
 * parts must not be used.
 */
export type DocumentConnection = {
  readonly document: string
  readonly content: Y.Doc
  readonly fragment: Y.XmlFragment
  readonly meta: Y.Map<unknown>
  readonly provider: HocuspocusProvider
  readonly room: RoomStore
  readonly state: Store<ConnectionState>
  /** Goes on as this person, and comes back if the document was refused for want of a session. */
  enter(user: LocalUser): void
  /** Frees socket, providers and documents; may be called twice. */
  close(): void
}

// The server takes the session cookie of the upgrade request for this token. It must be a plain string: with an
// asynchronous token function the provider reports everything as synced while the server still lacks it.
const cookieToken = 'cookie'

// What the provider itself says when it gives up a silent connection.
const givenUp = 4408

/**
 * Opens a document and announces `user` to the others. `origin` is the page's, such as `https://desk.example`; `now` is the
 * clock in milliseconds. Returns at once; `state` tells how it goes.
 */
export function openConnection(
  document: string,
  origin: string,
  user: LocalUser,
  now: () => number,
): DocumentConnection {
  const socket = new HocuspocusProviderWebsocket({
    url: socketUrl(document, origin),
    delay: 400,
    minDelay: 200,
    factor: 1.5,
    maxDelay: 1000,
  })
  const content = new Y.Doc()
  const roomDocument = new Y.Doc()
  const join = (name: string, doc: Y.Doc, awareness?: null) =>
    new HocuspocusProvider({
      websocketProvider: socket,
      name,
      document: doc,
      token: cookieToken,
      ...(awareness === null ? { awareness } : {}),
    })
  const provider = join(contentName(document), content)
  const roomProvider = join(roomName(document), roomDocument, null)
  const state = createStore<ConnectionState>(initialConnection, sameJson)
  const stopWatching = watch({ socket, content: provider, room: roomProvider, state, now })
  const room = createRoomStore(roomDocument)
  provider.awareness?.setLocalStateField('user', user)
  provider.attach()
  roomProvider.attach()

  let closed = false
  return {
    document,
    content,
    fragment: content.getXmlFragment(contentTypes.fragment),
    meta: content.getMap(contentTypes.meta),
    provider,
    room,
    state,
    enter(next) {
      provider.awareness?.setLocalStateField('user', next)
      if (state.get().refusal !== 'unauthenticated') return
      state.set({ ...state.get(), refusal: null })
      void socket.connect()
    },
    close() {
      if (closed) return
      closed = true
      stopWatching()
      room.close()
      provider.destroy()
      roomProvider.destroy()
      socket.destroy()
      content.destroy()
      roomDocument.destroy()
    },
  }
}

function socketUrl(document: string, origin: string): string {
  const search = new URLSearchParams({ document, schemaVersion: String(SCHEMA_VERSION) })
  return `${origin.replace(/^http/, 'ws')}/collab?${search}`
}

type Watched = {
  socket: HocuspocusProviderWebsocket
  content: HocuspocusProvider
  room: HocuspocusProvider
  state: Store<ConnectionState>
  now: () => number
}

function watch({ socket, content, room, state, now }: Watched): () => void {
  const update = (change: Partial<ConnectionState> = {}) => {
    const before = state.get()
    state.set({
      ...before,
      connected: socket.status === 'connected',
      synced: content.synced,
      unsynced: content.unsyncedChanges,
      unsyncedSince: content.synced && content.unsyncedChanges === 0 ? null : before.unsyncedSince,
      opened: before.opened || (content.synced && room.synced),
      ...change,
    })
  }
  const refuse = (refusal: ConnectionState['refusal']) => {
    socket.disconnect()
    update({ refusal })
  }
  const onClose = ({ event }: { event: { code: number } }) => {
    const refusal = refusalOfClose(event.code)
    if (refusal) return refuse(refusal)
    update()
    // The server closed one document and kept the socket: the provider would stay deaf, so come back with a new socket.
    if (socket.status === 'connected') socket.webSocket?.close()
  }
  const onDenied = ({ reason }: { reason: string }) => {
    const refusal = refusalOfReason(reason)
    if (refusal) refuse(refusal)
    else socket.webSocket?.close()
  }
  const onUpdate = () => update()
  const onChange = (_update: Uint8Array, origin: unknown) => {
    if (origin !== content) update({ unsyncedSince: state.get().unsyncedSince ?? now() })
  }
  // A dead connection is noticed only after half a minute of silence. Giving it up at once costs little: where the server
  // can be reached all the same, on this machine for example, a new one is there within a second.
  const onOffline = () => {
    if (socket.status === 'connected') socket.webSocket?.dispatchEvent(new CloseEvent('close', { code: givenUp }))
  }
  const onOnline = () => void (state.get().refusal === null && socket.connect())
  const leaving = (event: BeforeUnloadEvent) => {
    if (content.hasUnsyncedChanges && state.get().opened) event.preventDefault()
  }

  socket.on('status', onUpdate)
  for (const provider of [content, room]) {
    provider.on('synced', onUpdate)
    provider.on('close', onClose)
    provider.on('authenticationFailed', onDenied)
  }
  content.on('unsyncedChanges', onUpdate)
  content.document.on('update', onChange)
  content.on('authenticated', ({ scope }: { scope: string }) => update({ readOnly: scope === 'readonly' }))
  addEventListener('online', onOnline)
  addEventListener('offline', onOffline)
  addEventListener('beforeunload', leaving)
  return () => {
    content.document.off('update', onChange)
    removeEventListener('online', onOnline)
    removeEventListener('offline', onOffline)
    removeEventListener('beforeunload', leaving)
  }
}
