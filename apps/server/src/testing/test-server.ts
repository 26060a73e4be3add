import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import type { DocumentSummary, Session } from '@copydesk/protocol'
import { contentTypes } from '@copydesk/schema'
import type { RouteOptions } from 'fastify'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { createTokens, type Tokens } from '../auth/tokens.ts'
import { readConfig } from '../services/config.ts'
import { createLogger } from '../common/logger.ts'
import { type ServerOptions, startServer } from '../server.ts'
import { makeDataFolder, openFile } from './test-store.ts'

/** A row of `document_updates`. */
export type UpdateRow = { seq: number; bytes: Uint8Array; actor: string; run: string | null }

/** A complete server in this process, on a free port and with its own data folder. */
export type TestServer = {
  url: string
  directory: string
  /** A connection to the database file that bypasses the server. */
  file: DatabaseSync
  /** Signs and verifies tokens as the server does. */
  tokens: Tokens
  /** With AUTH=accounts, the token for creating the first account. */
  setUpToken: string
  /** All its routes, as `GET /api/me`. */
  routes: ReadonlySet<string>
  /** The server's log lines of level `warn` and above. */
  logged(): string
  signIn(name: string): Promise<Session>
  create(session: Session, markdown: string): Promise<DocumentSummary>
  rows(name: string): UpdateRow[]
  /** The document at the end of its log. */
  load(name: string): Y.Doc
  join(token: string, name: string): Promise<TestEditor>
  dispose(): Promise<void>
}

/** A user with a document open through a real provider. */
export type TestEditor = {
  provider: HocuspocusProvider
  socket: HocuspocusProviderWebsocket
  doc: Y.Doc
  /** The text of the first block. */
  text(): Y.XmlText
  saved(): Promise<void>
  close(): void
}

const secret = 'a secret for tests that is long enough'

/** Starts a server for one test file. */
export async function startTestServer(
  environment: Record<string, string> = {},
  options: Pick<
    ServerOptions,
    'requestTimes' | 'socketLimits' | 'mailTimes' | 'webhookTimes' | 'localServers' | 'mcpWaitMs'
  > = {},
): Promise<TestServer> {
  const directory = makeDataFolder('copydesk-server-')
  const lines: string[] = []
  const config = {
    ...readConfig({ DATA_DIR: directory, SECRET: secret, AGENT_PROVIDER: 'builtin', ...environment }),
    PORT: 0,
  }
  const logger = createLogger('warn', undefined, { write: (line) => void lines.push(line) })
  const routes = new Set<string>()
  const onRoute = ({ method, url }: RouteOptions): void => {
    // Every GET route also answers HEAD.
    for (const each of [method].flat()) if (each !== 'HEAD') routes.add(`${each} ${url}`)
  }
  const server = await startServer({
    localServers: [],
    ...options,
    config,
    logger,
    webRoot: join(directory, 'no-web'),
    onRoute,
  })
  const file = openFile(directory)
  const { url } = server
  const rows = (name: string): UpdateRow[] =>
    file
      .prepare('SELECT seq, bytes, actor, run FROM document_updates WHERE name = ? ORDER BY seq')
      .all(name) as unknown as UpdateRow[]
  return {
    url,
    directory,
    file,
    tokens: createTokens(secret),
    setUpToken: server.setUpUrl?.split('#')[1] ?? '',
    routes,
    logged: () => lines.join(''),
    signIn: (name) => post<Session>(`${url}/api/session`, { name }),
    create: (session, markdown) => post<DocumentSummary>(`${url}/api/documents`, { markdown }, session.token),
    rows,
    load(name) {
      const doc = new Y.Doc()
      Y.applyUpdate(doc, Y.mergeUpdates(rows(name).map(({ bytes }) => bytes)))
      return doc
    },
    join: (token, name) => connect(url, token, name),
    async dispose() {
      file.close()
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function post<T>(url: string, body: unknown, token?: string): Promise<T> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const headers = { 'content-type': 'application/json', ...authorization }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

async function connect(url: string, token: string, name: string): Promise<TestEditor> {
  const socket = new HocuspocusProviderWebsocket({
    url: `${url.replace('http', 'ws')}/collab`,
    delay: 50,
    minDelay: 50,
    maxDelay: 200,
  })
  const doc = new Y.Doc()
  const provider = new HocuspocusProvider({ websocketProvider: socket, name, document: doc, token })
  provider.attach()
  await until(() => provider.synced, `${name} is synced`)
  return {
    provider,
    socket,
    doc,
    text: () => firstText(doc),
    saved: () => until(() => provider.synced && !provider.hasUnsyncedChanges, 'everything is acknowledged'),
    close() {
      provider.destroy()
      socket.destroy()
      doc.destroy()
    },
  }
}

/** The text of a document's first block. */
export function firstText(doc: Y.Doc): Y.XmlText {
  const block = doc.getXmlFragment(contentTypes.fragment).get(0)
  const text = block instanceof Y.XmlElement ? block.get(0) : undefined
  if (!(text instanceof Y.XmlText)) throw new Error('the first block has no text')
  return text
}
