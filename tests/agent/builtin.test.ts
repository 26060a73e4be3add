import { randomUUID } from 'node:crypto'
import * as Y from 'yjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { blockTexts, ended, join, signIn, type TestPeer, type TestPerson } from '../support/client.ts'

let server: Copydesk
let ana: TestPerson
let ben: TestPerson

beforeAll(async () => {
  server = await startCopydesk()
  ana = await signIn(server.url, 'Ana')
  ben = await signIn(server.url, 'Ben')
})
afterAll(() => server.dispose())

/** Writes `text` and a mention of the agent as the last paragraph, in one update. */
function mentionAgent(peer: TestPeer, text: string, state: 'draft' | 'sent'): string {
  const requestId = randomUUID()
  const block = new Y.XmlElement('paragraph')
  const mention = new Y.XmlElement('mention')
  const attributes = { id: 'agent', label: 'agent', kind: 'agent', requestId, state }
  for (const [name, value] of Object.entries(attributes)) mention.setAttribute(name, value)
  const words = new Y.XmlText()
  words.insert(0, ` ${text}`)
  block.insert(0, [mention, words])
  peer.fragment.push([block])
  return requestId
}

test('[RUN-1] a chat message starts a run that changes the document for everybody', async () => {
  const { id } = await ana.create({ markdown: '# Cats\n\nteh cat and teh dog' })
  const [a, b] = await Promise.all([join(server.url, ana.token, id), join(server.url, ben.token, id)])
  const { run, message } = await ana.ask(id, 'replace teh with the')
  const done = await ended(b, run.id)
  expect(done).toMatchObject({
    status: 'completed',
    invokedBy: { name: 'Ana' },
    trigger: { kind: 'chat', id: message.id },
  })
  expect(blockTexts(b.fragment)).toEqual(['Cats', 'the cat and the dog'])
  await until(() => b.messages().length === 2 && b.messages()[1]?.status === 'complete', 'the answer is there')
  expect(b.messages()[1]).toMatchObject({ role: 'agent', author: { kind: 'agent' }, run: run.id })
  expect(b.doc.getMap('receipts').size).toBe(0)
  expect(await ana.run(id, run.id)).toEqual({ ...done, steps: done.steps })
  a.close()
  b.close()
})

test('[RUN-2] the agent is a peer with a presence that comes and goes, its rights and name from the server', async () => {
  const { id } = await ana.create({ markdown: 'teh cat' })
  const peer = await join(server.url, ben.token, id)
  const seen: Record<string, unknown>[] = []
  peer.content.on('awarenessChange', ({ states }: { states: Record<string, unknown>[] }) => {
    seen.push(...states.filter((state) => (state.user as { kind?: string } | undefined)?.kind === 'agent'))
  })
  const { run } = await ana.ask(id, 'replace teh with the')
  await ended(peer, run.id)
  await until(() => seen.some(({ cursor }) => Boolean(cursor)), "the agent's caret was seen")
  expect(seen[0]?.user).toMatchObject({ name: 'Agent', kind: 'agent', runId: run.id, invokedBy: ana.user.id })
  const isHere = (): boolean =>
    [...(peer.content.awareness?.getStates().values() ?? [])].some((state) => state.user?.kind === 'agent')
  await until(() => !isHere(), 'the agent has left')
  peer.close()
})

test('[RUN-3] a mention starts one run when it is sent, on behalf of who sent it', async () => {
  const { id } = await ana.create({ markdown: 'teh cat' })
  const [a, b] = await Promise.all([join(server.url, ana.token, id), join(server.url, ben.token, id)])
  const requestId = mentionAgent(b, 'replace teh with the', 'draft')
  await b.saved()
  expect(a.runs()).toEqual([])

  const mention = (b.fragment.get(1) as Y.XmlElement).get(0) as Y.XmlElement
  mention.setAttribute('state', 'sent')
  await until(() => a.runs().length === 1, 'the run shows')
  const [run] = a.runs()
  expect(run).toMatchObject({ trigger: { kind: 'mention', id: requestId }, instruction: 'replace teh with the' })
  expect(run?.invokedBy.id).toBe(ben.user.id)
  const done = await ended(a, run!.id)
  expect(done).toMatchObject({ status: 'completed', answer: expect.stringContaining('teh') as string })
  expect(blockTexts(a.fragment)[0]).toBe('the cat')

  // Setting it to `sent` again, or another mention with the same request, starts nothing.
  mention.setAttribute('state', 'draft')
  mention.setAttribute('state', 'sent')
  await b.saved()
  expect((await ana.call<{ runs: unknown[] }>('GET', `/api/documents/${id}/runs`)).body.runs).toHaveLength(1)
  a.close()
  b.close()
})

test('[RUN-4] runs of one person in one document are served one after the other', async () => {
  const { id } = await ana.create({ markdown: 'one teh two recieve three' })
  const peer = await join(server.url, ana.token, id)
  const first = await ana.ask(id, 'replace teh with the')
  const second = await ana.ask(id, 'replace recieve with receive')
  expect(second.run.status).toBe('queued')
  const [one, two] = [await ended(peer, first.run.id), await ended(peer, second.run.id)]
  expect(Date.parse(two.steps[0]!.startedAt)).toBeGreaterThanOrEqual(Date.parse(one.endedAt!))
  expect(blockTexts(peer.fragment)).toEqual(['one the two receive three'])
  peer.close()
})

test('[RUN-5] what people type while the agent edits the same paragraph survives, every character', async () => {
  const half = Array.from({ length: 10 }, () => 'teh').join(' ')
  const { id } = await ana.create({ markdown: `${half} () ${half}` })
  const [a, b] = await Promise.all([join(server.url, ana.token, id), join(server.url, ben.token, id)])
  const text = (b.fragment.get(0) as Y.XmlElement).get(0) as Y.XmlText
  const { run } = await ana.ask(id, 'replace teh with the')
  let typed = ''
  const typing = setInterval(() => {
    const character = String.fromCodePoint(0x41 + (typed.length % 26))
    // Between the parentheses, in the middle of where the agent works.
    text.insert(half.length + 2 + typed.length, character)
    typed += character
  }, 10)
  await ended(a, run.id)
  clearInterval(typing)
  await b.saved()
  await until(() => a.fragment.toString() === b.fragment.toString(), 'both see the same')
  const [now] = blockTexts(a.fragment)
  const fixed = half.replaceAll('teh', 'the')
  expect(now).toBe(`${fixed} (${typed}) ${fixed}`)
  expect(typed.length).toBeGreaterThan(5)
  a.close()
  b.close()
})

test('[RUN-6] a server killed in the middle of a run continues where it was and applies no edit twice', async () => {
  const { id } = await ana.create({ markdown: Array.from({ length: 40 }, (_, n) => `teh ${n}`).join('\n\n') })
  let peer = await join(server.url, ana.token, id)
  const { run } = await ana.ask(id, 'replace teh with the')
  for (const steps of [3, 11, 24]) {
    await until(() => (peer.runs().find((r) => r.id === run.id)?.steps.length ?? 0) >= steps, `${steps} steps`)
    peer.close()
    await server.restart()
    peer = await join(server.url, ana.token, id)
  }
  const done = await ended(peer, run.id)
  expect(done.status).toBe('completed')
  expect(blockTexts(peer.fragment)).toEqual(Array.from({ length: 40 }, (_, n) => `the ${n}`))
  expect(done.steps.every(({ status }) => status === 'ok')).toBe(true)
  expect(new Set(done.steps.map((step) => step.id)).size).toBe(done.steps.length)
  peer.close()
})
