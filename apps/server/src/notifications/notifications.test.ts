import { randomUUID } from 'node:crypto'
import {
  closeCodes,
  type Comment,
  type DocumentPerson,
  type Message,
  type NotificationList,
  type Session,
  type Thread,
} from '@copydesk/protocol'
import { contentName, contentTypes } from '@copydesk/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { type ApiCaller, callApi } from '../testing/call-api.ts'
import { startTestServer, type TestEditor, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let ana: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.signIn('Ana')
  ben = await server.signIn('Ben')
})
afterAll(() => server.dispose())

type Scene = { id: string; asAna: ApiCaller; asBen: ApiCaller; editor: TestEditor }

/** A document of Ana's that Ben has opened. */
async function openDocument(markdown = 'Some words.'): Promise<Scene> {
  const { id } = await server.create(ana, markdown)
  const asBen = callApi(server.url, ben.token, id)
  expect((await asBen('GET', '')).status).toBe(200)
  return { id, asAna: callApi(server.url, ana.token, id), asBen, editor: await server.join(ana.token, id) }
}

async function told(as: ApiCaller, document: string): Promise<NotificationList['notifications']> {
  const { body } = await as<NotificationList>('GET', '/api/notifications')
  return body.notifications.filter((each) => each.document.id === document)
}

function mention(person: string, requestId: string | null = randomUUID(), label = 'Ben'): Y.XmlElement {
  const element = new Y.XmlElement('mention')
  const attributes = { id: person, label, kind: 'person', requestId, state: 'draft' }
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value)
  return element
}

function blockOf({ doc }: TestEditor): Y.XmlElement {
  return doc.getXmlFragment(contentTypes.fragment).get(0) as Y.XmlElement
}

test('[NOTE-1] a mention in the text notifies the mentioned person once, with author, place and text', async () => {
  const { id, asAna, asBen, editor } = await openDocument('Look at the price')
  const nudged = new Promise<string>((resolve) => {
    void server
      .join(ben.token, id)
      .then(({ provider }) => provider.on('stateless', (it: { payload: string }) => resolve(it.payload)))
  })
  const request = randomUUID()
  await until(() => editor.provider.awareness !== null, 'ready')
  blockOf(editor).insert(1, [mention(ben.user.id, request)])
  await editor.saved()
  const [first, ...others] = await told(asBen, id)
  expect(others).toEqual([])
  expect(first).toEqual({
    id: expect.any(String) as string,
    kind: 'mention',
    document: { id, title: expect.any(String) as string },
    place: { kind: 'text', id: request },
    author: { id: ana.user.id, name: 'Ana', kind: 'person', color: ana.user.color },
    excerpt: 'Look at the price@Ben',
    createdAt: expect.any(String) as string,
    read: false,
  })
  expect(await told(asAna, id)).toEqual([])
  editor.text().insert(0, 'more ')
  await editor.saved()
  expect(await told(asBen, id)).toHaveLength(1)
  blockOf(editor).insert(2, [mention(ben.user.id)])
  await editor.saved()
  expect(await nudged).toBe('notified')
  editor.close()
})

test('[NOTE-2] undo and redo of a mention tell nothing twice', async () => {
  const { id, asBen, editor } = await openDocument()
  const undo = new Y.UndoManager(editor.doc.getXmlFragment(contentTypes.fragment), { captureTimeout: 0 })
  blockOf(editor).insert(1, [mention(ben.user.id)])
  await editor.saved()
  for (let round = 0; round < 3; round++) {
    undo.undo()
    await editor.saved()
    undo.redo()
    await editor.saved()
  }
  expect(blockOf(editor).toArray()).toHaveLength(2)
  expect(await told(asBen, id)).toHaveLength(1)
  editor.close()
})

test('[NOTE-3] comments and messages mention whom their ids and their words name, and show it', async () => {
  const { id, asAna, asBen, editor } = await openDocument('Some words.')
  const mentions = [ben.user.id, ana.user.id, 'nobody']
  const started = await asAna<Thread>('POST', '/threads', {
    quote: 'words',
    text: 'What do you think, @Ben?',
    mentions,
  })
  expect(started.status).toBe(201)
  const comment = started.body.comments[0] as Comment
  expect(comment.mentions).toEqual([{ id: ben.user.id, name: 'Ben' }])
  const unnamed = await asAna<Thread>('POST', `/threads/${started.body.id}/comments`, { text: 'Well?', mentions })
  expect(unnamed.body.comments[1]?.mentions).toBeUndefined()
  const posted = await asAna<{ message: Message }>('POST', '/messages', { text: 'Tell @Ben that', mentions })
  expect(posted.status).toBe(202)
  expect(posted.body.message.mentions).toEqual([{ id: ben.user.id, name: 'Ben' }])
  const places = (await told(asBen, id)).map(({ place, kind }) => [kind, place])
  expect(places.toReversed()).toEqual([
    ['mention', { kind: 'comment', id: comment.id, thread: started.body.id }],
    ['mention', { kind: 'chat', id: posted.body.message.id }],
  ])
  const listed = await asBen<{ messages: Message[] }>('GET', '/messages')
  expect(listed.body.messages[0]?.mentions).toEqual([{ id: ben.user.id, name: 'Ben' }])
  const many = await asAna('POST', '/threads', {
    quote: 'words',
    text: 'x',
    mentions: Array.from({ length: 51 }, String),
  })
  expect(many.status).toBe(400)
  editor.close()
})

test('[NOTE-4] participants of a thread are notified of replies once, and never of their own', async () => {
  const { id, asAna, asBen, editor } = await openDocument()
  const cleo = await server.signIn('Cleo')
  const asCleo = callApi(server.url, cleo.token, id)
  const { body } = await asAna<Thread>('POST', '/threads', { quote: 'words', text: 'Why?' })
  await asBen('POST', `/threads/${body.id}/comments`, { text: 'Because.' })
  await asCleo('POST', `/threads/${body.id}/comments`, { text: 'Ask @Ben again', mentions: [ben.user.id] })
  const seen = async (as: ApiCaller) =>
    (await told(as, id)).map(({ kind, author, excerpt }) => [kind, author.name, excerpt])
  expect(await seen(asAna)).toEqual([
    ['reply', 'Cleo', 'Ask @Ben again'],
    ['reply', 'Ben', 'Because.'],
  ])
  expect(await seen(asBen)).toEqual([['mention', 'Cleo', 'Ask @Ben again']])
  expect(await seen(asCleo)).toEqual([])
  editor.close()
})

test('[NOTE-5] they are read by id or all at once, and by nobody else', async () => {
  const dora = await server.signIn('Dora')
  const { id, asAna, asBen, editor } = await openDocument()
  const asDora = callApi(server.url, dora.token, id)
  await asDora('GET', '')
  for (const text of ['@Dora one', '@Dora two', '@Dora three']) {
    await asAna('POST', '/threads', { quote: 'words', text, mentions: [dora.user.id] })
  }
  const list = (await asDora<NotificationList>('GET', '/api/notifications')).body
  expect([list.unread, list.nextCursor]).toEqual([3, null])
  const first = list.notifications[0]?.id
  expect((await asBen('POST', '/api/notifications/read', { ids: [first] })).status).toBe(200)
  expect((await asDora<NotificationList>('GET', '/api/notifications')).body.unread).toBe(3)
  const read = await asDora<{ unread: number }>('POST', '/api/notifications/read', { ids: [first] })
  expect(read.body).toEqual({ unread: 2 })
  expect((await asDora<{ unread: number }>('POST', '/api/notifications/read', {})).body).toEqual({ unread: 0 })
  const after = (await asDora<NotificationList>('GET', '/api/notifications')).body
  expect(after.notifications.map((each) => each.read)).toEqual([true, true, true])
  for (const path of ['/api/notifications', `/api/documents/${id}/people`]) {
    expect((await fetch(server.url + path)).status).toBe(401)
  }
  expect((await asDora('GET', '/api/notifications?cursor=nonsense')).status).toBe(400)
  expect((await asBen('GET', `/api/notifications?cursor=${first}`)).status).toBe(400)
  editor.close()
})

test('[NOTE-6] what is in the trash is not shown, until it is restored', async () => {
  const { id, asAna, asBen, editor } = await openDocument()
  await asAna('POST', '/threads', { quote: 'words', text: '@Ben', mentions: [ben.user.id] })
  const unread = async () => (await asBen<NotificationList>('GET', '/api/notifications')).body.unread
  const before = await unread()
  await asAna('DELETE', '')
  expect(await told(asBen, id)).toEqual([])
  expect(await unread()).toBe(before - 1)
  await asAna('POST', '/restore')
  expect(await told(asBen, id)).toHaveLength(1)
  editor.close()
})

test('[NOTE-7] people can be mentioned where they have been, and only there', async () => {
  const eve = await server.signIn('Eve')
  const { id, asAna, asBen, editor } = await openDocument()
  const asEve = callApi(server.url, eve.token, id)
  await asAna('POST', '/threads', { quote: 'words', text: '@Eve', mentions: [eve.user.id] })
  blockOf(editor).insert(1, [mention(eve.user.id), mention('nobody'), mention(ana.user.id), mention(ben.user.id, null)])
  await editor.saved()
  expect((await asEve<NotificationList>('GET', '/api/notifications')).body.notifications).toEqual([])
  const names = async () =>
    (await asBen<{ people: DocumentPerson[] }>('GET', '/people')).body.people.map(({ name }) => name)
  expect((await names()).toSorted()).toEqual(['Ana', 'Ben'])
  const eves = await server.join(eve.token, contentName(id))
  expect((await names()).toSorted()).toEqual(['Ana', 'Ben', 'Eve'])
  await asAna('POST', '/threads', { quote: 'words', text: '@Eve', mentions: [eve.user.id] })
  expect(await told(asEve, id)).toHaveLength(1)
  eves.close()
  editor.close()
})

test('[NOTE-8] a thousand mentions in one update are each told, and listed by pages', async () => {
  const fay = await server.signIn('Fay')
  const { id, asAna, editor } = await openDocument()
  const asFay = callApi(server.url, fay.token, id)
  await asFay('GET', '')
  editor.doc.transact(() => {
    blockOf(editor).insert(
      1,
      Array.from({ length: 1000 }, () => mention(fay.user.id)),
    )
  })
  await editor.saved()
  expect((await asAna('GET', '')).status).toBe(200)
  const ids = new Set<string>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const path: string = cursor === '' ? '' : `?cursor=${cursor}`
    const { body } = await asFay<NotificationList>('GET', `/api/notifications${path}`)
    expect(body.unread).toBe(1000)
    for (const each of body.notifications) ids.add(each.id)
    cursor = body.nextCursor
  }
  expect(ids.size).toBe(1000)
  expect(server.logged()).toBe('')
  editor.close()
})

test('[NOTE-9] hostile names and labels are text, and the author is who sent the update', async () => {
  const name = '"><img src=x onerror=alert(1)>'
  const mallory = await server.signIn(name)
  const { id, asBen } = await openDocument()
  const editor = await server.join(mallory.token, id)
  blockOf(editor).insert(1, [
    mention(ben.user.id, 'x'.repeat(100)),
    mention(ben.user.id, "'; drop table people;--", 'B\u202Een'),
  ])
  await editor.saved()
  const seen = await told(asBen, id)
  expect(seen).toHaveLength(2)
  expect(new Set(seen.map(({ author }) => author.name))).toEqual(new Set([name]))
  for (const { excerpt } of seen) expect(excerpt).not.toMatch(/\p{Bidi_Control}/u)
  // An attribute that mentions don't have is refused.
  const closed = new Promise<number>((resolve) => {
    editor.socket.on('close', ({ event }: { event: { code: number } }) => resolve(event.code))
  })
  const lying = mention(ben.user.id)
  lying.setAttribute('author', ana.user.id)
  blockOf(editor).insert(1, [lying])
  expect(await closed).toBe(closeCodes.schemaRefused)
  expect(await told(asBen, id)).toHaveLength(2)
  editor.close()
})
