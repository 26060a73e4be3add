import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { connectRaw, until } from '@copydesk/testing'
import { firstText, startTestServer, type TestServer } from '../../testing/test-server.ts'
import { lockFile } from '../../testing/test-store.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.dispose())

async function open(markdown = 'start') {
  const ana = await server.signIn('Ana')
  const { id } = await server.create(ana, markdown)
  return { ana, id }
}

/** The update that an edit produces. */
function edit(doc: Y.Doc, change: () => void): Uint8Array {
  const before = Y.encodeStateVector(doc)
  change()
  return Y.encodeStateAsUpdate(doc, before)
}

test('[COLLAB-1] an edit counts as unsaved, and nobody sees it, until it is in the log', async () => {
  const { ana, id } = await open()
  const writer = await server.join(ana.token, id)
  const reader = await server.join(ana.token, id)
  await lockFile(server.file)
  try {
    writer.text().insert(0, 'held ')
    await until(() => writer.provider.unsyncedChanges > 0, 'the edit is unsaved')
    // The server's answer to a second client passes through the same event loop.
    const raw = await connectRaw(server.url, id)
    await raw.authenticate('no token').catch(() => undefined)
    raw.close()
    expect(writer.provider.unsyncedChanges).toBe(1)
    expect(reader.text().toJSON()).toBe('start')
  } finally {
    server.file.exec('ROLLBACK')
  }
  await writer.saved()
  await until(() => reader.text().toJSON() === 'held start', 'the reader sees it')
  expect(firstText(server.load(id)).toJSON()).toBe('held start')
  writer.close()
  reader.close()
})

test('[COLLAB-2] frames are acknowledged in the order in which they came, each after its own append', async () => {
  const { ana, id } = await open()
  const doc = server.load(id)
  const client = await connectRaw(server.url, id)
  await client.authenticate(ana.token)
  const first = edit(doc, () => firstText(doc).insert(0, 'one '))
  client.sendUpdate(first)
  await client.acknowledged(1)
  await lockFile(server.file)
  try {
    client.sendUpdate(edit(doc, () => firstText(doc).insert(0, 'two ')))
    // Contains nothing new to store, but is acknowledged after the earlier edit.
    client.sendUpdate(first)
    await client.roundTrip()
    expect(client.received.acknowledged).toBe(1)
  } finally {
    server.file.exec('ROLLBACK')
  }
  await client.acknowledged(3)
  expect(server.rows(id)).toHaveLength(3)
  client.close()
})

test('[COLLAB-3] when the store fails the sender is asked to reconnect, and nothing is lost once it works again', async () => {
  const { ana, id } = await open()
  const raw = await connectRaw(server.url, id)
  await raw.authenticate(ana.token)
  const writer = await server.join(ana.token, id)
  const other = server.load(id)
  const rows = server.rows(id).length
  await lockFile(server.file)
  try {
    writer.text().insert(0, 'unlucky ')
    raw.sendUpdate(edit(other, () => firstText(other).insert(0, 'raw ')))
    expect(await raw.closed()).toMatchObject({ code: 4205 })
    expect(raw.received.acknowledged).toBe(0)
    expect(writer.provider.unsyncedChanges).toBeGreaterThan(0)
    expect(server.rows(id)).toHaveLength(rows)
  } finally {
    server.file.exec('ROLLBACK')
  }
  await writer.saved()
  expect(firstText(server.load(id)).toJSON()).toBe('unlucky start')
  expect(server.logged()).toContain('could not be stored')
  writer.text().insert(0, 'healed ')
  await writer.saved()
  expect(firstText(server.load(id)).toJSON()).toBe('healed unlucky start')
  writer.close()
})

test('[COLLAB-4] an update that builds on something missing is held unacknowledged until its own sender fills the gap', async () => {
  const { ana, id } = await open()
  const ben = await server.signIn('Ben')
  const doc = server.load(id)
  const first = edit(doc, () => firstText(doc).insert(0, 'first '))
  const second = edit(doc, () => firstText(doc).insert(6, 'second '))
  const client = await connectRaw(server.url, id)
  await client.authenticate(ana.token)
  client.sendUpdate(second)
  await until(() => client.received.asked > 0, 'the server asks for what it lacks')

  const writer = await server.join(ben.token, id)
  writer.text().insert(0, 'ben ')
  await writer.saved()
  expect(client.received.acknowledged).toBe(0)
  expect(firstText(server.load(id)).toJSON()).toBe('ben start')

  client.sendUpdate(first)
  await client.acknowledged(2)
  const [, third, ...last] = server.rows(id)
  expect(third?.actor).toBe(ben.user.id)
  expect(last.map(({ actor }) => actor)).toEqual([ana.user.id, ana.user.id])
  expect(firstText(server.load(id)).toJSON()).toContain('first second ')
  client.close()
  writer.close()
})

test('[COLLAB-5] an update that another person completes stays its own sender’s', async () => {
  const { ana, id } = await open()
  const ben = await server.signIn('Ben')
  const doc = server.load(id)
  const first = edit(doc, () => firstText(doc).insert(0, 'first '))
  const anas = new Y.Doc()
  Y.applyUpdate(anas, Y.encodeStateAsUpdate(doc))
  const second = edit(anas, () => firstText(anas).insert(6, 'second '))
  const [a, b] = [await connectRaw(server.url, id), await connectRaw(server.url, id)]
  await a.authenticate(ana.token)
  await b.authenticate(ben.token)
  a.sendUpdate(second)
  await until(() => a.received.asked > 0, 'the server asks for what it lacks')
  b.sendUpdate(first)
  await b.acknowledged(1)
  a.sendFullSync(Y.encodeStateAsUpdate(anas))
  await a.acknowledged(2)
  const rows = server.rows(id).slice(1)
  expect(rows.map(({ actor }) => actor)).toEqual([ben.user.id, ana.user.id])
  expect(Y.decodeUpdate(rows[1]!.bytes).structs.map(({ id: { client } }) => client)).toEqual([anas.clientID])
  a.close()
  b.close()
})

test('[COLLAB-6] a full sync that brings nothing new is acknowledged and not logged', async () => {
  const { ana, id } = await open('A paragraph.\n\n- with\n- a list')
  const client = await connectRaw(server.url, id)
  await client.authenticate(ana.token)
  client.sendFullSync(Y.encodeStateAsUpdate(server.load(id)))
  await client.acknowledged(1)
  expect(server.rows(id)).toHaveLength(1)
  client.close()
})

test('[COLLAB-7] of a full sync that is partly new only the new part is logged', async () => {
  const { ana, id } = await open('word '.repeat(500))
  const doc = server.load(id)
  const known = new Set(Y.decodeStateVector(Y.encodeStateVector(doc)).keys())
  firstText(doc).insert(0, 'new ')
  const client = await connectRaw(server.url, id)
  await client.authenticate(ana.token)
  client.sendFullSync(Y.encodeStateAsUpdate(doc))
  await client.acknowledged(1)
  const { bytes } = server.rows(id)[1]!
  expect(bytes.byteLength).toBeLessThan(100)
  expect(Y.decodeUpdate(bytes).structs.every(({ id: { client: author } }) => !known.has(author))).toBe(true)
  expect(firstText(server.load(id)).toJSON().startsWith('new word')).toBe(true)
  client.close()
})

test('[COLLAB-8] every row names the person who sent it', async () => {
  const { ana, id } = await open()
  const ben = await server.signIn('Ben')
  const [a, b] = [await server.join(ana.token, id), await server.join(ben.token, id)]
  for (let index = 0; index < 5; index++) {
    a.text().insert(0, 'A')
    b.text().insert(0, 'B')
  }
  await a.saved()
  await b.saved()
  const authors = new Map([
    [a.doc.clientID, ana.user.id],
    [b.doc.clientID, ben.user.id],
  ])
  const rows = server.rows(id).slice(1)
  expect(rows).toHaveLength(10)
  for (const { bytes, actor, run } of rows) {
    for (const { id: struct } of Y.decodeUpdate(bytes).structs) expect(actor).toBe(authors.get(struct.client))
    expect(run).toBeNull()
  }
  a.close()
  b.close()
})

test('[COLLAB-9] acknowledged deletions are in the log, those that tidy up formatting too', async () => {
  const { ana, id } = await open('some words to format')
  const [a, b] = [await server.join(ana.token, id), await server.join(ana.token, id)]
  a.text().format(5, 5, { bold: {} })
  b.text().format(5, 5, { bold: {} })
  await a.saved()
  await b.saved()
  await until(() => Y.equalSnapshots(Y.snapshot(a.doc), Y.snapshot(b.doc)), 'both have the same')
  await a.saved()
  await b.saved()
  const logged = Y.snapshot(server.load(id)).ds
  const unlogged: string[] = []
  for (const [client, structs] of a.doc.store.clients) {
    for (const struct of structs) {
      if (struct.deleted && !Y.isDeleted(logged, struct.id)) unlogged.push(`${client}:${struct.id.clock}`)
    }
  }
  expect(unlogged).toEqual([])
  a.close()
  b.close()
})
