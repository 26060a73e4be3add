import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFixtureServer, readFixture } from '../../testing/fixture-server.ts'
import type { FixtureServer } from '../../testing/fixture-server.ts'
import { gemini } from './gemini.ts'
import { describeNetworkProvider } from '../../testing/network-contract.ts'
import { answerOf, collect, failureOf, requestWith } from '../../testing/provider-contract.ts'
import type { ProviderSettings } from './service.ts'

const user = { role: 'user' as const, text: 'Fix teh.' }

function create(settings: Partial<ProviderSettings>, origin: string) {
  return gemini.create({ apiKey: 'test-key', baseURL: origin, ...settings })
}

describeNetworkProvider({ name: 'gemini', create, overloadedStatus: 503, keyStatus: 400 })

describe('gemini', () => {
  let server: FixtureServer
  beforeEach(async () => {
    server = await createFixtureServer()
  })
  afterEach(() => server.close())

  test('sends the key, the system prompt and its own dialect of schemas', async () => {
    server.play(readFixture('gemini/text.sse'))
    await collect(create({}, server.origin), requestWith([user]))
    const [request] = server.requests
    expect(request?.path).toBe('/v1/models/gemini-3.8-flash:streamGenerateContent?alt=sse')
    expect(request?.headers['x-goog-api-key']).toBe('test-key')
    expect(request?.body).toMatchObject({
      contents: [{ role: 'user', parts: [{ text: 'Fix teh.' }] }],
      systemInstruction: { parts: [{ text: 'You edit a document.' }] },
      tools: [{ functionDeclarations: [{ name: 'search_document', parameters: { type: 'OBJECT' } }, {}, {}, {}, {}] }],
    })
  })

  test.each(['two-calls.sse', 'two-calls-without-ids.sse'])(
    '%s: sends signatures and ids back as they came',
    async (file) => {
      server.play(readFixture(`gemini/${file}`), readFixture('gemini/text.sse'))
      const provider = create({}, server.origin)
      const { message } = answerOf(await collect(provider, requestWith([user])))
      const stored = JSON.parse(JSON.stringify(message))
      const results = message.toolCalls.map((call, index) => {
        return {
          role: 'tool' as const,
          callId: call.id,
          name: call.name,
          text: `result ${index}`,
          isError: index === 1,
        }
      })
      await collect(provider, requestWith([user, stored, ...results]))
      const withIds = file === 'two-calls.sse'
      const body = server.requests[1]?.body
      expect(body).toMatchObject({
        contents: [
          { role: 'user' },
          {
            role: 'model',
            parts: [{ thoughtSignature: 'CikBjz1rXSi0GsJ0Yg==' }, { functionCall: { args: { occurrence: 1 } } }],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { name: 'edit_document', response: { output: 'result 0' } } },
              { functionResponse: { name: 'edit_document', response: { error: 'result 1' } } },
            ],
          },
        ],
      })
      expect(JSON.stringify(body).includes('"id"')).toBe(withIds)
    },
  )

  test('thoughts are not shown, but kept with their signature', async () => {
    server.play(readFixture('gemini/thinking.sse'))
    const { message, usage } = answerOf(await collect(create({}, server.origin), requestWith([user])))
    expect(message.text).toBe('Hello.')
    expect(message.opaque).toMatchObject([
      { thought: true },
      { text: 'Hello.' },
      { thoughtSignature: 'CikBjz1rXSi0GsJ0Yg==' },
    ])
    expect(usage).toEqual({ inputTokens: 25, outputTokens: 11 })
  })

  test('calls of another provider get the signature that the service documents for them', async () => {
    server.play(readFixture('gemini/text.sse'))
    const call = { id: 'call_A', name: 'edit_document', arguments: { find: 'a' } }
    const answer = {
      role: 'assistant' as const,
      text: '',
      toolCalls: [call],
      finish: 'tool_calls' as const,
      provider: 'openai',
    }
    const result = { role: 'tool' as const, callId: call.id, name: call.name, text: 'ok', isError: false }
    await collect(create({}, server.origin), requestWith([user, answer, result]))
    expect(server.requests[0]?.body).toMatchObject({
      contents: [{}, { parts: [{ thoughtSignature: 'skip_thought_signature_validator' }] }, {}],
    })
  })

  test('limits, refusals and failed calls', async () => {
    server.play(...['length', 'blocked', 'malformed-call'].map((name) => readFixture(`gemini/${name}.sse`)))
    const provider = create({ maxOutputTokens: 4096, temperature: 0.2 }, server.origin)
    expect(answerOf(await collect(provider, requestWith([user]))).message.finish).toBe('length')
    expect(server.requests[0]?.body).toMatchObject({ generationConfig: { maxOutputTokens: 4096, temperature: 0.2 } })
    expect(answerOf(await collect(provider, requestWith([user]))).message.finish).toBe('refused')
    const { failure } = failureOf(await collect(provider, requestWith([user])))
    expect(failure).toMatchObject({ code: 'invalid_response', retryable: true })
  })
})
