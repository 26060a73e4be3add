import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { blockTexts, join, signIn, textIn } from '../support/client.ts'
import { countLossesOnBadDisk, mountSmallDisk } from './disks.ts'
import { type FaultyServer, roundsOr, startFaultyServer } from './faulty-server.ts'
import { runRoundsInParallel } from './shared-rounds.ts'

const rounds = roundsOr(4)
const timeout = 60_000 + rounds * 20_000
const flawless = flawlessIn(rounds)
const fewer = roundsOr(3)

// Starting a server costs as much as several rounds.
let servers: FaultyServer[]
beforeAll(async () => {
  servers = await Promise.all([startFaultyServer(), startFaultyServer()])
})
beforeEach(() => servers.forEach((server) => server.setFaults({})))
afterAll(() => Promise.all(servers.map((server) => server.dispose())))

function flawlessIn(count: number) {
  return { rounds: count, missing: 0, readWhileBad: count, shownUnsaved: count }
}

test(
  `[LOG-17] a disk that fails for a while: typing continues, shows as unsaved and is saved later, ${rounds} times`,
  { timeout },
  async () => {
    const count = await countLossesOnBadDisk(servers[0]!, rounds, {
      begin: (server) => server.setFaults({ fail: '^(insert|update|commit|rollback|sync)' }),
      end: (server) => server.setFaults({}),
    })
    console.log(`failing disk: ${JSON.stringify(count)}`)
    expect(count).toMatchObject(flawless)
  },
)

test(
  `[LOG-18] a disk that takes half a second a write: typing continues, shows as unsaved and is saved later, ${rounds} times`,
  { timeout },
  async () => {
    const fault = {
      begin: (server: FaultyServer) => server.setFaults({ slowMs: 500 }),
      end: (server: FaultyServer) => server.setFaults({}),
    }
    const count = await runRoundsInParallel(rounds, servers.length, (share, index) =>
      countLossesOnBadDisk(servers[index]!, share, fault),
    )
    console.log(`slow disk: ${JSON.stringify(count)}`)
    expect(count).toMatchObject(flawless)
  },
)

test(
  `[LOG-27] a disk that stalls before it has what is written: others see it at once, it counts as saved later, ${fewer} times`,
  { timeout },
  async () => {
    const fault = {
      begin: (server: FaultyServer) => server.setFaults({ slowSyncMs: 250 }),
      end: (server: FaultyServer) => server.setFaults({}),
      isOfSyncs: true,
    }
    const count = await runRoundsInParallel(fewer, servers.length, (share, index) =>
      countLossesOnBadDisk(servers[index]!, share, fault),
    )
    console.log(`stalling disk: ${JSON.stringify(count)}`)
    expect(count).toMatchObject({ ...flawlessIn(fewer), seenUnsaved: fewer })
  },
)

test(
  `[LOG-28] a disk that fails before a write is durable: the write is repeated and saved, without a restart, ${fewer} times`,
  { timeout },
  async () => {
    const count = await countLossesOnBadDisk(servers[0]!, fewer, {
      begin: (server) => server.setFaults({ fail: '^sync' }),
      end: (server) => server.setFaults({}),
    })
    console.log(`disk that fails to sync: ${JSON.stringify(count)}`)
    expect(count).toMatchObject(flawlessIn(fewer))
  },
)

test(
  `[LOG-19] a disk that is full: typing continues, shows as unsaved and is saved when there is room again, ${rounds} times`,
  { timeout },
  async ({ skip }) => {
    const disk = mountSmallDisk()
    if (!disk) {
      console.error('NOT RUN: a full disk: this user may not mount one')
      return skip('this user may not mount a small disk')
    }
    const server = await startFaultyServer({ DATA_DIR: disk.directory })
    try {
      const fault = { begin: disk.fill, end: disk.free }
      const count = await countLossesOnBadDisk(server, rounds, fault)
      console.log(`full disk: ${JSON.stringify(count)}`)
      expect(count).toMatchObject(flawless)
    } finally {
      await server.dispose()
      disk.dispose()
    }
  },
)

test(
  '[LOG-29] while a write waits for the disk reads continue, also where writes are refused',
  { timeout },
  async () => {
    const server = servers[0]!
    const [ana, ben] = [await signIn(server.url, 'Ana'), await signIn(server.url, 'Ben')]
    const { id } = await ana.create({ markdown: 'start' })
    server.setFaults({ fail: '^sync' })
    // Accepted, because the server has not yet noticed that the disk fails.
    let isStored = false
    const stored = ben.create({ markdown: 'held' }).then(() => (isStored = true))
    await until(
      async () => (await fetch(`${server.url}/readyz`)).status === 503,
      'the server says that it is in trouble',
    )
    expect((await ana.call('GET', '/api/documents')).status).toBe(200)
    const reader = await join(server.url, ana.token, id)
    expect(blockTexts(reader.fragment)).toEqual(['start'])
    reader.close()
    expect((await ana.call('POST', '/api/documents', { markdown: 'refused' })).status).toBeGreaterThanOrEqual(500)
    expect(isStored).toBe(false)
    server.setFaults({})
    await stored
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  },
)

test(
  '[LOG-30] content that already arrived by another way counts as saved when it is on disk, not before',
  { timeout },
  async () => {
    const server = await startFaultyServer({ KEEP_OPEN_SECONDS: '0' })
    try {
      const ana = await signIn(server.url, 'Ana')
      const { id } = await ana.create({ markdown: 'start' })
      const doc = new Y.Doc()
      const first = await join(server.url, ana.token, id, doc)
      await first.saved()
      first.close()
      const before = Y.encodeStateVector(doc)
      textIn(doc.getXmlFragment('default'), 0).insert(0, 'by HTTP ')
      server.setFaults({ slowSyncMs: 700 })
      const order: string[] = []
      const posted = fetch(`${server.url}/api/documents/${id}/updates`, {
        method: 'POST',
        body: Y.encodeStateAsUpdate(doc, before),
        headers: { authorization: `Bearer ${ana.token}`, 'content-type': 'application/octet-stream' },
      }).then(({ status }) => order.push(`by HTTP: ${status}`))
      await until(async () => (await ana.markdown(id)).startsWith('by HTTP'), 'it is written')
      const again = await join(server.url, ana.token, id, doc)
      await again.saved()
      order.push('by the socket')
      await posted
      again.close()
      expect(order).toEqual(['by HTTP: 204', 'by the socket'])
    } finally {
      await server.dispose()
    }
  },
)
