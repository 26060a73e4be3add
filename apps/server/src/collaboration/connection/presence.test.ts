import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { applyAwarenessUpdate, Awareness } from 'y-protocols/awareness'
import { connectRaw, type RawDocument, until } from '@copydesk/testing'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { readAwareness, writeAwareness } from './awareness-frames.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.dispose())

type Watched = { client: RawDocument; states(): Map<number, Record<string, unknown>> }

/** A client that sees presence as a browser does: with the clocks of y-protocols. */
async function watch(token: string, id: string): Promise<Watched> {
  const client = await connectRaw(server.url, id)
  await client.authenticate(token)
  const awareness = new Awareness(new Y.Doc())
  awareness.setLocalState(null)
  let applied = 0
  return {
    client,
    states() {
      for (; applied < client.received.presence.length; applied++) {
        applyAwarenessUpdate(awareness, client.received.presence[applied]!, 'server')
      }
      return awareness.getStates() as Map<number, Record<string, unknown>>
    },
  }
}

async function open() {
  const [ana, ben] = [await server.signIn('Ana'), await server.signIn('Ben')]
  const { id } = await server.create(ana, 'start')
  const watcher = await watch(ana.token, id)
  const client = await connectRaw(server.url, id)
  await client.authenticate(ben.token)
  return { ana, ben, id, watcher, client }
}

const claim = {
  user: { id: 'boss', name: 'The Boss', color: '#000000', kind: 'person' },
  cursor: cursorAt(1, 2),
}

function cursorAt(anchor: number, head: number) {
  const at = (clock: number) => ({ type: null, tname: null, item: { client: 3, clock }, assoc: 0 })
  return { anchor: at(anchor), head: at(head) }
}

test('[PRES-1] the server sets the identity of a user, whatever they claim, and keeps only the cursor', async () => {
  const { ben, watcher, client } = await open()
  client.sendPresence(
    writeAwareness({ clientId: 7, clock: 1, state: { ...claim, activity: { label: 'x' }, other: 1 } }),
  )
  await until(() => watcher.states().has(7), 'the watcher sees it')
  expect(watcher.states().get(7)).toEqual({ user: { ...ben.user, kind: 'person' }, cursor: claim.cursor })
  client.close()
  await until(() => !watcher.states().has(7), 'the watcher sees that they left')
})

test('[PRES-2] no user can change or remove the awareness of another', async () => {
  const { ben, id, watcher, client } = await open()
  client.sendPresence(writeAwareness({ clientId: 7, clock: 1, state: claim }))
  await until(() => watcher.states().has(7), 'the watcher sees Ben')
  const mallory = await server.signIn('Mallory')
  const intruder = await connectRaw(server.url, id)
  await intruder.authenticate(mallory.token)
  intruder.sendPresence(writeAwareness({ clientId: 7, clock: 99, state: { ...claim, cursor: cursorAt(9, 9) } }))
  intruder.sendPresence(writeAwareness({ clientId: 7, clock: 100, state: null }))
  intruder.sendPresence(writeAwareness({ clientId: 8, clock: 1, state: claim }))
  await until(() => watcher.states().has(8), 'the watcher sees Mallory')
  expect(watcher.states().get(7)).toEqual({ user: { ...ben.user, kind: 'person' }, cursor: claim.cursor })
  intruder.close()
  await until(() => !watcher.states().has(8), 'the watcher sees that Mallory left')
  expect(watcher.states().has(7)).toBe(true)
})

test('[PRES-3] a connection has one presence: a new id takes the place of the old', async () => {
  const { watcher, client } = await open()
  for (let clientId = 100; clientId < 120; clientId++) {
    client.sendPresence(writeAwareness({ clientId, clock: 1, state: claim }))
  }
  await until(() => watcher.states().has(119), 'the watcher sees the last id')
  expect([...watcher.states().keys()]).toEqual([119])
  client.close()
})

test('[PRES-4] a user who returns with a clock that was seen before is shown again', async () => {
  const { ben, id, watcher, client } = await open()
  client.sendPresence(writeAwareness({ clientId: 7, clock: 5, state: claim }))
  await until(() => watcher.states().has(7), 'the watcher sees Ben')
  client.close()
  await until(() => !watcher.states().has(7), 'Ben has left')
  const again = await connectRaw(server.url, id)
  await again.authenticate(ben.token)
  again.sendPresence(writeAwareness({ clientId: 7, clock: 2, state: claim }))
  await until(() => watcher.states().has(7), 'the watcher sees Ben again')
  again.sendPresence(writeAwareness({ clientId: 7, clock: 3, state: { ...claim, cursor: cursorAt(5, 5) } }))
  const isThere = () => JSON.stringify(watcher.states().get(7)?.cursor) === JSON.stringify(cursorAt(5, 5))
  await until(isThere, 'the watcher sees where Ben went then')
  again.close()
  await until(() => !watcher.states().has(7), 'Ben has left for the second time')
})

test('[PRES-9] a user who returns before the dead connection is noticed is shown at once, and stays when it closes', async () => {
  const { ben, id, watcher, client } = await open()
  client.sendPresence(writeAwareness({ clientId: 7, clock: 5, state: claim }))
  await until(() => watcher.states().has(7), 'the watcher sees Ben')
  const again = await connectRaw(server.url, id)
  await again.authenticate(ben.token)
  again.sendPresence(writeAwareness({ clientId: 7, clock: 5, state: { ...claim, cursor: cursorAt(5, 5) } }))
  const isThere = () => JSON.stringify(watcher.states().get(7)?.cursor) === JSON.stringify(cursorAt(5, 5))
  await until(isThere, 'the watcher sees where Ben is')
  client.close()
  const last = await connectRaw(server.url, id)
  await last.authenticate(ben.token)
  last.sendPresence(writeAwareness({ clientId: 8, clock: 1, state: claim }))
  await until(() => watcher.states().has(8), 'the watcher sees who comes after that')
  expect(isThere()).toBe(true)
  again.close()
  await until(() => !watcher.states().has(7), 'Ben has left')
})

test('[PRES-5] an explicit removal removes, and the connection may show itself again', async () => {
  const { watcher, client } = await open()
  client.sendPresence(writeAwareness({ clientId: 7, clock: 1, state: claim }))
  await until(() => watcher.states().has(7), 'the watcher sees Ben')
  client.sendPresence(writeAwareness({ clientId: 7, clock: 2, state: null }))
  await until(() => !watcher.states().has(7), 'Ben is gone')
  client.sendPresence(writeAwareness({ clientId: 7, clock: 3, state: claim }))
  await until(() => watcher.states().has(7), 'Ben is back')
  client.close()
})

test('[PRES-6] a state above 4 KiB and presence that can’t be read end the socket', async () => {
  const large = writeAwareness({ clientId: 7, clock: 1, state: { cursor: { anchor: 'x'.repeat(4096), head: 1 } } })
  for (const [bad, code] of [
    [large, 4413],
    [Uint8Array.of(1, 2), 4400],
    [Uint8Array.of(200, 200, 3), 4400],
  ] as const) {
    const { watcher, client } = await open()
    client.sendPresence(bad)
    expect((await client.closed()).code).toBe(code)
    expect(watcher.states().has(7)).toBe(false)
    watcher.client.close()
  }
})

test('[PRES-7] entries are read as y-protocols writes them', () => {
  const awareness = new Awareness(new Y.Doc())
  awareness.setLocalState({ cursor: null, name: 'Ünï' })
  const frame = writeAwareness({ clientId: 9, clock: 4, state: { a: 'Ünï' } })
  expect(readAwareness(frame)).toEqual([{ clientId: 9, clock: 4, state: { a: 'Ünï' }, bytes: 13 }])
  applyAwarenessUpdate(awareness, frame, 'test')
  expect(awareness.getStates().get(9)).toEqual({ a: 'Ünï' })
  awareness.destroy()
})

const there = { type: null, tname: 'default', item: null, assoc: 0 }

test.each([
  { anchor: 1, head: 2 },
  { anchor: null, head: null },
  { anchor: {}, head: {} },
  { anchor: there },
  { anchor: there, head: { ...there, tname: null } },
  { anchor: there, head: { type: { client: 'x', clock: -1 } } },
  { anchor: there, head: { item: { client: 1, clock: -1 } } },
  { anchor: there, head: { item: { client: 1.5, clock: 1 } } },
  { anchor: there, head: { item: [] } },
  { anchor: there, head: { tname: 'meta' } },
  { anchor: there, head: { ...there, assoc: 'left' } },
  [],
])('[PRES-8] the cursor %j, which Yjs cannot resolve, is shown to nobody', async (cursor) => {
  const { ben, watcher, client } = await open()
  client.sendPresence(writeAwareness({ clientId: 7, clock: 1, state: { cursor } }))
  await until(() => watcher.states().has(7), 'the watcher sees Ben')
  expect(watcher.states().get(7)).toEqual({ user: { ...ben.user, kind: 'person' }, cursor: null })
  client.sendPresence(writeAwareness({ clientId: 7, clock: 2, state: { cursor: { anchor: there, head: there } } }))
  await until(() => watcher.states().get(7)?.cursor !== null, 'the watcher sees where Ben is')
  expect(watcher.states().get(7)?.cursor).toEqual({ anchor: there, head: there })
  client.close()
  watcher.client.close()
})
