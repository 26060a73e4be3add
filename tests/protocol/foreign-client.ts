import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import * as Y from 'yjs'

/**
 * A client as a third party would write it: from `docs/protocol.md` alone, with the public packages
 * `@hocuspocus/provider` and `yjs`. It imports nothing of ours on purpose; the shapes below are copied from the page.
 */
export type ForeignSession = { token: string; user: { id: string; name: string; color: string } }

export type ForeignRun = {
  id: string
  documentId: string
  status: string
  trigger: { kind: string; id: string }
  instruction: string
  invokedBy: unknown
  mode: string
  rounds: number
  maxRounds: number
  steps: { id: string; tool: string; arguments: unknown; status: string; summary: string; startedAt: string }[]
  usage: { inputTokens: number; outputTokens: number }
  answer?: string
  error?: { code: string; message: string }
  createdAt: string
  endedAt?: string
}

export type ForeignMessage = {
  id: string
  role: 'user' | 'agent'
  author: { id: string; name: string; kind: 'person' | 'agent' }
  text: string
  status: 'streaming' | 'complete'
  run?: string
  createdAt: string
}

export type ForeignDocument = {
  id: string
  title: string
  role: string
  agentMode: string
  trashed: boolean
  createdAt: string
  updatedAt: string
}

export type ForeignError = { error: { code: string; message: string; hint?: string } }

export type Answer<T> = { status: number; headers: Headers; body: T }

/** One HTTP call; a body is sent as JSON, and what comes back is parsed if it is JSON. Never throws for a status. */
export async function call<T>(
  url: string,
  method: string,
  path: string,
  options: { token?: string; body?: unknown } = {},
): Promise<Answer<T>> {
  const headers: Record<string, string> = {}
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`
  if (options.body !== undefined) headers['content-type'] = 'application/json'
  const response = await fetch(url + path, {
    method,
    headers,
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body: body as T }
}

/** Starts a session under a name. */
export async function startSession(url: string, name: string): Promise<ForeignSession> {
  return (await call<ForeignSession>(url, 'POST', '/api/session', { body: { name } })).body
}

/** Creates a document and answers its id. */
export async function createDocument(url: string, token: string, markdown: string, title?: string): Promise<string> {
  const body = title === undefined ? { markdown } : { title, markdown }
  return (await call<ForeignDocument>(url, 'POST', '/api/documents', { token, body })).body.id
}

/** The markdown of a document. */
export async function exportMarkdown(url: string, token: string, id: string): Promise<string> {
  return (await call<string>(url, 'GET', `/api/documents/${id}/export`, { token })).body
}

export type ForeignClient = {
  socket: HocuspocusProviderWebsocket
  content: HocuspocusProvider
  room: HocuspocusProvider
  fragment: Y.XmlFragment
  /** What the two documents were refused with. */
  refusals: string[]
  /** The close codes that the socket has seen. */
  closeCodes: number[]
  runs(): ForeignRun[]
  messages(): ForeignMessage[]
  close(): void
}

/** Connects as the page shows it, without waiting for anything. `query` is for clients that do name their schema. */
export function connect(
  url: string,
  token: string,
  id: string,
  options: { query?: string; WebSocketPolyfill?: unknown } = {},
): ForeignClient {
  const socket = new HocuspocusProviderWebsocket({
    url: `${url.replace('http', 'ws')}/collab${options.query ?? ''}`,
    delay: 100,
    minDelay: 100,
    ...(options.WebSocketPolyfill === undefined ? {} : { WebSocketPolyfill: options.WebSocketPolyfill }),
  })
  const refusals: string[] = []
  const closeCodes: number[] = []
  socket.on('close', ({ event }: { event: { code: number } }) => closeCodes.push(event.code))
  const open = (name: string): HocuspocusProvider => {
    const provider = new HocuspocusProvider({
      websocketProvider: socket,
      name,
      token,
      document: new Y.Doc(),
      onAuthenticationFailed: ({ reason }) => refusals.push(reason),
    })
    provider.attach()
    return provider
  }
  const content = open(id)
  const room = open(`${id}/room`)
  return {
    socket,
    content,
    room,
    fragment: content.document.getXmlFragment('default'),
    refusals,
    closeCodes,
    runs: () => Object.values(room.document.getMap('runs').toJSON()) as ForeignRun[],
    messages: () => room.document.getArray('messages').toJSON() as ForeignMessage[],
    close() {
      content.destroy()
      room.destroy()
      socket.destroy()
    },
  }
}

/** Connects and waits until both documents are synced. */
export async function join(url: string, token: string, id: string): Promise<ForeignClient> {
  const client = connect(url, token, id)
  await until(() => client.content.synced && client.room.synced, 'both documents are synced')
  return client
}

/** Resolves when everything written so far is in the server's log. */
export async function acknowledged(client: ForeignClient): Promise<void> {
  await until(() => client.content.synced && client.content.unsyncedChanges === 0, 'everything is acknowledged')
}

/** The run with this trigger, as soon as the room shows that it is over. */
export async function finalRun(client: ForeignClient, triggerId: string): Promise<ForeignRun> {
  const find = (): ForeignRun | undefined => client.runs().find(({ trigger }) => trigger.id === triggerId)
  const isOver = (): boolean => ['completed', 'failed', 'stopped', 'limit_reached'].includes(find()?.status ?? '')
  await until(isOver, `the run of ${triggerId} is over`)
  return find()!
}

/** A paragraph that asks the agent: a mention node with these attributes, then the instruction. */
export function mentionParagraph(requestId: string, instruction: string, state = 'sent'): Y.XmlElement {
  const mention = new Y.XmlElement('mention')
  const attributes = { id: 'agent', label: 'agent', kind: 'agent', requestId, state }
  for (const [name, value] of Object.entries(attributes)) mention.setAttribute(name, value)
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.insert(0, [mention, new Y.XmlText(` ${instruction}`)])
  return paragraph
}

/** The text of the first run of text in a top-level block. */
export function textAt(client: ForeignClient, index: number): Y.XmlText {
  const block = client.fragment.get(index)
  const text = block instanceof Y.XmlElement ? block.get(0) : undefined
  if (!(text instanceof Y.XmlText)) throw new Error(`block ${index} doesn't begin with text`)
  return text
}

/** Waits for a condition. Fails with what was waited for. */
export async function until(condition: () => boolean | Promise<boolean>, what: string, ms = 55_000): Promise<void> {
  const end = Date.now() + ms
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
