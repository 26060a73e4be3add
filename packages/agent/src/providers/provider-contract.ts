import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFixtureServer, readFixture } from '../../testing/fixture-server.ts'
import type { FixtureServer, Recorded } from '../../testing/fixture-server.ts'
import type { AssistantMessage, ModelEvent, ModelProvider, ModelRequest, ToolDefinition, Usage } from '../contract.ts'
import type { ProviderSettings } from './settings.ts'

/** What the contract plays to every provider. */
export type Scenario = 'text' | 'one-call' | 'two-calls' | 'results' | 'hanging'

/** What a scenario must lead to. `text` may be exact or a pattern. */
export type Expected = { text?: string | RegExp; calls?: { name: string; arguments: object }[]; usage: Usage }

/** A provider made ready for one scenario, with what to ask it and what must come. */
export type Prepared = { provider: ModelProvider; request: ModelRequest; expected: Expected }

/** Collects what a provider streams. */
export async function collect(
  provider: ModelProvider,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of provider.stream(request, { signal })) events.push(event)
  return events
}

/** The complete answer at the end of a stream; anything else fails the test. */
export function answerOf(events: readonly ModelEvent[]): { message: AssistantMessage; usage: Usage } {
  const last = events.at(-1)
  if (last?.type !== 'done') throw new Error(`no answer, but ${JSON.stringify(last)}`)
  return last
}

/** The failure at the end of a stream; anything else fails the test. */
export function failureOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: 'failed' }> {
  const last = events.at(-1)
  if (last?.type !== 'failed') throw new Error(`no failure, but ${JSON.stringify(last)}`)
  return last
}

/** A request with the tools that the scenarios use. */
export function requestWith(messages: ModelRequest['messages'], tools: readonly ToolDefinition[] = testTools): ModelRequest {
  return { system: 'You edit a document.', messages, tools }
}

function defineTestTool(name: string, properties: Record<string, { type: string }>): ToolDefinition {
  const schema = () => ({ type: 'object', properties: structuredClone(properties) })
  return { name, description: `${name}.`, inputSchema: { anthropic: schema(), openai: schema(), gemini: schema() } }
}

const testTools: readonly ToolDefinition[] = [
  defineTestTool('search_document', { query: { type: 'string' }, matchCase: { type: 'boolean' } }),
  defineTestTool('edit_document', {
    find: { type: 'string' },
    replace: { type: 'string' },
    occurrence: { type: 'integer' },
  }),
  defineTestTool('read_document', { from: { type: 'integer' } }),
  defineTestTool('get_document_info', {}),
  defineTestTool('insert_text', { content: { type: 'string' } }),
]

/** What every provider promises, whether a service stands behind it or not. `prepare` is called once for each test. */
export function describeProvider(name: string, prepare: (scenario: Scenario) => Promise<Prepared>): void {
  describe(`${name}: provider contract`, () => {
    test('streams a text answer in pieces and ends with the whole of it', async () => {
      const { provider, request, expected } = await prepare('text')
      const events = await collect(provider, request)
      const { message, usage } = answerOf(events)
      const pieces = events.flatMap((event) => (event.type === 'text' ? [event.text] : []))
      expect(pieces.length).toBeGreaterThan(1)
      expect(pieces.join('')).toBe(message.text)
      if (expected.text !== undefined) expect(message.text).toMatch(expected.text)
      expect(message).toMatchObject({ toolCalls: [], finish: 'stop', provider: provider.id })
      expect(usage).toEqual(expected.usage)
    })

    test.each(['one-call', 'two-calls'] as const)('%s: announces each call, streams its arguments, and collects them', async (scenario) => {
      const { provider, request, expected } = await prepare(scenario)
      const events = await collect(provider, request)
      const { message, usage } = answerOf(events)
      expect(message.finish).toBe('tool_calls')
      expect(message.toolCalls.map((call) => ({ name: call.name, arguments: call.arguments }))).toEqual(expected.calls)
      expect(new Set(message.toolCalls.map((call) => call.id)).size).toBe(message.toolCalls.length)
      for (const call of message.toolCalls) {
        const own = events.filter((event) => 'id' in event && event.id === call.id)
        expect(own[0]).toEqual({ type: 'tool-call-started', id: call.id, name: call.name })
        const json = own.flatMap((event) => (event.type === 'tool-call-delta' ? [event.json] : [])).join('')
        expect(JSON.parse(json)).toEqual(call.arguments)
      }
      expect(usage).toEqual(expected.usage)
    })

    test('takes tool results back and goes on from them', async () => {
      const { provider, request, expected } = await prepare('results')
      const { message } = answerOf(await collect(provider, request))
      // The store keeps answers as JSON: nothing may get lost on the way.
      const stored: AssistantMessage = JSON.parse(JSON.stringify(message))
      const results = stored.toolCalls.map((call, index) => ({
        role: 'tool' as const,
        callId: call.id,
        name: call.name,
        text: index === 0 ? 'changed: teh → the' : 'ambiguous: several places',
        isError: index !== 0,
      }))
      const next = { ...request, messages: [...request.messages, stored, ...results] }
      const second = answerOf(await collect(provider, next))
      expect(second.message.toolCalls).toEqual([])
      if (expected.text !== undefined) expect(second.message.text).toMatch(expected.text)
    })

    test('ends at once, as a value, when it is aborted in mid-stream', async () => {
      const { provider, request } = await prepare('hanging')
      const controller = new AbortController()
      const events: ModelEvent[] = []
      for await (const event of provider.stream(request, { signal: controller.signal })) {
        events.push(event)
        if (event.type === 'text') controller.abort()
      }
      expect(failureOf(events).failure).toMatchObject({ code: 'aborted', retryable: false })
    })

    test('does nothing when it is aborted before it begins', async () => {
      const { provider, request } = await prepare('text')
      const events = await collect(provider, request, AbortSignal.abort())
      expect(failureOf(events).failure.code).toBe('aborted')
    })
  })
}

/** What a suite needs to know of a provider with a service: how to make it, and at which address. */
export type NetworkSuite = {
  name: 'anthropic' | 'openai' | 'gemini'
  create(settings: Pick<ProviderSettings, 'idleTimeoutMs'>, origin: string): ModelProvider
  overloadedStatus: number
  keyStatus: number
}

const userMessage = { role: 'user' as const, text: 'Fix teh.' }
const searchCall = { name: 'search_document', arguments: { query: 'teh', matchCase: true } }
const editCalls = [2, 1].map((occurrence) => ({
  name: 'edit_document',
  arguments: { find: 'teh', replace: 'the', occurrence },
}))

/** The contract for a provider with a service behind it: recorded answers, whole and in streams, and everything that goes wrong. */
export function describeNetworkProvider(suite: NetworkSuite): void {
  let server: FixtureServer
  beforeEach(async () => {
    server = await createFixtureServer()
  })
  afterEach(() => server.close())

  const fixture = (file: string, more: Partial<Recorded> = {}): Recorded => {
    const recorded = readFixture(`${suite.name}/${file}`)
    return { ...recorded, ...more, headers: { ...recorded.headers, ...more.headers } }
  }
  const provider = (idleTimeoutMs = 5_000): ModelProvider => suite.create({ idleTimeoutMs }, server.origin)

  const expectations: Record<Scenario, Expected> = {
    text: { text: 'Two words: hello wörld.', usage: { inputTokens: 25, outputTokens: 7 } },
    'one-call': { calls: [searchCall], usage: { inputTokens: 40, outputTokens: 18 } },
    'two-calls': { calls: editCalls, usage: { inputTokens: 60, outputTokens: 44 } },
    results: { text: 'Two words: hello wörld.', usage: { inputTokens: 25, outputTokens: 7 } },
    hanging: { usage: { inputTokens: 0, outputTokens: 0 } },
  }
  describeProvider(suite.name, async (scenario) => {
    if (scenario === 'results') server.play(fixture('two-calls.sse'), fixture('text.sse'))
    else if (scenario === 'hanging') server.play(fixture('stalled.sse', { then: 'stall' }))
    else server.play(fixture(`${scenario}.sse`))
    return { provider: provider(), request: requestWith([userMessage]), expected: expectations[scenario] }
  })

  describe(`${suite.name}: whole answers to a request for a stream`, () => {
    test.each(['text', 'two-calls'] as const)('%s', async (scenario) => {
      server.play(fixture(`${scenario}.json`))
      const { message, usage } = answerOf(await collect(provider(), requestWith([userMessage])))
      const expected = expectations[scenario]
      expect(message.text).toBe(expected.text ?? '')
      expect(message.toolCalls.map((call) => ({ name: call.name, arguments: call.arguments }))).toEqual(expected.calls ?? [])
      expect(usage).toEqual(expected.usage)
    })
  })

  describe(`${suite.name}: what goes wrong becomes a value`, () => {
    const failWith = async (recorded: Recorded, idleTimeoutMs?: number) => {
      server.play(recorded)
      return failureOf(await collect(provider(idleTimeoutMs), requestWith([userMessage])))
    }

    test('429 with retry-after, asked once only', async () => {
      const { failure } = await failWith(fixture('error-429.json', { status: 429, headers: { 'retry-after': '7' } }))
      expect(failure).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 7_000 })
      expect(server.requests).toHaveLength(1)
    })

    test('500 and overloaded', async () => {
      const broken = await failWith(fixture('error-500.json', { status: 500 }))
      expect(broken.failure).toMatchObject({ code: 'overloaded', retryable: true })
      const busy = await failWith(fixture('error-overloaded.json', { status: suite.overloadedStatus }))
      expect(busy.failure).toMatchObject({ code: 'overloaded', retryable: true })
      expect(busy.failure.message).toMatch(/overloaded/i)
      expect(server.requests).toHaveLength(2)
    })

    test('overloaded in mid-stream', async () => {
      const { failure, usage } = await failWith(fixture('overloaded-mid-stream.sse'))
      expect(failure).toMatchObject({ code: 'overloaded', retryable: true })
      if (suite.name !== 'openai') expect(usage.inputTokens).toBe(40)
    })

    test('a stalled stream', async () => {
      const { failure } = await failWith(fixture('stalled.sse', { then: 'stall' }), 40)
      expect(failure).toMatchObject({ code: 'stalled', retryable: true })
    })

    test('a service that never answers', async () => {
      server.play({ body: '', then: 'stall' })
      const events = await collect(provider(40), requestWith([userMessage]))
      expect(failureOf(events).failure.code).toBe('stalled')
    })

    test('a stream that ends without a finish reason', async () => {
      const { failure } = await failWith(fixture('premature.sse'))
      expect(failure).toMatchObject({ code: 'invalid_response', retryable: true })
    })

    test('a connection that is torn', async () => {
      const { failure } = await failWith(fixture('premature.sse', { then: 'tear' }))
      expect(failure.retryable).toBe(true)
      expect(['network', 'invalid_response']).toContain(failure.code)
    })

    test('nobody there', async () => {
      const origin = server.origin
      await server.close()
      const events = await collect(suite.create({}, origin), requestWith([userMessage]))
      expect(failureOf(events).failure).toMatchObject({ code: 'network', retryable: true })
    })

    test('a broken chunk', async () => {
      const { failure } = await failWith(fixture('broken.sse'))
      expect(failure).toMatchObject({ code: 'invalid_response', retryable: true })
    })

    test('an invalid key', async () => {
      const { failure } = await failWith(fixture('error-key.json', { status: suite.keyStatus }))
      expect(failure).toMatchObject({ code: 'unauthorized', retryable: false })
    })

    test('an unknown model, with the variable that sets another', async () => {
      const { failure } = await failWith(fixture('error-model.json', { status: 404 }))
      expect(failure).toMatchObject({ code: 'invalid_request', retryable: false })
      expect(failure.message).toContain('AGENT_MODEL')
    })

    test('tools refused, and only if they were offered', async () => {
      const { failure } = await failWith(fixture('error-tools.json', { status: 400 }))
      expect(failure).toMatchObject({ code: 'tools_unsupported', retryable: false })
      server.play(fixture('error-tools.json', { status: 400 }))
      const without = failureOf(await collect(provider(), requestWith([userMessage], [])))
      expect(without.failure.code).toBe('invalid_request')
    })
  })

  describe(`${suite.name}: what is sent`, () => {
    test('the schemas of the tools stay as they were', async () => {
      server.play(fixture('text.sse'))
      const request = requestWith([userMessage])
      const before = JSON.stringify(request)
      await collect(provider(), request)
      expect(JSON.stringify(request)).toBe(before)
    })

    test('nothing about sampling', async () => {
      server.play(fixture('text.sse'))
      await collect(provider(), requestWith([userMessage]))
      expect(JSON.stringify(server.requests[0]?.body)).not.toMatch(/temperature|top_?p|top_?k/i)
    })

    test('calls and their results, in order', async () => {
      server.play(fixture('two-calls.sse'), fixture('text.sse'))
      const first = answerOf(await collect(provider(), requestWith([userMessage])))
      const results = first.message.toolCalls.map((call, index) => {
        return { role: 'tool' as const, callId: call.id, name: call.name, text: `result ${index}`, isError: false }
      })
      await collect(provider(), requestWith([userMessage, first.message, ...results]))
      const sent = JSON.stringify(server.requests[1]?.body)
      expect(sent.indexOf('result 0')).toBeGreaterThan(sent.indexOf('edit_document'))
      expect(sent.indexOf('result 1')).toBeGreaterThan(sent.indexOf('result 0'))
    })
  })
}
