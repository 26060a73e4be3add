import { closeCodes } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { connectRaw } from '../testing/raw-client.ts'
import { firstText, startTestServer, type TestServer } from '../testing/test-server.ts'
import { until } from '../testing/until.ts'

// A server that died had shown something that it had not stored yet: others have it, and bring it along when they come back.

let server: TestServer
let impatient: TestServer

beforeAll(async () => {
  server = await startTestServer()
  impatient = await startTestServer({}, { socketLimits: { heldMs: 500 } })
})
afterAll(async () => {
  await server.dispose()
  await impatient.dispose()
})

/** A document in which Ana has written, what she wrote last and the server lost, and Ben, who has seen that. */
async function openAfterLoss(on: TestServer) {
  const [ana, ben] = [await on.signIn('Ana'), await on.signIn('Ben')]
  const { id } = await on.create(ana, 'start')
  const anas = on.load(id)
  const write = (doc: Y.Doc, at: number, text: string): Uint8Array => {
    const before = Y.encodeStateVector(doc)
    firstText(doc).insert(at, text)
    return Y.encodeStateAsUpdate(doc, before)
  }
  const join = async (token: string) => {
    const client = await connectRaw(on.url, id)
    await client.authenticate(token)
    return client
  }
  const first = await join(ana.token)
  first.sendUpdate(write(anas, 0, 'kept '))
  await first.acknowledged(1)
  first.close()
  const lost = write(anas, 5, 'lost ')
  const bens = new Y.Doc()
  Y.applyUpdate(bens, Y.encodeStateAsUpdate(anas))
  const text = (): string => firstText(on.load(id)).toJSON()
  const actors = (): string[] => on.rows(id).map(({ actor }) => actor)
  return { ana, ben, anas, bens, lost, write, join, text, actors }
}

test('[COLLAB-16] who brings back what somebody else has lost is heard of for their own part, and acknowledged when the other is back', async () => {
  const { ana, ben, anas, bens, write, join, text, actors } = await openAfterLoss(server)
  write(bens, 0, 'own ')
  const client = await join(ben.token)
  client.sendFullSync(Y.encodeStateAsUpdate(bens))
  await until(() => text() === 'own kept start', 'the own part is stored')
  await client.roundTrip()
  expect(client.received.acknowledged).toBe(0)
  // What comes after it is taken as ever.
  client.sendUpdate(write(bens, 0, 'more '))
  await until(() => text() === 'more own kept start', 'what comes later is stored')
  const back = await join(ana.token)
  back.sendFullSync(Y.encodeStateAsUpdate(anas))
  await back.acknowledged(1)
  await client.acknowledged(2)
  expect(text()).toBe('more own kept lost start')
  expect(actors()).toEqual([ana, ana, ben, ben, ana].map(({ user }) => user.id))
  for (const one of [client, back]) one.close()
})

test('[COLLAB-16] what builds on it, or deletes it, waits for the other, and stays whose it is', async () => {
  const { ana, ben, anas, bens, write, join, text, actors } = await openAfterLoss(server)
  write(bens, 7, 'LO')
  firstText(bens).delete(9, 1)
  const client = await join(ben.token)
  client.sendFullSync(Y.encodeStateAsUpdate(bens))
  await client.roundTrip()
  expect([text(), client.received.acknowledged]).toEqual(['kept start', 0])
  const back = await join(ana.token)
  back.sendFullSync(Y.encodeStateAsUpdate(anas))
  await client.acknowledged(1)
  expect(text()).toBe(firstText(bens).toJSON())
  expect(actors()).toEqual([ana, ana, ana, ben].map(({ user }) => user.id))
  for (const one of [client, back]) one.close()
})

test('[COLLAB-16] if the other doesn’t come back in time, who waits is told that it can’t be taken, and their own part is kept', async () => {
  const { ben, bens, write, join, text } = await openAfterLoss(impatient)
  write(bens, 0, 'own ')
  const client = await join(ben.token)
  client.sendFullSync(Y.encodeStateAsUpdate(bens))
  expect(await client.closed()).toEqual({
    code: closeCodes.foreignClient,
    reason: expect.stringContaining('client_id_taken') as string,
  })
  expect([text(), client.received.acknowledged]).toEqual(['own kept start', 0])
})

test('[COLLAB-16] as an update of its own it is refused at once', async () => {
  const { ben, lost, join, text } = await openAfterLoss(server)
  const client = await join(ben.token)
  client.sendUpdate(lost)
  expect((await client.closed()).code).toBe(closeCodes.foreignClient)
  expect(text()).toBe('kept start')
})
