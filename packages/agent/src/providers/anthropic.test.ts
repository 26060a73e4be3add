import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFixtureServer, readFixture } from '../../testing/fixture-server.ts'
import type { FixtureServer } from '../../testing/fixture-server.ts'
import { anthropic } from './anthropic.ts'
import { describeNetworkProvider } from '../../testing/network-contract.ts'
import { answerOf, collect, requestWith } from '../../testing/provider-contract.ts'
import type { ProviderSettings } from './service.ts'

const user = { role: 'user' as const, text: 'Fix teh.' }

function create(settings: Partial<ProviderSettings>, origin: string) {
  return anthropic.create({ apiKey: 'test-key', baseURL: origin, ...settings })
}

describeNetworkProvider({ name: 'anthropic', create, overloadedStatus: 529, keyStatus: 401 })

describe('anthropic', () => {
  let server: FixtureServer
  beforeEach(async () => {
    server = await createFixtureServer()
  })
  afterEach(() => server.close())

  test('sends the key, a limit of tokens and the system prompt', async () => {
    server.play(readFixture('anthropic/text.sse'))
    await collect(create({}, server.origin), requestWith([user]))
    const [request] = server.requests
    expect(request?.path).toBe('/v1/messages')
    expect(request?.headers.authorization).toBe('Bearer test-key')
    expect(request?.body).toMatchObject({
      model: 'claude-sonnet-5-5',
      max_tokens: 16_000,
      stream: true,
      system: 'You edit a document.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Fix teh.' }] }],
    })
  })

  test('sends thinking and its signature back verbatim, and merges results with what a person says next', async () => {
    server.play(readFixture('anthropic/thinking.sse'), readFixture('anthropic/text.sse'))
    const provider = create({}, server.origin)
    const { message } = answerOf(await collect(provider, requestWith([user])))
    const stored = JSON.parse(JSON.stringify(message))
    const result = {
      role: 'tool' as const,
      callId: 'toolu_01D',
      name: 'search_document',
      text: '2 matches',
      isError: false,
    }
    await collect(provider, requestWith([user, stored, result, { role: 'user', text: 'Only the first.' }]))
    expect(server.requests[1]?.body).toMatchObject({
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Search first.', signature: 'EqQBCgIYAhIM1gbc' },
            { type: 'tool_use', id: 'toolu_01D', input: { query: 'teh', matchCase: true } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_01D', content: '2 matches' },
            { type: 'text', text: 'Only the first.' },
          ],
        },
      ],
    })
  })

  test('declares the tools of the conversation where none are offered, and forbids them', async () => {
    server.play(readFixture('anthropic/text.sse'))
    const call = { id: 'functions.x:0', name: 'edit_document', arguments: { find: 'a' } }
    const answer = {
      role: 'assistant' as const,
      text: '',
      toolCalls: [call],
      finish: 'tool_calls' as const,
      provider: 'openai',
    }
    const result = { role: 'tool' as const, callId: call.id, name: call.name, text: 'ok', isError: false }
    await collect(create({}, server.origin), requestWith([user, answer, result], []))
    expect(server.requests[0]?.body).toMatchObject({
      tools: [{ name: 'edit_document' }],
      tool_choice: { type: 'none' },
      messages: [{}, { content: [{ id: 'functions_x_0' }] }, { content: [{ tool_use_id: 'functions_x_0' }] }],
    })
  })

  test('a call that was cut off is distinguished from a malformed one', async () => {
    server.play(readFixture('anthropic/length.sse'), readFixture('anthropic/malformed.sse'))
    const provider = create({}, server.origin)
    const cut = answerOf(await collect(provider, requestWith([user]))).message
    expect(cut).toMatchObject({
      finish: 'length',
      toolCalls: [{ arguments: {}, malformed: '{"find":"teh","replace":"the qui' }],
    })
    const malformed = answerOf(await collect(provider, requestWith([user]))).message
    expect(malformed).toMatchObject({ finish: 'tool_calls', toolCalls: [{ malformed: '{"find":"teh" "replace"' }] })
  })

  test('sends what an operator set', async () => {
    server.play(readFixture('anthropic/text.sse'))
    const provider = create({ model: 'claude-opus-5-5', maxOutputTokens: 900, temperature: 0 }, server.origin)
    await collect(provider, requestWith([user]))
    expect(provider.model).toBe('claude-opus-5-5')
    expect(server.requests[0]?.body).toMatchObject({ model: 'claude-opus-5-5', max_tokens: 900, temperature: 0 })
  })
})
