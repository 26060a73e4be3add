import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import { SCHEMA_VERSION } from '@copydesk/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { seededChoices, until } from '@copydesk/testing'
import { blockTexts, join, signIn, type TestPerson, textIn } from '../support/client.ts'
import { type FaultyServer, roundsOr, startFaultyServer } from './faulty-server.ts'

const rounds = roundsOr(6)
const timeout = 60_000 + rounds * 10_000
let server: FaultyServer
let ana: TestPerson

beforeAll(async () => {
  server = await startFaultyServer({ KEEP_OPEN_SECONDS: '0' })
  ana = await signIn(server.url, 'Ana')
})
afterAll(() => server.dispose())

test(
  `[LOG-24] the store fails while the last person leaves: nothing acknowledged is lost, and the rest comes with them, ${rounds} times`,
  { timeout },
  async () => {
    const count = { acknowledged: 0, missing: 0, unsaved: 0, returned: 0 }
    for (let round = 0; round < rounds; round++) {
      const { id } = await ana.create({ markdown: 'start' })
      const writer = await join(server.url, ana.token, id)
      const text = textIn(writer.fragment, 0)
      text.insert(5, ' kept')
      await writer.saved()
      server.setFaults({ fail: '^(insert|update|commit)' })
      text.insert(0, 'unsaved ')
      // Odd rounds leave with the edit in flight, even ones after the server has said that it could not store it.
      if (round % 2 === 0) await until(() => !writer.content.synced, 'the edit was refused')
      expect(writer.content.unsyncedChanges).toBeGreaterThan(0)
      writer.socket.disconnect()
      await until(() => writer.socket.webSocket === null, 'the last person has left')
      const reader = await join(server.url, ana.token, id)
      if (blockTexts(reader.fragment)[0] !== 'start kept') count.missing++
      reader.close()
      server.setFaults({})
      count.acknowledged++
      count.unsaved++
      await writer.socket.connect()
      await writer.saved()
      if ((await ana.markdown(id)) === 'unsaved start kept\n') count.returned++
      writer.close()
    }
    console.log(`last one leaves: ${JSON.stringify(count)}`)
    expect(count).toEqual({ acknowledged: rounds, missing: 0, unsaved: rounds, returned: rounds })
  },
)

test(
  `[LOG-25] documents are closed and opened at the same moment, ${rounds * 10} times: nobody writes into a dead one`,
  { timeout },
  async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
    const random = seededChoices(seed)
    const { id } = await ana.create({ markdown: 'start' })
    const words: string[] = []
    // Two people who join, write and leave alternately; the document is repeatedly without clients.
    const visit = async (name: string): Promise<void> => {
      for (let round = 0; round < rounds * 5; round++) {
        const peer = await join(server.url, ana.token, id)
        const word = ` ${name}${round};`
        const text = textIn(peer.fragment, 0)
        text.insert(text.length, word)
        words.push(word)
        await peer.saved()
        peer.close()
        if (random.chance(0.5)) await new Promise((resolve) => setTimeout(resolve, random.int(6)))
      }
    }
    await Promise.all([visit('a'), visit('b')])
    const found = await ana.markdown(id)
    const missing = words.filter((word) => !found.includes(word.trim()))
    console.log(`unload against join: ${JSON.stringify({ seed, joins: words.length, missing: missing.length })}`)
    expect(missing).toEqual([])
  },
)

test(
  '[LOG-26] one socket opens as many documents as it may, and a clear answer says that there are no more',
  { timeout },
  async () => {
    const ids: string[] = []
    for (let index = 0; index < 120; index++) ids.push((await ana.create({ markdown: `document ${index}` })).id)
    // Only now: a socket on which no document is opened is soon closed.
    const socket = new HocuspocusProviderWebsocket({
      url: `${server.url.replace('http', 'ws')}/collab?schemaVersion=${SCHEMA_VERSION}`,
      delay: 100,
      minDelay: 100,
      maxDelay: 400,
    })
    let connections = 0
    socket.on('open', () => connections++)
    const denied = new Map<string, string>()
    const open = (name: string): HocuspocusProvider => {
      // An asynchronous token function, as in a page that renews its token.
      const provider = new HocuspocusProvider({
        websocketProvider: socket,
        name,
        document: new Y.Doc(),
        token: async () => ana.token,
        onAuthenticationFailed: ({ reason }) => void denied.set(name, reason),
      })
      provider.attach()
      return provider
    }
    const providers = ids.map(open)
    try {
      await until(() => providers.filter(({ synced }) => synced).length + denied.size === 120, 'each has an answer')
      expect([...new Set(denied.values())]).toEqual(['too_many_documents'])
      expect(providers.filter(({ synced }) => synced)).toHaveLength(100)
      expect(connections).toBe(1)
      // Those that are open can be written in.
      const [first] = providers.filter(({ synced }) => synced)
      const text = textIn(first!.document.getXmlFragment('default'), 0)
      text.insert(0, 'written: ')
      await until(() => !first!.hasUnsyncedChanges, 'it is saved')
      // Where one is closed, another has room.
      first!.destroy()
      const [late] = denied.keys()
      const again = open(late!)
      providers.push(again)
      await until(() => again.synced, 'it has room now')
    } finally {
      for (const provider of providers) provider.destroy()
      socket.destroy()
    }
  },
)
