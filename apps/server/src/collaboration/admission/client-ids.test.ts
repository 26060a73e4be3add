import { closeCodes } from '@copydesk/protocol'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as Y from 'yjs'
import { connectRaw, type RawDocument, until } from '@copydesk/testing'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { openTestStore } from '../../testing/test-store.ts'
import { ClientIds } from './client-ids.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.dispose())

type Page = { doc: Y.Doc; client: RawDocument; write(text: string): void }

const textIn = (doc: Y.Doc): Y.XmlText => {
  const block = doc.getXmlFragment('default').get(0) as Y.XmlElement
  return block.get(0) as Y.XmlText
}

/** A page that writes under a client id, with a key if given. */
async function open(id: string, token: string, clientId?: number, key = ''): Promise<Page> {
  const client = await connectRaw(server.url, id, `/collab?client=${key}`)
  await client.authenticate(token)
  const doc = server.load(id)
  if (clientId !== undefined) doc.clientID = clientId
  const write = (text: string): void => {
    const before = Y.encodeStateVector(doc)
    textIn(doc).insert(0, text)
    client.sendUpdate(Y.encodeStateAsUpdate(doc, before))
  }
  return { doc, client, write }
}

const key = 'a key that only this page has'

test("[CLIENT-1] no client writes under another's client id, and the other continues", async () => {
  const [ana, ben] = [await server.signIn('Ana'), await server.signIn('Ben')]
  const { id } = await server.create(ana, 'Start')
  const anas = await open(id, ana.token)
  anas.write('one ')
  await anas.client.acknowledged(1)
  const bens = await open(id, ben.token, anas.doc.clientID)
  bens.write('ahead ')
  expect((await bens.client.closed()).code).toBe(closeCodes.foreignClient)
  anas.write('two ')
  await anas.client.acknowledged(2)
  expect(textIn(server.load(id)).toJSON()).toBe('two one Start')
  anas.client.close()
})

test('[CLIENT-5] nor by HTTP, nor under an id that the server has written under', async () => {
  const [ana, ben] = [await server.signIn('Ana'), await server.signIn('Ben')]
  const { id } = await server.create(ana, 'Start')
  const seeded = [...server.load(id).store.clients.keys()][0]!
  const anas = await open(id, ana.token)
  anas.write('one ')
  await anas.client.acknowledged(1)
  const bens = await open(id, ben.token, seeded)
  bens.write('forged ')
  expect((await bens.client.closed()).code).toBe(closeCodes.foreignClient)
  const doc = server.load(id)
  doc.clientID = anas.doc.clientID
  textIn(doc).insert(0, 'forged ')
  const response = await fetch(`${server.url}/api/documents/${id}/updates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/octet-stream' },
    body: Uint8Array.from(Y.encodeStateAsUpdate(doc)),
  })
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('client_id_taken')])
  anas.client.close()
})

test('[CLIENT-2] an account continues under an id of its own in another browser', async () => {
  const ana = await server.signIn('Ana')
  const { id } = await server.create(ana, 'Start')
  const first = await open(id, ana.token)
  first.write('one ')
  await first.client.acknowledged(1)
  const second = await open(id, ana.token, first.doc.clientID)
  second.write('two ')
  await second.client.acknowledged(1)
  expect(textIn(server.load(id)).toJSON()).toBe('two one Start')
  for (const { client } of [first, second]) client.close()
})

test('[CLIENT-3] a page that continues under another account proves with its key that it is the same page', async () => {
  const [ana, ben] = [await server.signIn('Ana'), await server.signIn('Ben')]
  const { id } = await server.create(ana, 'Start')
  const before = await open(id, ana.token, undefined, encodeURIComponent(key))
  before.write('one ')
  await before.client.acknowledged(1)
  const after = await open(id, ben.token, before.doc.clientID, encodeURIComponent(key))
  after.write('two ')
  await after.client.acknowledged(1)
  expect(server.rows(id).map(({ actor }) => actor)).toEqual([ana.user.id, ana.user.id, ben.user.id])
  const other = await open(id, ben.token, before.doc.clientID, 'another key altogether')
  other.write('three ')
  expect((await other.client.closed()).code).toBe(closeCodes.foreignClient)
  for (const { client } of [before, after]) client.close()
})

test('[CLIENT-4] owners of ids are stored, and read from the rows of logs that are older than the list', async () => {
  const own = await openTestStore()
  onTestFinished(() => own.dispose())
  const [actor, now] = ['ana', () => own.clock.now]
  const { id } = await own.documents.create(actor, { markdown: 'Start' })
  const doc = new Y.Doc()
  doc.getMap('meta').set('title', 'Written by an old server')
  await own.log.append({ name: id, bytes: Y.encodeStateAsUpdate(doc), actor, run: null, epoch: null })
  const listed = (): number => own.file.prepare('SELECT * FROM document_clients WHERE name = ?').all(id).length
  const loaded = async (): Promise<ClientIds> => {
    const ids = new ClientIds({ ...own, now }, id)
    await ids.load()
    return ids
  }
  expect(listed()).toBe(0)
  for (const ids of [await loaded(), await loaded()]) {
    expect(ids.ownershipOf(doc.clientID, true, { actor, run: null, epoch: null })).toBe('own')
    expect(ids.ownershipOf(doc.clientID, true, { actor: 'ben', run: null, epoch: null })).toBe('taken')
    expect(ids.ownershipOf(doc.clientID, true, { actor, run: 'r', epoch: 1 })).toBe('taken')
    expect(ids.ownershipOf(7, true, { actor, run: null, epoch: null })).toBe('unknown')
    expect(ids.ownershipOf(7, false, { actor, run: null, epoch: null })).toBe('free')
    await until(() => listed() === 2, 'they are stored')
  }
})

test('[CLIENT-4] where who has which id could not be stored at first, the next new id brings the others along', async () => {
  const own = await openTestStore()
  onTestFinished(() => own.dispose())
  const { id } = await own.documents.create('ana', { markdown: 'Start' })
  const deps = { ...own, now: () => own.clock.now }
  const ids = new ClientIds(deps, id)
  const ben = { actor: 'ben', run: null, epoch: null }
  // Simulates a full disk.
  await sql`PRAGMA query_only = ON`.execute(own.store.db)
  await ids.load()
  await sql`PRAGMA query_only = OFF`.execute(own.store.db)
  const bytes = Y.encodeStateAsUpdate(new Y.Doc())
  await own.log.append({ name: id, bytes, ...ben, also: ids.bind([7], ben) })
  const again = new ClientIds(deps, id)
  await again.load()
  const [seed] = (await own.log.load(id))!.doc.store.clients.keys()
  expect(again.ownershipOf(seed!, true, ben)).toBe('taken')
  expect(again.ownershipOf(7, true, ben)).toBe('own')
})

test('[CONTENT-1] content that is valid nowhere is refused by socket and by HTTP, and none of it is logged', async () => {
  const [ana, ben] = [await server.signIn('Ana'), await server.signIn('Ben')]
  const { id } = await server.create(ana, 'Start')
  const bens = await open(id, ben.token)
  const before = Y.encodeStateVector(bens.doc)
  textIn(bens.doc).format(0, 5, { blink: {} })
  const update = Y.encodeStateAsUpdate(bens.doc, before)
  bens.client.sendUpdate(update)
  expect(await bens.client.closed()).toEqual({
    code: closeCodes.schemaRefused,
    reason: expect.stringContaining('schema_refused') as string,
  })
  const response = await fetch(`${server.url}/api/documents/${id}/updates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/octet-stream' },
    body: Uint8Array.from(update),
  })
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('schema_refused')])
  expect(server.rows(id)).toHaveLength(1)
})
