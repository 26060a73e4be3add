import { afterEach, describe, expect, test } from 'vitest'
import { createProvider } from './index.ts'
import { runAgent } from '../loop/run-agent.ts'
import type { AgentOutcome, AgentRunOptions } from '../contract.ts'
import { createMemorySink } from '../../testing/memory-sink.ts'
import type { SinkEntry } from '../../testing/memory-sink.ts'
import { createMemoryToolbox } from '../../testing/memory-toolbox.ts'
import type { MemoryToolbox } from '../../testing/memory-toolbox.ts'
import { createModelServer } from '../../testing/model-server.ts'
import type { ModelScript, ModelServer, WireName } from '../../testing/model-server.ts'

let server: ModelServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

type Played = { outcome: AgentOutcome; log: SinkEntry[]; toolbox: MemoryToolbox; server: ModelServer }

async function play(
  provider: WireName,
  script: ModelScript,
  more: Partial<Pick<AgentRunOptions, 'signal' | 'window' | 'maxRounds'>> & {
    observe?: (entry: SinkEntry) => void
    idleTimeoutMs?: number
    blocks?: string[]
  } = {},
): Promise<Played> {
  server = await createModelServer({ provider, script })
  const address = { apiKey: 'played', baseURL: server.baseURL }
  const toolbox = createMemoryToolbox(more.blocks ?? ['teh cat', 'teh dog'])
  const sink = createMemorySink(more.observe)
  const { idleTimeoutMs, window, maxRounds = 8 } = more
  const service = createProvider({ provider, idleTimeoutMs, services: { [provider]: address } })
  if (!service) throw new Error(`there is no provider ${provider}`)
  const outcome = await runAgent({
    provider: service,
    toolbox,
    system: 'You edit.',
    transcript: [{ role: 'user', text: 'Fix teh.' }],
    maxRounds,
    ...(window ? { window } : {}),
    tokenLimit: 100_000,
    signal: more.signal ?? new AbortController().signal,
    sink,
    wait: async () => undefined,
    random: () => 0,
  })
  return { outcome, log: sink.log, toolbox, server }
}

const fixTeh: ModelScript = ({ results }) => {
  if (results.length === 0)
    return { chunks: [{ text: 'Looking. ' }, { toolCall: { name: 'search_document', arguments: { query: 'teh' } } }] }
  if (results.length > 1) return '- teh → the (2×)'
  const edit = (occurrence: number) => ({
    toolCall: { name: 'edit_document', arguments: { find: 'teh', replace: 'the', occurrence } },
  })
  return { chunks: [edit(2), edit(1)], usage: { inputTokens: 7, outputTokens: 3 } }
}

describe.each(['anthropic', 'openai', 'gemini'] as const)('a played %s', (provider) => {
  test('[LONG-2] a long run over the real wire: shortened, summarised, never too large, each call with its result', async () => {
    const script: ModelScript = ({ index, lastUser, tools }) => {
      if (lastUser.includes('Write a summary for yourself')) return `Read up to ${index}.`
      if (index >= 40 || tools.length === 0) return 'All read.'
      return { chunks: [{ toolCall: { name: 'read_document', arguments: { at: index }, id: 'call_0' } }] }
    }
    const window = { tokens: 12_000, asked: 1 }
    const played = await play(provider, script, { window, maxRounds: 50, blocks: ['word '.repeat(900)] })
    expect(played.outcome).toMatchObject({ status: 'completed', answer: 'All read.' })
    const summaries = played.log.filter(({ kind }) => kind === 'summary')
    expect(summaries.length).toBeGreaterThan(1)
    expect(played.outcome.usage.inputTokens).toBe(played.server.requests.length * 100)
    for (const { body, messages } of played.server.requests) {
      expect(JSON.stringify(body).length / 3).toBeLessThan(window.tokens)
      const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []))
      expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(calls.length)
    }
    const made = played.log.flatMap((entry) => (entry.kind === 'finished' ? [entry.call.id] : []))
    expect(new Set(made).size).toBe(made.length)
  })

  test('a whole run over the real wire: streams, calls, results, usage', async () => {
    const played = await play(provider, fixTeh)
    expect(played.outcome).toEqual({
      status: 'completed',
      answer: '- teh → the (2×)',
      rounds: 3,
      usage: { inputTokens: 207, outputTokens: 43 },
    })
    expect(played.toolbox.blocks).toEqual(['the cat', 'the dog'])
    const [first, , third] = played.server.requests
    expect(first).toMatchObject({ index: 0, system: 'You edit.', lastUser: 'Fix teh.', stream: true })
    expect(first?.tools).toContain('edit_document')
    expect(third?.results).toHaveLength(3)
    expect(third?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', text: 'Looking. ', toolCalls: [{ name: 'search_document' }] },
      { role: 'tool' },
      { role: 'assistant', toolCalls: [{ arguments: { occurrence: 2 } }, { arguments: { occurrence: 1 } }] },
      { role: 'tool' },
      { role: 'tool' },
    ])
  })

  test('errors, torn connections and silence are tried again', async () => {
    const played = await play(provider, ({ index }) => {
      if (index === 0) return { error: { status: 503, message: 'busy', headers: { 'retry-after': '2' } } }
      if (index === 1) return { chunks: [{ text: 'Half an answer' }, { tear: true }] }
      return 'Whole.'
    })
    expect(played.outcome).toMatchObject({ status: 'completed', answer: 'Whole.', rounds: 1 })
    const events = played.log.flatMap((entry) => (entry.kind === 'event' ? [entry.event] : []))
    expect(events).toContainEqual(expect.objectContaining({ type: 'retrying', attempt: 2, delayMs: 2_000 }))
    expect(events.map((event) => event.type)).toContain('text-discarded')
  })

  test('silence in mid-stream is noticed', async () => {
    const script: ModelScript = ({ index }) => (index === 0 ? { chunks: [{ text: 'Hm' }, { stall: true }] } : 'Back.')
    const played = await play(provider, script, { idleTimeoutMs: 400 })
    expect(played.outcome).toMatchObject({ status: 'completed', answer: 'Back.' })
  })

  test('a run can be stopped while the model speaks', async () => {
    const controller = new AbortController()
    const never = new Promise(() => undefined)
    const played = await play(provider, () => ({ chunks: [{ text: 'I was' }, { until: never }] }), {
      signal: controller.signal,
      observe: (entry) => {
        if (entry.kind === 'event' && entry.event.type === 'text') controller.abort()
      },
    })
    expect(played.outcome).toMatchObject({ status: 'stopped', answer: 'I was' })
  })

  test('a script that fails is an error of the request', async () => {
    const played = await play(provider, () => {
      throw new Error('oops')
    })
    expect(played.outcome).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_request', message: expect.stringContaining('oops') },
    })
  })
})
