import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import type { DocumentSummary, Message, PostedMessage, Run, Session } from '@copydesk/protocol'
import { isFinal } from '@copydesk/protocol'
import { contentTypes, roomTypes, SCHEMA_VERSION } from '@copydesk/schema'
import { until } from '@copydesk/testing'
import * as Y from 'yjs'

/** A person with a session, calling the HTTP routes. */
export type TestPerson = Session & {
  call<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }>
  create(input?: { title?: string; markdown?: string }): Promise<DocumentSummary>
  markdown(document: string): Promise<string>
  ask(document: string, text: string): Promise<PostedMessage>
  run(document: string, run: string): Promise<Run>
}

/** Signs a person in. */
export async function signIn(url: string, name: string): Promise<TestPerson> {
  const session = (await request(url, 'POST', '/api/session', { name })).body as Session
  const call = async <T>(method: string, path: string, body?: unknown) => {
    const answer = await request(url, method, path, body, session.token)
    return { status: answer.status, body: answer.body as T }
  }
  return {
    ...session,
    call,
    create: async (input = {}) => (await call<DocumentSummary>('POST', '/api/documents', input)).body,
    markdown: async (document) => (await call<string>('GET', `/api/documents/${document}/export`)).body,
    ask: async (document, text) =>
      (await call<PostedMessage>('POST', `/api/documents/${document}/messages`, { text })).body,
    run: async (document, run) => (await call<Run>('GET', `/api/documents/${document}/runs/${run}`)).body,
  }
}

/** Calls a route; what it answers, parsed where it is JSON. */
export async function request(url: string, method: string, path: string, body?: unknown, token?: string) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text }
}

/** A client that has a document and its room open. */
export type TestPeer = {
  socket: HocuspocusProviderWebsocket
  content: HocuspocusProvider
  room: HocuspocusProvider
  doc: Y.Doc
  fragment: Y.XmlFragment
  runs(): Run[]
  messages(): Message[]
  /** Resolves when everything written so far is acknowledged. */
  saved(): Promise<void>
  close(): void
}

/** Opens a document as an editor does: one socket, content and room. Resolves when both are synced. */
export async function join(url: string, token: string, document: string, doc = new Y.Doc()): Promise<TestPeer> {
  const socket = new HocuspocusProviderWebsocket({
    url: `${url.replace('http', 'ws')}/collab?document=${document}&schemaVersion=${SCHEMA_VERSION}`,
    delay: 100,
    minDelay: 100,
    maxDelay: 400,
  })
  const open = (name: string, ydoc: Y.Doc): HocuspocusProvider => {
    const provider = new HocuspocusProvider({ websocketProvider: socket, name, document: ydoc, token })
    provider.attach()
    return provider
  }
  const content = open(document, doc)
  const room = open(`${document}/room`, new Y.Doc())
  await until(() => content.synced && room.synced, 'the document is synced')
  const unsavedState = (): string => {
    const { synced, unsyncedChanges, isAuthenticated } = content
    const state = { status: socket.status, isAuthenticated, synced, unsyncedChanges }
    return `everything is acknowledged: ${JSON.stringify(state)}`
  }
  return {
    socket,
    content,
    room,
    doc,
    fragment: doc.getXmlFragment(contentTypes.fragment),
    runs: () => Object.values(room.document.getMap(roomTypes.runs).toJSON()) as Run[],
    messages: () => room.document.getArray(roomTypes.messages).toJSON() as Message[],
    saved: () => until(() => content.synced && !content.hasUnsyncedChanges, unsavedState),
    close() {
      content.destroy()
      room.destroy()
      socket.destroy()
      doc.destroy()
    },
  }
}

/** Waits until the run of this id is over and answers it. */
export async function ended(peer: TestPeer, run: string): Promise<Run> {
  const find = (): Run | undefined => peer.runs().find(({ id }) => id === run)
  await until(() => isFinal(find()?.status ?? 'queued'), `run ${run} has ended`)
  return find()!
}

/** The text of a fragment's top-level blocks. */
export function blockTexts(fragment: Y.XmlFragment): string[] {
  return fragment.toArray().map((node) => textOf(node))
}

function textOf(node: unknown): string {
  if (node instanceof Y.XmlText) {
    const delta: { insert?: unknown }[] = node.toDelta()
    return delta.map(({ insert }) => (typeof insert === 'string' ? insert : '')).join('')
  }
  return node instanceof Y.XmlFragment ? node.toArray().map(textOf).join('') : ''
}

/** The text type of a top-level block. */
export function textIn(fragment: Y.XmlFragment, index: number): Y.XmlText {
  const block = fragment.get(index)
  const text = block instanceof Y.XmlElement ? block.get(0) : undefined
  if (!(text instanceof Y.XmlText)) throw new Error(`block ${index} has no text`)
  return text
}
