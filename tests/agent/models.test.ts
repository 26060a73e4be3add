import type { Run } from '@copydesk/protocol'
import { createModelServer, type ModelScript, type ModelServer, type WireName } from '@copydesk/agent/testing'
import { expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { blockTexts, ended, join, signIn } from '../support/client.ts'

const wires: readonly WireName[] = ['anthropic', 'openai', 'gemini']

type Scenario = { server: Copydesk; model: ModelServer }

/** A server whose agent is a played model that speaks a real wire format. */
async function withModel(
  provider: WireName,
  script: ModelScript,
  play: (scenario: Scenario) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const model = await createModelServer({ provider, script })
  const server = await startCopydesk({ ...model.environment, ...env })
  try {
    await play({ server, model })
  } finally {
    await server.dispose()
    await model.close()
  }
}

const edit = (find: string, replace: string) => ({ toolCall: { name: 'edit_document', arguments: { find, replace } } })

test.each(wires)('[RUN-7] %s: reads, edits in parallel calls, and answers in the chat', async (provider) => {
  const script: ModelScript = ({ index, results }) => {
    if (index === 0)
      return { chunks: [{ text: 'Let me look.' }, { toolCall: { name: 'read_document', arguments: {} } }] }
    if (index === 1) return { chunks: [edit('teh cat', 'the cat'), edit('recieve', 'receive')] }
    return { chunks: [{ text: `Done: ${results.length} results.` }] }
  }
  await withModel(provider, script, async ({ server, model }) => {
    const ana = await signIn(server.url, 'Ana')
    const { id } = await ana.create({ markdown: '# Cats\n\nteh cat may recieve food' })
    const peer = await join(server.url, ana.token, id)
    const { run } = await ana.ask(id, 'fix the typos')
    const done = await ended(peer, run.id)
    expect(done).toMatchObject({ status: 'completed', rounds: 3 })
    expect(done.steps.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
      'read_document ok',
      'edit_document ok',
      'edit_document ok',
    ])
    expect(done.usage.inputTokens).toBe(300)
    expect(blockTexts(peer.fragment)).toEqual(['Cats', 'the cat may receive food'])
    await until(() => peer.messages().at(-1)?.status === 'complete', 'the answer is complete')
    expect(peer.messages().at(-1)?.text).toMatch(/^Let me look\.\n\nDone: /)
    expect(model.requests[0]?.system).toContain('Ana')
    expect(model.requests[1]?.results[0]).toContain('teh cat may recieve food')

    const second = await ana.ask(id, 'what did I ask before?')
    await ended(peer, second.run.id)
    const asked = model.requests
      .at(-1)
      ?.messages.map((message) => JSON.stringify(message))
      .join('\n')
    expect(asked).toContain('fix the typos')
    peer.close()
  })
})

test.each(wires)('[RUN-8] %s: Stop ends a run within a second and keeps what was said', async (provider) => {
  const script: ModelScript = () => ({ chunks: [{ text: 'I was about to say' }, { stall: true }] })
  await withModel(provider, script, async ({ server }) => {
    const ana = await signIn(server.url, 'Ana')
    const { id } = await ana.create({ markdown: 'text' })
    const peer = await join(server.url, ana.token, id)
    const { run } = await ana.ask(id, 'talk')
    await until(() => peer.messages().at(-1)?.text === 'I was about to say', 'the beginning of the answer shows')
    expect(peer.messages().at(-1)?.status).toBe('streaming')
    // The model itself never ends.
    const stopped = await ana.call<Run>('POST', `/api/documents/${id}/runs/${run.id}/stop`)
    expect(stopped.body).toMatchObject({ id: run.id, status: 'stopped', answer: 'I was about to say' })
    const done = await ended(peer, run.id)
    expect(done).toMatchObject({ status: 'stopped', answer: 'I was about to say' })
    await until(() => peer.messages().at(-1)?.status === 'complete', 'what was said stays')
    peer.close()
  })
})

test('[RUN-9] a run that reaches its rounds says so and ends as limit_reached', async () => {
  const script: ModelScript = ({ tools, index }) =>
    tools.length === 0
      ? 'I looked twice; the rest is left.'
      : { chunks: [{ toolCall: { name: 'search_document', arguments: { query: `word ${index}` } } }] }
  await withModel(
    'openai',
    script,
    async ({ server }) => {
      const ana = await signIn(server.url, 'Ana')
      const { id } = await ana.create({ markdown: 'text' })
      const peer = await join(server.url, ana.token, id)
      const { run } = await ana.ask(id, 'look for everything')
      const done = await ended(peer, run.id)
      expect(done).toMatchObject({
        status: 'limit_reached',
        rounds: 2,
        maxRounds: 2,
        answer: 'I looked twice; the rest is left.',
      })
      peer.close()
    },
    { AGENT_MAX_ROUNDS: '2' },
  )
})

test('[RUN-10] a model that refuses tools answers in words, and the run says that it can not edit', async () => {
  const script: ModelScript = ({ tools }) =>
    tools.length > 0
      ? { error: { status: 400, message: 'registry.local/library/tiny does not support tools' } }
      : 'I can only talk.'
  await withModel('openai', script, async ({ server }) => {
    const ana = await signIn(server.url, 'Ana')
    const { id } = await ana.create({ markdown: 'text' })
    const peer = await join(server.url, ana.token, id)
    const { run } = await ana.ask(id, 'hello')
    const done = await ended(peer, run.id)
    expect(done).toMatchObject({ status: 'completed', answer: 'I can only talk.' })
    expect(done.notice).toContain("can't use tools")
    peer.close()
  })
})

test('[RUN-11] a wrong key fails the run with the reason and without a second try', async () => {
  const script: ModelScript = () => ({
    error: { status: 401, message: 'invalid x-api-key', kind: 'authentication_error' },
  })
  await withModel('anthropic', script, async ({ server, model }) => {
    const ana = await signIn(server.url, 'Ana')
    const { id } = await ana.create({ markdown: 'text' })
    const peer = await join(server.url, ana.token, id)
    const { run } = await ana.ask(id, 'hello')
    const done = await ended(peer, run.id)
    expect(done).toMatchObject({ status: 'failed', error: { code: 'unauthorized' } })
    expect(model.requests).toHaveLength(1)
    expect(server.output()).not.toContain('played')
    peer.close()
  })
})

test('[RUN-12] a run that takes too long, or a person who has used up the day, gets a reason', async () => {
  const stalls: ModelScript = () => ({ chunks: [{ stall: true }] })
  await withModel(
    'openai',
    stalls,
    async ({ server }) => {
      const ana = await signIn(server.url, 'Ana')
      const { id } = await ana.create({ markdown: 'text' })
      const peer = await join(server.url, ana.token, id)
      const { run } = await ana.ask(id, 'hello')
      expect(await ended(peer, run.id)).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
      peer.close()
    },
    { AGENT_RUN_TIMEOUT_MS: '400' },
  )
  await withModel(
    'openai',
    () => 'Hello.',
    async ({ server }) => {
      const ana = await signIn(server.url, 'Ana')
      const { id } = await ana.create({ markdown: 'text' })
      const peer = await join(server.url, ana.token, id)
      const first = await ana.ask(id, 'hello')
      expect(await ended(peer, first.run.id)).toMatchObject({ status: 'completed' })
      const second = await ana.ask(id, 'hello again')
      expect(await ended(peer, second.run.id)).toMatchObject({ status: 'failed', error: { code: 'budget_exceeded' } })
      peer.close()
    },
    { AGENT_DAILY_TOKEN_LIMIT: '100' },
  )
})

test("[RUN-13] a run's answer survives a kill between two model calls, and no call is made twice", async () => {
  const calls: string[] = []
  const script: ModelScript = ({ results, index }) => {
    calls.push(`${index}: ${results.length}`)
    if (results.length === 0) return { chunks: [{ text: 'First.' }, edit('one', 'two')] }
    if (results.length === 1 && index < 2) return { chunks: [{ stall: true }] }
    return 'Second.'
  }
  await withModel('anthropic', script, async ({ server, model }) => {
    const ana = await signIn(server.url, 'Ana')
    const { id } = await ana.create({ markdown: 'one' })
    let peer = await join(server.url, ana.token, id)
    const { run } = await ana.ask(id, 'count')
    await until(() => model.requests.length === 2, 'the second call is under way')
    peer.close()
    await server.restart()
    peer = await join(server.url, ana.token, id)
    const done = await ended(peer, run.id)
    expect(done).toMatchObject({ status: 'completed', answer: 'Second.', rounds: 2 })
    expect(calls).toEqual(['0: 0', '1: 1', '2: 1'])
    expect(blockTexts(peer.fragment)).toEqual(['two'])
    await until(() => peer.messages().at(-1)?.status === 'complete', 'the answer is complete')
    expect(peer.messages().at(-1)?.text).toBe('First.\n\nSecond.')
    peer.close()
  })
})
