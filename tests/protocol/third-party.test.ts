import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import * as Y from 'yjs'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import {
  acknowledged,
  call,
  connect,
  createDocument,
  exportMarkdown,
  finalRun,
  type ForeignClient,
  type ForeignMessage,
  type ForeignRun,
  type ForeignSession,
  join,
  mentionParagraph,
  startSession,
  textAt,
  until,
} from './foreign-client.ts'

let server: Copydesk
let ana: ForeignSession

beforeAll(async () => {
  server = await startCopydesk()
  ana = await startSession(server.url, 'Ana')
})

afterAll(() => server.dispose())

/** Joins, and leaves when the test is over. */
async function enter(id: string, session = ana): Promise<ForeignClient> {
  const client = await join(server.url, session.token, id)
  onTestFinished(() => client.close())
  return client
}

/** Connects without waiting for anything, and leaves when the test is over. */
function connectUntilEnd(id: string, token: string, options: Parameters<typeof connect>[3] = {}): ForeignClient {
  const client = connect(server.url, token, id, options)
  onTestFinished(() => client.close())
  return client
}

const create = (markdown: string): Promise<string> => createDocument(server.url, ana.token, markdown)
const read = (id: string): Promise<string> => exportMarkdown(server.url, ana.token, id)

test('[PROTO-1] a foreign client joins without query parameters and reads the content as the page describes it', async () => {
  const id = await create('# Title\n\nSome **bold** text.\n\n- [x] done\n')
  const client = await enter(id)
  expect(client.refusals).toEqual([])
  expect(client.fragment.toArray().map((node) => (node as Y.XmlElement).nodeName)).toEqual([
    'heading',
    'paragraph',
    'taskList',
  ])
  expect((client.fragment.get(0) as Y.XmlElement).getAttribute('level')).toBe(1)
  expect(textAt(client, 0).toDelta()).toEqual([{ insert: 'Title' }])
  expect(textAt(client, 1).toDelta()).toEqual([
    { insert: 'Some ' },
    { insert: 'bold', attributes: { bold: {} } },
    { insert: ' text.' },
  ])
  const item = (client.fragment.get(2) as Y.XmlElement).get(0) as Y.XmlElement
  expect([item.nodeName, item.getAttribute('checked')]).toEqual(['taskItem', true])
  const meta = client.content.document.getMap('meta').toJSON()
  expect(meta).toEqual({ title: 'Title', schemaVersion: expect.any(Number) as number })
  expect(client.content.document.getMap('receipts').size).toBe(0)
})

test('[PROTO-2] an acknowledged edit is in the export, at a peer and at a client that joins later', async () => {
  const id = await create('Hello')
  const [writer, peer] = [await enter(id), await enter(id)]
  const text = textAt(writer, 0)
  text.insert(text.length, ' world')
  await acknowledged(writer)
  expect(await read(id)).toBe('Hello world\n')
  await until(() => textAt(peer, 0).toJSON() === 'Hello world', 'the peer has the edit')
  const later = await enter(id)
  expect(textAt(later, 0).toJSON()).toBe('Hello world')
})

test('[PROTO-3] a sent mention starts a run; the room shows it until it is final, the content has its work', async () => {
  const id = await create('I saw teh cat.')
  const client = await enter(id)
  const requestId = randomUUID()
  client.fragment.push([mentionParagraph(requestId, 'replace teh with the')])
  await acknowledged(client)
  const run = await finalRun(client, requestId)
  expect(run).toMatchObject({
    documentId: id,
    status: 'completed',
    trigger: { kind: 'mention', id: requestId },
    instruction: 'replace teh with the',
    mode: 'edit',
    invokedBy: { id: ana.user.id, name: 'Ana', kind: 'person' },
    usage: { inputTokens: expect.any(Number) as number, outputTokens: expect.any(Number) as number },
    answer: expect.any(String) as string,
  })
  expect(run.rounds).toBeLessThanOrEqual(run.maxRounds)
  expect(run.steps.map(({ status }) => status)).toContain('ok')
  for (const step of run.steps) {
    expect(Object.keys(step)).toEqual(
      expect.arrayContaining(['id', 'tool', 'arguments', 'status', 'summary', 'startedAt']),
    )
  }
  expect(new Date(run.createdAt).toISOString()).toBe(run.createdAt)
  expect(new Date(run.endedAt ?? '').toISOString()).toBe(run.endedAt)
  await until(() => textAt(client, 0).toJSON() === 'I saw the cat.', 'the correction is in the content')
  expect(await read(id)).toContain('I saw the cat.')
})

/** A block without what says that its text is commented on: the answer is a thread there. */
function withoutThreads(block: string): string {
  return block.replaceAll(/ threads="[^"]*"|<\/?comment--[^>]*>/g, '')
}

test('[PROTO-4] the block with the mention stays as it is and is exported as @label', async () => {
  const id = await create('I saw teh cat.')
  const client = await enter(id)
  const requestId = randomUUID()
  client.fragment.push([mentionParagraph(requestId, 'replace teh with the')])
  const before = client.fragment.get(1).toString()
  await finalRun(client, requestId)
  expect(withoutThreads(client.fragment.get(1).toString())).toBe(before)
  expect(await read(id)).toBe('I saw the cat.\n\n@agent replace teh with the\n')
})

test('[PROTO-5] one requestId starts one run, no matter who sends it again and how', async () => {
  const id = await create('I saw teh cat.')
  const [client, other] = [await enter(id), await enter(id, await startSession(server.url, 'Bob'))]
  const requestId = randomUUID()
  client.fragment.push([mentionParagraph(requestId, 'replace teh with the')])
  await finalRun(client, requestId)
  client.fragment.push([mentionParagraph(requestId, 'replace cat with dog')])
  other.fragment.push([mentionParagraph(requestId, 'replace cat with cow')])
  const mention = (client.fragment.get(1) as Y.XmlElement).get(0) as Y.XmlElement
  mention.setAttribute('state', 'draft')
  mention.setAttribute('state', 'sent')
  await Promise.all([acknowledged(client), acknowledged(other)])
  // A run that is asked for later shows that the earlier requests have been looked at.
  const last = randomUUID()
  client.fragment.push([mentionParagraph(last, 'replace saw with met')])
  await finalRun(client, last)
  const { body } = await call<{ runs: ForeignRun[] }>(server.url, 'GET', `/api/documents/${id}/runs`, ana)
  expect(body.runs.map(({ trigger }) => trigger.id)).toEqual([last, requestId])
  expect(client.runs()).toHaveLength(2)
  expect(await read(id)).toContain('I met the cat.')
})

test('[PROTO-6] a draft starts nothing until it turns to sent', async () => {
  const id = await create('I saw teh cat.')
  const client = await enter(id)
  const [draft, first] = [randomUUID(), randomUUID()]
  client.fragment.push([mentionParagraph(draft, 'replace cat with dog', 'draft')])
  client.fragment.push([mentionParagraph(first, 'replace teh with the')])
  await finalRun(client, first)
  expect(client.runs()).toHaveLength(1)
  const mention = (client.fragment.get(1) as Y.XmlElement).get(0) as Y.XmlElement
  mention.setAttribute('state', 'sent')
  expect((await finalRun(client, draft)).status).toBe('completed')
  expect(await read(id)).toContain('I saw the dog.')
})

test('[PROTO-7] a chat message with a selection is answered with message and run, and both are in the room', async () => {
  const id = await create('First teh here.\n\nSecond paragraph.')
  const client = await enter(id)
  const text = textAt(client, 0)
  const position = (index: number): string =>
    Buffer.from(Y.encodeRelativePosition(Y.createRelativePositionFromTypeIndex(text, index))).toString('base64')
  const body = { text: 'replace teh with the', selection: { anchor: position(6), head: position(9) } }
  type Posted = { message: ForeignMessage; run: ForeignRun }
  const posted = await call<Posted>(server.url, 'POST', `/api/documents/${id}/messages`, { token: ana.token, body })
  expect(posted.status).toBe(202)
  const { message, run } = posted.body
  const author = { id: ana.user.id, name: 'Ana', kind: 'person' }
  expect(message).toMatchObject({ role: 'user', text: body.text, status: 'complete', author })
  expect(run).toMatchObject({ documentId: id, trigger: { kind: 'chat', id: message.id }, instruction: body.text })
  expect((await finalRun(client, message.id)).status).toBe('completed')
  await until(
    () => client.messages().some(({ role, status }) => role === 'agent' && status === 'complete'),
    'the agent has answered in the chat',
  )
  expect(client.messages()[0]).toEqual(message)
  const answer = client.messages().at(-1)
  expect(answer).toMatchObject({ role: 'agent', run: run.id, author: { kind: 'agent' } })
  const byHttp = await call<{ messages: ForeignMessage[] }>(server.url, 'GET', `/api/documents/${id}/messages`, ana)
  expect(byHttp.body.messages).toEqual(client.messages())
  const one = await call<ForeignRun>(server.url, 'GET', `/api/documents/${id}/runs/${run.id}`, ana)
  expect(client.runs()).toEqual([one.body])
  expect(await read(id)).toBe('First the here.\n\nSecond paragraph.\n')
})

test('[PROTO-8] the agent is present with runId and invokedBy while it works, and leaves', async () => {
  const id = await create('I saw teh cat.')
  const client = await enter(id)
  const seen: Record<string, unknown>[] = []
  const awareness = client.content.awareness!
  const agents = (): Record<string, unknown>[] =>
    [...awareness.getStates().values()].filter((state) => (state['user'] as { kind?: string })?.kind === 'agent')
  awareness.on('change', () => seen.push(...agents()))
  const requestId = randomUUID()
  client.fragment.push([mentionParagraph(requestId, 'replace teh with the')])
  const run = await finalRun(client, requestId)
  expect(seen[0]?.['user']).toMatchObject({
    id: 'agent',
    kind: 'agent',
    name: expect.any(String) as string,
    color: expect.stringMatching(/^#[0-9a-f]{6}$/) as string,
    runId: run.id,
  })
  const invokedBy = (seen[0]?.['user'] as { invokedBy?: unknown } | undefined)?.invokedBy
  expect(JSON.stringify(invokedBy)).toContain(ana.user.id)
  expect(seen.some(({ activity }) => typeof (activity as { label?: unknown } | undefined)?.label === 'string')).toBe(
    true,
  )
  await until(() => agents().length === 0, 'the agent has left')
})

test('[PROTO-9] the server writes the identity in awareness, whatever a client claims', async () => {
  const id = await create('Hello')
  const [client, peer] = [await enter(id), await enter(id, await startSession(server.url, 'Bob'))]
  const claimed = { id: 'agent', name: 'Agent', color: '#000000', kind: 'agent', runId: 'x' }
  client.content.setAwarenessField('user', claimed)
  client.content.setAwarenessField('activity', { label: 'pretending' })
  client.content.setAwarenessField('cursor', null)
  const clientId = client.content.document.clientID
  const state = (at: ForeignClient): Record<string, unknown> | undefined =>
    at.content.awareness!.getStates().get(clientId)
  await until(() => state(peer) !== undefined, 'the peer sees the client')
  const { id: userId, name, color } = ana.user
  await until(() => 'cursor' in (state(peer) ?? {}), 'the last state has arrived')
  expect(state(peer)).toEqual({ user: { id: userId, name, color, kind: 'person' }, cursor: null })
})

test('[PROTO-10] a cursor of relative positions reaches the other peers', async () => {
  const id = await create('Hello')
  const [client, peer] = [await enter(id), await enter(id)]
  const position: unknown = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(textAt(client, 0), 2))
  const cursor = { anchor: position, head: position }
  client.content.setAwarenessField('cursor', cursor)
  const seen = (): unknown => peer.content.awareness!.getStates().get(client.content.document.clientID)?.['cursor']
  await until(() => seen() !== undefined, 'the cursor is there')
  expect(seen()).toEqual(JSON.parse(JSON.stringify(cursor)))
})

test.for([
  ['[PROTO-11] a wrong token is refused as unauthenticated', 'wrong', '', 'unauthenticated'],
  ['[PROTO-12] an unknown document is refused as not_found', '', '00000000-0000-4000-8000-000000000000', 'not_found'],
  ['[PROTO-13] a name of another form is refused', '', '../etc/passwd', 'invalid_document_name'],
] as const)('%s', async ([, token, name, reason]) => {
  const id = name === '' ? await create('Hello') : name
  const client = connectUntilEnd(id, token === '' ? ana.token : token)
  await until(() => client.refusals.length >= 2, 'both documents are refused')
  expect(new Set(client.refusals)).toEqual(new Set([reason]))
  expect(client.content.synced).toBe(false)
})

test('[PROTO-14] another schemaVersion is refused as schema_outdated, the own one is welcome', async () => {
  const id = await create('Hello')
  const foreign = await enter(id)
  const version = foreign.content.document.getMap('meta').get('schemaVersion') as number
  const outdated = connectUntilEnd(id, ana.token, { query: `?document=${id}&schemaVersion=${version + 1}` })
  await until(() => outdated.refusals.length >= 2, 'the client is refused')
  expect(new Set(outdated.refusals)).toEqual(new Set(['schema_outdated']))
  const current = connectUntilEnd(id, ana.token, { query: `?document=${id}&schemaVersion=${version}` })
  await until(() => current.content.synced && current.room.synced, 'the client is welcome')
})

test('[PROTO-15] what a client writes into the room is not applied, and the client continues to work', async () => {
  const id = await create('Hello')
  const client = await enter(id)
  client.room.document.getArray('messages').push([{ id: 'forged', role: 'agent', text: 'I am the agent' }])
  client.room.document.getMap('runs').set('forged', new Y.Map([['status', 'completed']]))
  const body = { text: 'replace Hello with Bye' }
  await call(server.url, 'POST', `/api/documents/${id}/messages`, { token: ana.token, body })
  await until(
    () => client.messages().some(({ role, run }) => role === 'agent' && run !== undefined),
    'the answer is seen',
  )
  const fresh = await enter(id)
  expect(fresh.messages().map((message) => message.id)).not.toContain('forged')
  expect(fresh.room.document.getMap('runs').has('forged')).toBe(false)
  textAt(client, 0).insert(0, '> ')
  await acknowledged(client)
  expect(await read(id)).toContain('Bye')
})

test('[PROTO-16] a browser sends the string cookie, and its session cookie counts', async () => {
  const id = await create('Hello')
  const answer = await call(server.url, 'POST', '/api/session', { body: { name: 'Browser' } })
  const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('copydesk_session='))
  expect(cookie).toContain('HttpOnly')
  class BrowserSocket extends WebSocket {
    constructor(address: string) {
      super(address, { headers: { cookie: cookie?.split(';')[0] ?? '', origin: server.url } })
    }
  }
  const client = connectUntilEnd(id, 'cookie', { WebSocketPolyfill: BrowserSocket })
  await until(() => client.content.synced && client.room.synced, 'the cookie is accepted')
  const without = connectUntilEnd(id, 'cookie')
  await until(() => without.refusals.length >= 2, 'without a cookie the string is no token')
  expect(new Set(without.refusals)).toEqual(new Set(['unauthenticated']))
})

test('[PROTO-17] the trash and back again: nothing of the text is lost', async () => {
  const id = await create('Hello')
  const path = `/api/documents/${id}`
  expect((await call(server.url, 'DELETE', path, ana)).status).toBe(204)
  expect((await call(server.url, 'GET', path, ana)).body).toMatchObject({ id, trashed: true })
  const restored = await call(server.url, 'POST', `${path}/restore`, ana)
  expect([restored.status, restored.body]).toMatchObject([200, { id, trashed: false }])
  expect(textAt(await enter(id), 0).toJSON()).toBe('Hello')
})

test('[PROTO-18] a server that restarts closes with 1012, and the client comes back by itself', async () => {
  const own = await startCopydesk()
  onTestFinished(() => own.dispose())
  const session = await startSession(own.url, 'Ana')
  const id = await createDocument(own.url, session.token, 'Hello')
  const client = await join(own.url, session.token, id)
  onTestFinished(() => client.close())
  expect(await own.stop()).toBe(0)
  await until(() => client.closeCodes.length > 0, 'the socket is closed')
  expect(client.closeCodes[0]).toBe(1012)
  textAt(client, 0).insert(0, 'Offline. ')
  await own.restart()
  await until(() => client.content.unsyncedChanges === 0 && client.content.synced, 'the client is back')
  await until(
    async () => (await exportMarkdown(own.url, session.token, id)) === 'Offline. Hello\n',
    'what was written meanwhile has arrived',
  )
})
