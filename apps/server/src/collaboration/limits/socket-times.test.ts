import { closeCodes } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { connectRaw, until } from '@copydesk/testing'
import { firstText, startTestServer, type TestServer } from '../../testing/test-server.ts'

const [checkEveryMs, idleMs, silentMs, heldMs] = [40, 400, 2000, 1000]

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({}, { socketLimits: { checkEveryMs, idleMs, silentMs, heldMs } })
})
afterAll(() => server.dispose())

async function open() {
  const ana = await server.signIn('Ana')
  const { id } = await server.create(ana, 'start')
  const join = async () => {
    const client = await connectRaw(server.url, id)
    await client.authenticate(ana.token)
    return client
  }
  return { id, join }
}

/** Two changes; the second depends on the first. */
function twoEdits(id: string): [Uint8Array, Uint8Array] {
  const doc = server.load(id)
  const edit = (at: number, text: string): Uint8Array => {
    const before = Y.encodeStateVector(doc)
    firstText(doc).insert(at, text)
    return Y.encodeStateAsUpdate(doc, before)
  }
  return [edit(0, 'one '), edit(4, 'two ')]
}

test('[SOCKET-6] a socket without a document is closed with 4401, and one that has a document open stays, however still', async () => {
  const { join } = await open()
  const [stays, leaves] = [await join(), await join()]
  const began = performance.now()
  leaves.leave()
  expect(await leaves.closed()).toEqual({ code: closeCodes.unauthenticated, reason: 'no document is open' })
  // The time counts from the last check that found a document.
  expect(performance.now() - began).toBeGreaterThan(idleMs - 2 * checkEveryMs)
  await until(() => performance.now() - began > 3 * idleMs, 'the other has been still for longer')
  await stays.sync()
  expect(stays.received.closed).toBeUndefined()
  stays.close()
})

test('[SOCKET-6] a socket whose client gives no sign of life is cut off', async () => {
  const { join } = await open()
  const client = await join()
  client.pause()
  const began = performance.now()
  await until(() => performance.now() - began > silentMs + 500, 'it has been silent for long')
  client.resume()
  expect((await client.closed()).code).toBe(1006)
})

test('[COLLAB-13] a change whose gap isn’t filled in time sends its sender back, and nothing of it is kept', async () => {
  const { id, join } = await open()
  const client = await join()
  const [, second] = twoEdits(id)
  const rows = server.rows(id).length
  const began = performance.now()
  client.sendUpdate(second)
  const { code, reason } = await client.closed()
  expect([code, reason]).toEqual([closeCodes.resync, expect.stringContaining('are missing')])
  expect(performance.now() - began).toBeGreaterThanOrEqual(heldMs)
  expect([client.received.asked, client.received.acknowledged]).toEqual([1, 0])
  expect(server.rows(id)).toHaveLength(rows)
  expect(firstText(server.load(id)).toJSON()).toBe('start')
})

test('[COLLAB-13] a connection whose gap is filled in time is kept, and the next gap gets the full time', async () => {
  const { id, join } = await open()
  const client = await join()
  const [first, second] = twoEdits(id)
  const began = performance.now()
  client.sendUpdate(second)
  await until(() => client.received.asked === 1, 'the server asks for what it lacks')
  client.sendUpdate(first)
  await client.acknowledged(2)
  await until(() => performance.now() - began > heldMs + 300, 'the time of the gap is over')
  await client.sync()
  expect(client.received.closed).toBeUndefined()
  expect(firstText(server.load(id)).toJSON()).toBe('one two start')
  const [, gap] = twoEdits(id)
  client.sendUpdate(gap)
  await until(() => client.received.asked === 2, 'the server asks again')
  expect(client.received.closed).toBeUndefined()
  expect((await client.closed()).code).toBe(closeCodes.resync)
})
