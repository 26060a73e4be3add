import { closeCodes } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { connectRaw, type RawDocument, until } from '@copydesk/testing'
import { callApi } from '../../testing/call-api.ts'
import { firstText, startTestServer } from '../../testing/test-server.ts'
import { defaultSocketLimits, RefusalCounts } from './socket-limits.ts'

test('[SOCKET-7] a provider that comes back every second with a change that is refused is never kept out; one without a pause is', () => {
  let now = 0
  const counts = new RefusalCounts(defaultSocketLimits, () => now)
  for (; now < 3_600_000; now += 1000) {
    counts.note('honest')
    expect([now, counts.isBlocked('honest')]).toEqual([now, false])
  }
  for (let times = 0; times < 60; times++) counts.note('rogue')
  expect(counts.isBlocked('rogue')).toBe(false)
  counts.note('rogue')
  expect([counts.isBlocked('rogue'), counts.isBlocked('honest')]).toEqual([true, false])
  now += defaultSocketLimits.blockedMs
  expect(counts.isBlocked('rogue')).toBe(false)
})

test('[SOCKET-7] of many accounts those are forgotten first that were refused longest ago', () => {
  const counts = new RefusalCounts({ refusals: { burst: 1, perSecond: 1 }, blockedMs: 1000 }, () => 0)
  for (const account of ['old', 'old', 'new', 'new']) counts.note(account)
  expect([counts.isBlocked('old'), counts.isBlocked('new')]).toEqual([true, true])
  for (let index = 0; index < 9_999; index++) counts.note(`account ${index}`)
  counts.note('new')
  expect([counts.isBlocked('old'), counts.isBlocked('new')]).toEqual([false, true])
})

/** An update with a node type that no editor knows. */
function unreadable(): Uint8Array {
  const doc = new Y.Doc()
  doc.getXmlFragment('default').insert(0, [new Y.XmlElement('marquee')])
  return Y.encodeStateAsUpdate(doc)
}

test('[SOCKET-7] over real sockets: who is refused again and again is kept out of every document, nobody else is, and may come back', async () => {
  const blockedMs = 3000
  const socketLimits = { refusals: { burst: 4, perSecond: 0.1 }, blockedMs }
  const server = await startTestServer({}, { socketLimits })
  try {
    const [ana, rogue] = [await server.signIn('Ana'), await server.signIn('Rogue')]
    const { id } = await server.create(ana, 'start')
    const { id: other } = await server.create(ana, 'other')
    const open = async (name = id): Promise<RawDocument> => {
      const client = await connectRaw(server.url, name)
      await client.authenticate(rogue.token)
      return client
    }
    const [stays, honest] = [await open(other), await server.join(ana.token, id)]
    await stays.sync()
    const bad: [number, (client: RawDocument) => void][] = [
      [closeCodes.invalidFrame, (client) => client.sendBytes(Uint8Array.of(1, 65, 99))],
      [closeCodes.schemaRefused, (client) => client.sendUpdate(unreadable())],
      [closeCodes.invalidFrame, (client) => client.sendUpdate(Uint8Array.of(9, 9, 9))],
      [closeCodes.schemaRefused, (client) => client.sendFullSync(unreadable())],
      [closeCodes.invalidFrame, (client) => client.sendPresence(Uint8Array.of(200, 200, 3))],
    ]
    for (const [code, send] of bad) {
      const client = await open()
      // All frames after the first refused update are ignored.
      for (let times = 0; times < 3; times++) send(client)
      expect([(await client.closed()).code, client.received.acknowledged]).toEqual([code, 0])
    }
    const began = performance.now()
    for (const name of [id, other]) {
      const client = await open(name)
      expect((await client.closed()).code).toBe(closeCodes.tooMany)
      expect(client.received).toMatchObject({ authenticated: 0, updates: [] })
    }
    await stays.sync()
    honest.text().insert(0, 'undisturbed ')
    await honest.saved()
    const late = await server.join(ana.token, other)
    for (const each of [late, honest]) each.close()
    await until(() => performance.now() - began > blockedMs, 'a while has passed')
    const again = await open()
    await again.sync()
    expect(firstText(server.load(id)).toJSON()).toBe('undisturbed start')
    for (const client of [again, stays]) client.close()
  } finally {
    await server.dispose()
  }
})

test('[SOCKET-7] a client told to reconnect (4205) because of an id that isn’t its own cannot repeat that forever', async () => {
  const server = await startTestServer({}, { socketLimits: { refusals: { burst: 3, perSecond: 0.01 } } })
  try {
    const [ana, rogue] = [await server.signIn('Ana'), await server.signIn('Rogue')]
    const { id } = await server.create(ana, 'start')
    const call = callApi(server.url, ana.token, id)
    const [first] = server.load(id).store.clients.keys()
    const codes: number[] = []
    for (let times = 0; times < 5; times++) {
      const client = await connectRaw(server.url, id)
      await client.authenticate(rogue.token)
      // After a row from another process, the server doesn't know the owners of its client ids yet.
      if (client.received.closed === undefined) {
        expect((await call('POST', '/threads', { quote: 'start', text: 'Why?' })).status).toBe(201)
        const doc = server.load(id)
        doc.clientID = [...doc.store.clients.keys()].find((client) => client !== first)!
        const vector = Y.encodeStateVector(doc)
        firstText(doc).insert(0, 'forged ')
        client.sendUpdate(Y.encodeStateAsUpdate(doc, vector))
      }
      codes.push((await client.closed()).code)
    }
    const { resync, tooMany } = closeCodes
    expect(codes).toEqual([resync, resync, resync, resync, tooMany])
    expect(firstText(server.load(id)).toJSON()).not.toContain('forged')
  } finally {
    await server.dispose()
  }
})
