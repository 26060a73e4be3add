import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFixtureServer, readFixture } from './fixture-server.ts'
import type { FixtureServer, Recorded } from './fixture-server.ts'
import type { ModelEvent, ModelProvider, ToolCall } from '../src/contract.ts'
import { answerOf, collect, describeProvider, failureOf, requestWith } from './provider-contract.ts'
import type { Expected, Scenario } from './provider-contract.ts'
import type { ProviderSettings } from '../src/providers/service.ts'

/** The parameters of the suite for a provider with a service: how to create it, and for which address. */
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

const expectations: Record<Scenario, Expected> = {
  text: { text: 'Two words: hello wörld.', usage: { inputTokens: 25, outputTokens: 7 } },
  'one-call': { calls: [searchCall], usage: { inputTokens: 40, outputTokens: 18 } },
  'two-calls': { calls: editCalls, usage: { inputTokens: 60, outputTokens: 44 } },
  results: { text: 'Two words: hello wörld.', usage: { inputTokens: 25, outputTokens: 7 } },
  hanging: { usage: { inputTokens: 0, outputTokens: 0 } },
}

/**
 * The state shared by the parts of the suite: the recorded answers, and the provider for the server that plays them.
 */
type SuiteContext = {
  suite: NetworkSuite
  server(): FixtureServer
  fixture(file: string, more?: Partial<Recorded>): Recorded
  provider(idleTimeoutMs?: number): ModelProvider
  failWith(recorded: Recorded, idleTimeoutMs?: number): Promise<Extract<ModelEvent, { type: 'failed' }>>
}

/** The contract for a provider with a service behind it: recorded answers, whole and in streams, and all failures. */
export function describeNetworkProvider(suite: NetworkSuite): void {
  const context = createSuiteContext(suite)
  const { fixture } = context
  describeProvider(suite.name, async (scenario) => {
    const server = context.server()
    if (scenario === 'results') server.play(fixture('two-calls.sse'), fixture('text.sse'))
    else if (scenario === 'hanging') server.play(fixture('stalled.sse', { ending: 'stall' }))
    else server.play(fixture(`${scenario}.sse`))
    return { provider: context.provider(), request: requestWith([userMessage]), expected: expectations[scenario] }
  })
  describeWholeAnswers(context)
  describeRefusals(context)
  describeBrokenStreams(context)
  describeSending(context)
}

function createSuiteContext(suite: NetworkSuite): SuiteContext {
  let server: FixtureServer
  beforeEach(async () => {
    server = await createFixtureServer()
  })
  afterEach(() => server.close())
  const provider = (idleTimeoutMs = 5_000): ModelProvider => suite.create({ idleTimeoutMs }, server.origin)
  return {
    suite,
    server: () => server,
    fixture(file, more = {}) {
      const recorded = readFixture(`${suite.name}/${file}`)
      return { ...recorded, ...more, headers: { ...recorded.headers, ...more.headers } }
    },
    provider,
    async failWith(recorded, idleTimeoutMs) {
      server.play(recorded)
      return failureOf(await collect(provider(idleTimeoutMs), requestWith([userMessage])))
    },
  }
}

function describeWholeAnswers(context: SuiteContext): void {
  describe(`${context.suite.name}: whole answers to a request for a stream`, () => {
    test.each(['text', 'two-calls'] as const)('%s', async (scenario) => {
      context.server().play(context.fixture(`${scenario}.json`))
      const { message, usage } = answerOf(await collect(context.provider(), requestWith([userMessage])))
      const expected = expectations[scenario]
      expect(message.text).toBe(expected.text ?? '')
      expect(message.toolCalls.map((call) => ({ name: call.name, arguments: call.arguments }))).toEqual(
        expected.calls ?? [],
      )
      expect(usage).toEqual(expected.usage)
    })
  })
}

function describeRefusals(context: SuiteContext): void {
  describe(`${context.suite.name}: what goes wrong before an answer becomes a value`, () => {
    test('429 with retry-after, asked once only', async () => {
      const { failure } = await context.failWith(
        context.fixture('error-429.json', { status: 429, headers: { 'retry-after': '7' } }),
      )
      expect(failure).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 7_000 })
      expect(context.server().requests).toHaveLength(1)
    })

    test('500 and overloaded', async () => {
      const broken = await context.failWith(context.fixture('error-500.json', { status: 500 }))
      expect(broken.failure).toMatchObject({ code: 'overloaded', retryable: true })
      const busy = await context.failWith(
        context.fixture('error-overloaded.json', { status: context.suite.overloadedStatus }),
      )
      expect(busy.failure).toMatchObject({ code: 'overloaded', retryable: true })
      expect(busy.failure.message).toMatch(/overloaded/i)
      expect(context.server().requests).toHaveLength(2)
    })

    test('nobody there', async () => {
      const origin = context.server().origin
      await context.server().close()
      const events = await collect(context.suite.create({}, origin), requestWith([userMessage]))
      expect(failureOf(events).failure).toMatchObject({ code: 'network', retryable: true })
    })

    test('a broken chunk', async () => {
      const { failure } = await context.failWith(context.fixture('broken.sse'))
      expect(failure).toMatchObject({ code: 'invalid_response', retryable: true })
    })

    test('an invalid key', async () => {
      const { failure } = await context.failWith(context.fixture('error-key.json', { status: context.suite.keyStatus }))
      expect(failure).toMatchObject({ code: 'unauthorized', retryable: false })
    })

    test('an unknown model, by its status', async () => {
      const { failure } = await context.failWith(context.fixture('error-model.json', { status: 404 }))
      expect(failure).toMatchObject({ code: 'invalid_request', retryable: false })
    })

    test('tools refused, and only if they were offered', async () => {
      const { failure } = await context.failWith(context.fixture('error-tools.json', { status: 400 }))
      expect(failure).toMatchObject({ code: 'tools_unsupported', retryable: false })
      context.server().play(context.fixture('error-tools.json', { status: 400 }))
      const without = failureOf(await collect(context.provider(), requestWith([userMessage], [])))
      expect(without.failure.code).toBe('invalid_request')
    })
  })
}

function describeBrokenStreams(context: SuiteContext): void {
  describe(`${context.suite.name}: what goes wrong in a stream becomes a value`, () => {
    test('overloaded in mid-stream', async () => {
      const { failure, usage } = await context.failWith(context.fixture('overloaded-mid-stream.sse'))
      expect(failure).toMatchObject({ code: 'overloaded', retryable: true })
      // Chat Completions reports the usage of a call only at its end.
      expect(usage.inputTokens).toBe(context.suite.name === 'openai' ? 0 : 40)
    })

    test('a stalled stream', async () => {
      const { failure } = await context.failWith(context.fixture('stalled.sse', { ending: 'stall' }), 40)
      expect(failure).toMatchObject({ code: 'stalled', retryable: true })
    })

    test('a service that never answers', async () => {
      context.server().play({ body: '', ending: 'stall' })
      const events = await collect(context.provider(40), requestWith([userMessage]))
      expect(failureOf(events).failure.code).toBe('stalled')
    })

    test('a stream that ends without a finish reason', async () => {
      const { failure } = await context.failWith(context.fixture('premature.sse'))
      expect(failure).toMatchObject({ code: 'invalid_response', retryable: true })
    })

    test('a connection that is torn', async () => {
      const { failure } = await context.failWith(context.fixture('premature.sse', { ending: 'tear' }))
      expect(failure.retryable).toBe(true)
      expect(['network', 'invalid_response']).toContain(failure.code)
    })
  })
}

function describeSending(context: SuiteContext): void {
  describe(`${context.suite.name}: what is sent`, () => {
    test('the schemas of the tools stay as they were', async () => {
      context.server().play(context.fixture('text.sse'))
      const request = requestWith([userMessage])
      const before = JSON.stringify(request)
      await collect(context.provider(), request)
      expect(JSON.stringify(request)).toBe(before)
    })

    test('nothing about sampling', async () => {
      context.server().play(context.fixture('text.sse'))
      await collect(context.provider(), requestWith([userMessage]))
      expect(JSON.stringify(context.server().requests[0]?.body)).not.toMatch(/temperature|top_?p|top_?k/i)
    })

    test('a conversation that begins with an answer', async () => {
      context.server().play(context.fixture('text.sse'))
      const toolCalls: ToolCall[] = []
      const earlier = {
        role: 'assistant' as const,
        text: 'Earlier.',
        toolCalls,
        finish: 'stop' as const,
        provider: 'x',
      }
      answerOf(await collect(context.provider(), requestWith([earlier, userMessage])))
      const sent = JSON.stringify(context.server().requests[0]?.body)
      // Chat Completions allows an answer first; for the others a user message precedes it.
      const before = context.suite.name === 'openai' ? '"system"' : '"user"'
      expect(sent.indexOf('Earlier.')).toBeGreaterThan(sent.indexOf(before))
      expect(sent).toContain(before)
    })

    test('calls and their results, in order', async () => {
      context.server().play(context.fixture('two-calls.sse'), context.fixture('text.sse'))
      const first = answerOf(await collect(context.provider(), requestWith([userMessage])))
      const results = first.message.toolCalls.map((call, index) => {
        return { role: 'tool' as const, callId: call.id, name: call.name, text: `result ${index}`, isError: false }
      })
      await collect(context.provider(), requestWith([userMessage, first.message, ...results]))
      const sent = JSON.stringify(context.server().requests[1]?.body)
      expect(sent.indexOf('result 0')).toBeGreaterThan(sent.indexOf('edit_document'))
      expect(sent.indexOf('result 1')).toBeGreaterThan(sent.indexOf('result 0'))
    })
  })
}
