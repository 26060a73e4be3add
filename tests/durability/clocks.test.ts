import { isFinal, type Run } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { blockTexts, ended, join, signIn, type TestPeer, type TestPerson, textIn } from '../support/client.ts'
import { type FaultyServer, roundsOr, startFaultyServer } from './faulty-server.ts'

const day = 24 * 60 * 60 * 1000
const jumps = [-day, 300 * day, 0, day, -300 * day, 0]
const rounds = roundsOr(10)
let server: FaultyServer
let ana: TestPerson

beforeAll(async () => {
  server = await startFaultyServer()
  ana = await signIn(server.url, 'Ana')
})
afterAll(() => server.dispose())

/** Moves the server's clock. It looks at what the file says every few milliseconds. */
async function jumpTo(clockMs: number): Promise<void> {
  server.setFaults({ clockMs })
  const isThere = async (): Promise<boolean> => {
    const { createdAt } = await ana.create()
    return Math.abs(Date.parse(createdAt) - Date.now() - clockMs) < 60_000
  }
  await until(isThere, 'the clock has jumped')
}

async function typeWord(peer: TestPeer, word: string): Promise<void> {
  const text = textIn(peer.fragment, 1)
  text.insert(text.length, word)
  await peer.saved()
}

test(
  `[LOG-22] a clock that jumps back a day and forward by months, ${rounds} times: edits, sockets, runs and lists continue`,
  { timeout: 60_000 + rounds * 20_000 },
  async () => {
    const { id } = await ana.create({ markdown: 'start\n\nwords' })
    const peer = await join(server.url, ana.token, id)
    const closes: unknown[] = []
    peer.socket.on('close', ({ event }: { event: { code?: number } }) => closes.push(event.code))
    const words: string[] = []
    const texts: string[] = []
    const runs: string[] = []
    try {
      for (let round = 0; round < rounds; round++) {
        await jumpTo(jumps[round % jumps.length]!)
        words.push(` r${round}x`)
        await typeWord(peer, words.at(-1)!)
        if (round % 3 === 0) await ask(id, peer, `replace r${round}x with R${round}x`, texts, runs)
      }
      const found = blockTexts(peer.fragment).join(' ')
      expect(words.filter((word, index) => !found.includes(index % 3 === 0 ? ` R${index}x` : word))).toEqual([])
      expect(closes).toEqual([])
      await expectOrder(id, peer, texts, runs)
    } finally {
      peer.close()
    }
  },
)

async function ask(id: string, peer: TestPeer, text: string, texts: string[], runs: string[]): Promise<void> {
  const { run } = await ana.ask(id, text)
  texts.push(text)
  runs.push(run.id)
  const done = await ended(peer, run.id)
  expect(done).toMatchObject({ status: 'completed' })
}

/**
 * What is listed, the newest of it all in a long trial, stands in the order in which it came, whatever the clock said
 * then.
 */
async function expectOrder(id: string, peer: TestPeer, texts: string[], runs: string[]): Promise<void> {
  const { body } = await ana.call<{ messages: { role: string; text: string }[] }>(
    'GET',
    `/api/documents/${id}/messages`,
  )
  const asked = (messages: readonly { role: string; text: string }[]) =>
    messages.filter(({ role }) => role === 'user').map(({ text }) => text)
  expectNewest(asked(peer.messages()), texts)
  expectNewest(asked(body.messages), texts)
  const list = await ana.call<{ runs: Run[] }>('GET', `/api/documents/${id}/runs`)
  expectNewest(list.body.runs.map((run) => run.id).toReversed(), runs)
}

function expectNewest(found: readonly string[], all: readonly string[]): void {
  expect(found).toEqual(all.slice(-found.length))
  expect(found.length).toBeGreaterThanOrEqual(Math.min(all.length, 40))
}

test('[LOG-23] a run in progress when the clock jumps neither times out nor runs forever', async () => {
  const { id } = await ana.create({ markdown: 'start\n\nwords' })
  const peer = await join(server.url, ana.token, id)
  try {
    await jumpTo(0)
    for (const clockMs of [300 * day, -day, 0]) {
      const { run } = await ana.ask(id, 'replace "words" with "words words"')
      server.setFaults({ clockMs })
      await until(async () => isFinal((await ana.run(id, run.id)).status), 'the run has ended')
      expect(await ana.run(id, run.id)).toMatchObject({ status: 'completed' })
    }
  } finally {
    peer.close()
  }
})
