import { contentName, contentTypes, roomName, SCHEMA_VERSION } from '@copydesk/schema/names'
import { HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import { uuidv4 } from 'lib0/random'
import type { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { createStore, sameJson, type Store } from '../common/store.ts'
import { BatchingProvider } from './batching-provider.ts'
import { type ConnectionState, initialConnection } from './connection-state.ts'
import { watchConnection } from './connection-watch.ts'
import { type OfflineStore, openOfflineStore } from './offline-store.ts'
import { createPresenceStore, type LocalUser, type PresenceStore } from './presence.ts'
import { createRoomStore, type RoomStore } from './room-store.ts'

/**
 * One document opened for editing: its content and its room on one socket, and the copy of the content in this browser.
 * The opener closes it; afterwards its parts must not be used.
 */
export type DocumentConnection = {
  readonly document: string
  readonly content: Y.Doc
  readonly fragment: Y.XmlFragment
  readonly meta: Y.Map<unknown>
  readonly provider: BatchingProvider
  readonly room: RoomStore
  readonly presence: PresenceStore
  readonly state: Store<ConnectionState>
  /** Continues as this user, and reconnects if the document was refused for lack of a session. */
  enter(user: LocalUser): void
  /** Reconnects after a refusal, and sends all changes that the server lacks. */
  tryAgain(): void
  /** Deletes this browser's copy of the document, including unsent changes; resolves when it is deleted. */
  forget(): Promise<void>
  /** Frees socket, providers and documents; may be called twice. */
  close(): void
}

// For this token the server uses the session cookie of the upgrade request. It must be a plain string: with an
// asynchronous token function the provider reports everything as synced while the server still lacks it.
const cookieToken = 'cookie'

/**
 * Opens a document and announces `user` to the peers. `origin` is the page's, such as `https://desk.example`; `now` is
 * the clock in milliseconds. Returns immediately; `state` reports the progress.
 */
export function openConnection(
  document: string,
  origin: string,
  user: LocalUser,
  now: () => number,
): DocumentConnection {
  const { socket, content, provider, roomDocument, roomProvider, clientKey, free } = createProviders(document, origin)
  let store = openOfflineStore(user.id, document, content, now)
  const state = createStore<ConnectionState>(stateFrom(store), sameJson)
  const watch = watchConnection({
    document,
    clientKey,
    socket,
    content: provider,
    room: roomProvider,
    state,
    now,
    store: () => store,
  })
  const room = createRoomStore(roomDocument)
  const announced = announce(provider.awareness, user)

  const tryAgain = createRetry(state, socket)
  let closed = false
  const attach = () => {
    if (closed) return
    watch.noteLoaded()
    provider.attach()
    roomProvider.attach()
  }
  // With the local copy loaded, the first sync exchanges only the changes that either side lacks.
  void store.loaded.then(attach)
  return {
    document,
    content,
    fragment: content.getXmlFragment(contentTypes.fragment),
    meta: content.getMap(contentTypes.meta),
    provider,
    room,
    presence: announced.presence,
    state,
    enter(next) {
      announced.change(next)
      if (next.id !== store.account) {
        void store.clear()
        store = openOfflineStore(next.id, document, content, now)
        void store.loaded.then(watch.noteLoaded)
      }
      if (state.get().refusal === 'unauthenticated') tryAgain()
    },
    tryAgain,
    forget: () => store.clear(),
    close() {
      if (closed) return
      closed = true
      announced.stop()
      watch.stop()
      for (const part of [room, store]) part.close()
      free()
    },
  }
}

function createRetry(state: Store<ConnectionState>, socket: HocuspocusProviderWebsocket): () => void {
  return () => {
    state.set({ ...state.get(), refusal: null })
    void socket.connect()
  }
}

/** Publishes this user's presence, and follows those of the peers. */
function announce(awareness: Awareness | null, user: LocalUser) {
  let announced = user
  // The provider removes its presence when the page is hidden, even if the browser keeps the page in its back/forward
  // cache.
  const again = () => {
    if (awareness?.getLocalState() === null) awareness.setLocalState({ user: announced })
  }
  awareness?.setLocalStateField('user', user)
  const presence = createPresenceStore(awareness)
  addEventListener('pageshow', again)
  return {
    change(next: LocalUser) {
      announced = next
      awareness?.setLocalStateField('user', next)
    },
    presence,
    stop() {
      presence.close()
      removeEventListener('pageshow', again)
    },
  }
}

function createProviders(document: string, origin: string) {
  // Text written here still belongs to this page if the user continues under another name.
  const clientKey = uuidv4()
  const socket = new HocuspocusProviderWebsocket({
    url: socketUrl(document, origin, clientKey),
    delay: 400,
    minDelay: 200,
    factor: 1.5,
    maxDelay: 1000,
  })
  const content = new Y.Doc()
  const roomDocument = new Y.Doc()
  const join = (name: string, doc: Y.Doc, awareness?: null) =>
    new BatchingProvider({
      websocketProvider: socket,
      name,
      document: doc,
      token: cookieToken,
      ...(awareness === null ? { awareness } : {}),
    })
  const provider = join(contentName(document), content)
  const roomProvider = join(roomName(document), roomDocument, null)
  // The room's state is also drawn in the text.
  roomProvider.beforeIncoming.add(() => provider.beforeIncoming.forEach((act) => act()))
  const free = () => {
    for (const part of [provider, roomProvider, socket, content, roomDocument]) part.destroy()
  }
  return { socket, content, provider, roomDocument, roomProvider, clientKey, free }
}

function stateFrom({ known }: OfflineStore): ConnectionState {
  return { ...initialConnection, unsyncedSince: known?.unsentSince ?? null, readOnly: known?.readOnly ?? false }
}

function socketUrl(document: string, origin: string, client: string): string {
  const search = new URLSearchParams({ document, schemaVersion: String(SCHEMA_VERSION), client })
  return `${origin.replace(/^http/, 'ws')}/collab?${search}`
}
