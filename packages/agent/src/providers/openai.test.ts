import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFixtureServer, readFixture } from '../../testing/fixture-server.ts'
import type { FixtureServer } from '../../testing/fixture-server.ts'
import { openai } from './openai.ts'
import { describeNetworkProvider } from '../../testing/network-contract.ts'
import { answerOf, collect, failureOf, requestWith } from '../../testing/provider-contract.ts'
import type { ProviderSettings } from './service.ts'

const user = { role: 'user' as const, text: 'Fix teh.' }

function create(settings: Partial<ProviderSettings>, origin: string) {
  return openai.create({ baseURL: `${origin}/v1`, ...settings })
}

describeNetworkProvider({ name: 'openai', create, overloadedStatus: 503, keyStatus: 401 })

describe('openai', () => {
  let server: FixtureServer
  beforeEach(async () => {
    server = await createFixtureServer()
  })
  afterEach(() => server.close())

  test('needs no key, asks for usage and sends tools', async () => {
    server.play(readFixture('openai/text.sse'))
    await collect(create({}, server.origin), requestWith([user]))
    const [request] = server.requests
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.body).toMatchObject({
      model: 'gpt-5.5',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'system', content: 'You edit a document.' }, { role: 'user' }],
    })
    expect(request?.body).not.toHaveProperty('reasoning_effort')
    expect(request?.body).not.toHaveProperty('max_tokens')
  })

  test('makes ids where the server sends none, and takes `stop` after calls for calls', async () => {
    server.play(readFixture('openai/no-ids.sse'))
    const { message } = answerOf(await collect(create({}, server.origin), requestWith([user])))
    expect(message.finish).toBe('tool_calls')
    expect(message.toolCalls).toMatchObject([{ name: 'get_document_info' }, { name: 'read_document', arguments: {} }])
    expect(new Set(message.toolCalls.map((call) => call.id)).size).toBe(2)
  })

  test('tells calls apart that all have index 0', async () => {
    server.play(readFixture('openai/same-index.sse'))
    const { message } = answerOf(await collect(create({}, server.origin), requestWith([user])))
    expect(message.toolCalls.map((call) => call.arguments['occurrence'])).toEqual([2, 1])
  })

  test('gives a repeated id of the server a new one', async () => {
    server.play(readFixture('openai/one-call.sse'), readFixture('openai/one-call.sse'))
    const provider = create({}, server.origin)
    const { message } = answerOf(await collect(provider, requestWith([user])))
    const result = { role: 'tool' as const, callId: 'call_A', name: 'search_document', text: 'ok', isError: false }
    const second = answerOf(await collect(provider, requestWith([user, message, result]))).message
    expect(second.toolCalls[0]?.id).not.toBe('call_A')
  })

  test('switches reasoning off where tools need it, and remembers', async () => {
    const refused = { ...readFixture('openai/error-reasoning.json'), status: 400 }
    server.play(refused, readFixture('openai/text.sse'), readFixture('openai/text.sse'))
    const provider = create({}, server.origin)
    answerOf(await collect(provider, requestWith([user])))
    answerOf(await collect(provider, requestWith([user])))
    expect(server.requests).toHaveLength(3)
    expect(server.requests[1]?.body).toHaveProperty('reasoning_effort', 'none')
    expect(server.requests[2]?.body).toHaveProperty('reasoning_effort', 'none')
  })

  test('a quota that is used up is no reason to try again', async () => {
    server.play({ ...readFixture('openai/error-quota.json'), status: 429 })
    const { failure } = failureOf(await collect(create({}, server.origin), requestWith([user])))
    expect(failure).toMatchObject({ code: 'rate_limited', retryable: false })
  })

  test('a cut call and a malformed call are kept as such; arguments go back readable', async () => {
    server.play(readFixture('openai/length.sse'), readFixture('openai/malformed.sse'), readFixture('openai/text.sse'))
    const provider = create({ maxOutputTokens: 4096 }, server.origin)
    expect(answerOf(await collect(provider, requestWith([user]))).message.finish).toBe('length')
    const { message } = answerOf(await collect(provider, requestWith([user])))
    expect(message.toolCalls[0]?.malformed).toBe('{"find":"teh" "replace"')
    const result = { role: 'tool' as const, callId: 'call_F', name: 'edit_document', text: 'bad', isError: true }
    await collect(provider, requestWith([user, message, result]))
    expect(server.requests[2]?.body).toMatchObject({
      max_tokens: 4096,
      messages: [{}, {}, { tool_calls: [{ id: 'call_F', function: { arguments: '{}' } }] }, { tool_call_id: 'call_F' }],
    })
  })
})
