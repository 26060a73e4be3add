import { describe, expect, test } from 'vitest'
import type {
  AssistantMessage,
  ModelEvent,
  ModelProvider,
  ModelRequest,
  ToolDefinition,
  Usage,
} from '../src/contract.ts'

/** The scenarios that the contract runs with every provider. */
export type Scenario = 'text' | 'one-call' | 'two-calls' | 'results' | 'hanging'

/** The expected result of a scenario. `text` may be exact or a pattern. */
export type Expected = { text?: string | RegExp; calls?: { name: string; arguments: object }[]; usage: Usage }

/** A provider prepared for one scenario, with the request and the expected result. */
export type Prepared = { provider: ModelProvider; request: ModelRequest; expected: Expected }

/** Collects the events that a provider streams. */
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
export function requestWith(
  messages: ModelRequest['messages'],
  tools: readonly ToolDefinition[] = testTools,
): ModelRequest {
  return { system: 'You edit a document.', messages, tools }
}

function defineTestTool(name: string, properties: Record<string, { type: string }>): ToolDefinition {
  const schema = () => ({ type: 'object', properties: structuredClone(properties) })
  return { name, description: `${name}.`, inputSchema: { jsonSchema: schema(), openapi: schema() } }
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

/** The contract of every provider, with or without a service. `prepare` is called once for each test. */
export function describeProvider(name: string, prepare: (scenario: Scenario) => Promise<Prepared>): void {
  describe(`${name}: provider contract`, () => {
    test('streams a text answer in pieces and ends with the whole of it', async () => {
      const { provider, request, expected } = await prepare('text')
      const events = await collect(provider, request)
      const { message, usage } = answerOf(events)
      const pieces = events.flatMap((event) => (event.type === 'text' ? [event.text] : []))
      expect(pieces.length).toBeGreaterThan(1)
      expect(pieces.join('')).toBe(message.text)
      expect(message.text).toMatch(expected.text ?? '')
      expect(message).toMatchObject({ toolCalls: [], finish: 'stop', provider: provider.id })
      expect(usage).toEqual(expected.usage)
    })

    test.each(['one-call', 'two-calls'] as const)(
      '%s: announces each call, streams its arguments, and collects them',
      async (scenario) => {
        const { provider, request, expected } = await prepare(scenario)
        const events = await collect(provider, request)
        const { message, usage } = answerOf(events)
        expect(message.finish).toBe('tool_calls')
        expect(message.toolCalls.map((call) => ({ name: call.name, arguments: call.arguments }))).toEqual(
          expected.calls,
        )
        expect(new Set(message.toolCalls.map((call) => call.id)).size).toBe(message.toolCalls.length)
        for (const call of message.toolCalls) {
          const own = events.filter((event) => 'id' in event && event.id === call.id)
          expect(own[0]).toEqual({ type: 'tool-call-started', id: call.id, name: call.name })
          const json = own.flatMap((event) => (event.type === 'tool-call-delta' ? [event.json] : [])).join('')
          expect(JSON.parse(json)).toEqual(call.arguments)
        }
        expect(usage).toEqual(expected.usage)
      },
    )
  })
  describeExchange(name, prepare)
}

function describeExchange(name: string, prepare: (scenario: Scenario) => Promise<Prepared>): void {
  describe(`${name}: provider contract, over several calls`, () => {
    test('receives tool results and continues from them', async () => {
      const { provider, request, expected } = await prepare('results')
      const { message } = answerOf(await collect(provider, request))
      // The store keeps answers as JSON: the round trip must not lose anything.
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
      expect(second.message.text).toMatch(expected.text ?? '')
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
