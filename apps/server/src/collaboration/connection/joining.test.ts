import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { connectRaw, until } from '@copydesk/testing'
import { firstText, startTestServer, type TestServer } from '../../testing/test-server.ts'
import { lockFile } from '../../testing/test-store.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ KEEP_OPEN_SECONDS: '0' })
})
afterAll(() => server.dispose())

async function open(markdown = 'start') {
  const ana = await server.signIn('Ana')
  const { id } = await server.create(ana, markdown)
  return { ana, id }
}

/** A document of two megabytes, opened by one client. */
async function openLarge() {
  const { ana, id } = await open()
  const writer = await server.join(ana.token, id)
  const blocks = Array.from({ length: 5000 }, () => {
    const block = new Y.XmlElement('paragraph')
    block.insert(0, [new Y.XmlText('word '.repeat(80))])
    return block
  })
  writer.doc.getXmlFragment('default').push(blocks)
  await writer.saved()
  return { ana, id, writer }
}

test('[JOIN-1] people who come and go while another types lose no edit and never meet a dead document', async () => {
  const { ana, id } = await open()
  const words: string[] = []
  let isOver = false
  const typing = (async () => {
    // Reconnects for each word, so that the document is repeatedly closed and opened.
    for (let index = 0; index < 25; index++) {
      const writer = await server.join(ana.token, id)
      words.push(`w${index}.`)
      writer.text().insert(0, `w${index}.`)
      await writer.saved()
      writer.close()
    }
    isOver = true
  })()
  const visiting = Array.from({ length: 3 }, async () => {
    while (!isOver) (await server.join(ana.token, id)).close()
  })
  await Promise.all([typing, ...visiting])
  const text = firstText(server.load(id)).toJSON()
  for (const word of words) expect(text).toContain(word)
  const last = await server.join(ana.token, id)
  expect(last.text().toJSON()).toBe(text)
  last.close()
})

test('[JOIN-2] an edit in transit to the disk when its sender leaves is kept, and a client that joins then has it', async () => {
  const { ana, id } = await open()
  const writer = await connectRaw(server.url, id)
  await writer.authenticate(ana.token)
  const doc = server.load(id)
  // Known updates are acknowledged as soon as the document is open, and not before.
  writer.sendUpdate(Y.encodeStateAsUpdate(doc))
  await writer.acknowledged(1)
  const before = Y.encodeStateVector(doc)
  firstText(doc).insert(0, 'parting ')
  await lockFile(server.file)
  try {
    writer.sendUpdate(Y.encodeStateAsUpdate(doc, before))
    await writer.roundTrip()
    writer.close()
    await until(() => writer.received.closed !== undefined, 'the writer has left')
  } finally {
    server.file.exec('ROLLBACK')
  }
  const reader = await server.join(ana.token, id)
  await until(() => reader.text().toJSON() === 'parting start', 'the reader has the edit')
  expect(firstText(server.load(id)).toJSON()).toBe('parting start')
  reader.close()
})

test('[JOIN-3] a refused token neither ends the process nor the socket: another token is taken', async () => {
  const { ana, id } = await open()
  const client = await connectRaw(server.url, id)
  for (const token of ['', 'nonsense', await server.tokens.issue({ kind: 'person', id: 'nobody' })]) {
    await client.authenticate(token)
  }
  expect(client.received.denied).toEqual(['unauthenticated', 'unauthenticated', 'unauthenticated'])
  await client.authenticate(ana.token)
  expect(client.received).toMatchObject({ authenticated: 1, closed: undefined })
  client.close()
})

test('[JOIN-4] a document that is not there, a name of another form and another schema are refused by name', async () => {
  const { ana, id } = await open()
  const missing = '00000000-0000-4000-8000-000000000000'
  const cases = [
    [missing, '/collab', 'not_found'],
    ['../etc/passwd', '/collab', 'invalid_document_name'],
    [`${id}/other`, '/collab', 'invalid_document_name'],
    [id, '/collab?schemaVersion=0', 'schema_outdated'],
  ] as const
  for (const [name, path, reason] of cases) {
    const client = await connectRaw(server.url, name, path)
    await client.authenticate(ana.token)
    expect(client.received).toMatchObject({ denied: [reason], authenticated: 0 })
    client.close()
  }
})

test('[JOIN-5] frames before any token end the socket', async () => {
  const { id } = await open()
  const client = await connectRaw(server.url, id)
  client.sendUpdate(new Uint8Array())
  expect((await client.closed()).code).toBe(4401)
})

test('[JOIN-6] an update that is none is refused, not logged, and everybody else works on', async () => {
  const { ana, id } = await open()
  const writer = await server.join(ana.token, id)
  for (const bad of [Uint8Array.of(1, 2, 3), Uint8Array.of(), Uint8Array.of(255, 255, 255, 255, 1)]) {
    const client = await connectRaw(server.url, id)
    await client.authenticate(ana.token)
    client.sendUpdate(bad)
    expect(await client.closed()).toMatchObject({ code: 4400 })
    expect(client.received.acknowledged).toBe(0)
  }
  expect(server.rows(id)).toHaveLength(1)
  writer.text().insert(0, 'fine ')
  await writer.saved()
  expect(firstText(server.load(id)).toJSON()).toBe('fine start')
  writer.close()
})

test('[JOIN-7] nobody but the server writes the room', async () => {
  const { ana, id } = await open()
  const client = await connectRaw(server.url, `${id}/room`)
  await client.authenticate(ana.token)
  const doc = new Y.Doc()
  doc.getMap('runs').set('forged', 1)
  client.sendUpdate(Y.encodeStateAsUpdate(doc))
  client.sendFullSync(Y.encodeStateAsUpdate(doc))
  const after = await connectRaw(server.url, id)
  await after.authenticate(ana.token)
  expect(server.rows(`${id}/room`)).toEqual([])
  expect(server.load(id).getMap('runs').has('forged')).toBe(false)
  client.close()
  after.close()
})

test('[JOIN-8] a row that cannot be applied does not keep people out, and is reported', async () => {
  const { ana } = await open()
  const other = await server.create(ana, 'other')
  await lockFile(server.file)
  server.file.prepare('UPDATE logs SET seq = 2 WHERE name = ?').run(other.id)
  server.file
    .prepare('INSERT INTO document_updates (name, seq, bytes, actor, run, at) VALUES (?, 2, ?, ?, NULL, 0)')
    .run(other.id, Uint8Array.of(1, 2, 3), 'x')
  server.file.exec('COMMIT')
  const reader = await server.join(ana.token, other.id)
  expect(reader.text().toJSON()).toBe('other')
  reader.text().insert(0, 'still an')
  await reader.saved()
  expect(server.logged()).toContain('set aside')
  expect(server.rows(other.id).map(({ seq }) => seq)).toEqual([1, 2, 3])
  reader.close()
})

test('[JOIN-9] a worker whose run has a newer epoch is closed, and what it sends is not stored', async () => {
  const { ana, id } = await open()
  const run = 'run-of-two-workers'
  await lockFile(server.file)
  server.file
    .prepare(
      `INSERT INTO runs (id, document, status, trigger_kind, trigger_id, instruction, invoked_by, invoked_by_name, mode,
       max_rounds, epoch, created_at) VALUES (?, ?, 'awaiting_approval', 'chat', ?, '', ?, 'Ana', 'edit', 8, 1, 0)`,
    )
    .run(run, id, run, ana.user.id)
  server.file.exec('COMMIT')
  const subject = { kind: 'run', run, document: id, invokedBy: ana.user.id } as const
  const old = await connectRaw(server.url, id)
  await old.authenticate(await server.tokens.issue({ ...subject, epoch: 1 }))
  expect(old.received.authenticated).toBe(1)
  const doc = server.load(id)
  const before = Y.encodeStateVector(doc)
  firstText(doc).insert(0, 'late ')
  await lockFile(server.file)
  server.file.prepare('UPDATE runs SET epoch = 2 WHERE id = ?').run(run)
  server.file.exec('COMMIT')
  old.sendUpdate(Y.encodeStateAsUpdate(doc, before))
  expect((await old.closed()).code).toBe(4409)
  expect(server.rows(id)).toHaveLength(1)
  const stale = await connectRaw(server.url, id)
  await stale.authenticate(await server.tokens.issue({ ...subject, epoch: 1 }))
  expect(stale.received.denied).toHaveLength(1)
  const next = await connectRaw(server.url, id)
  await next.authenticate(await server.tokens.issue({ ...subject, epoch: 2 }))
  next.sendUpdate(Y.encodeStateAsUpdate(doc, before))
  await next.acknowledged(1)
  expect(server.rows(id)[1]).toMatchObject({ actor: 'agent', run })
  for (const client of [stale, next]) client.close()
})

test('[JOIN-10] a client gets all of a large document, with what others write meanwhile, also after leaving and returning', async () => {
  const { ana, id, writer } = await openLarge()
  const fragment = writer.doc.getXmlFragment('default')
  const readers = await Promise.all(Array.from({ length: 4 }, () => connectRaw(server.url, id)))
  for (const reader of readers) await reader.authenticate(ana.token)
  const joining = readers.map((reader) => reader.sync())
  readers[0]!.leave()
  joining[0] = readers[0]!.authenticate(ana.token).then(() => readers[0]!.sync())
  for (let word = 0; word < 30; word++) {
    writer.text().insert(0, `${word} `)
    fragment.delete(fragment.length - 2, 1)
    await writer.saved()
  }
  await Promise.all(joining)
  for (const reader of readers) {
    const copy = new Y.Doc()
    const isThere = (): boolean => {
      for (const update of reader.received.updates.splice(0)) Y.applyUpdate(copy, update)
      return Y.equalSnapshots(Y.snapshot(copy), Y.snapshot(writer.doc))
    }
    await until(isThere, 'the reader has everything')
    expect(reader.received).toMatchObject({ asked: 1, closed: undefined })
    expect(copy.store.pendingStructs).toBeNull()
    reader.close()
  }
  writer.close()
})

test('[JOIN-10] a client that writes while it gets a large document gets its acknowledgement when it has it, not before', async () => {
  const { ana, id, writer } = await openLarge()
  const client = await connectRaw(server.url, id)
  await client.authenticate(ana.token)
  const doc = new Y.Doc()
  doc.getMap('meta').set('title', 'early')
  void client.sync()
  client.sendUpdate(Y.encodeStateAsUpdate(doc))
  await client.acknowledged(1)
  expect(client.received.updates.some(({ byteLength }) => byteLength > 1_000_000)).toBe(true)
  client.close()
  writer.close()
})

test('[JOIN-11] nothing comes into a document that was not looked at, in whatever blocks it is sent', async () => {
  const { ana, id } = await open()
  const [hidden, shown] = ['receipts', 'meta'].map((name) => {
    const doc = new Y.Doc()
    doc.clientID = 7
    doc.getMap(name).set('a run', { of: 'nobody' })
    return Y.encodeStateAsUpdate(doc).subarray(1, -1)
  }) as [Uint8Array, Uint8Array]
  const empty = Uint8Array.of(0, 7, 0)
  for (const blocks of [
    [hidden, shown],
    [hidden, empty],
    [shown, hidden, empty],
  ]) {
    for (const send of ['sendUpdate', 'sendFullSync'] as const) {
      const client = await connectRaw(server.url, id)
      await client.authenticate(ana.token)
      client[send](Buffer.concat([Uint8Array.of(blocks.length), ...blocks, Uint8Array.of(0)]))
      expect(await client.closed()).toMatchObject({ code: 4400 })
    }
  }
  expect(server.rows(id)).toHaveLength(1)
})
