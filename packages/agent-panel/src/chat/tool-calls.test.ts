import { describe, expect, test } from 'vitest'
import { executeCall, foldToolCalls, openCalls } from './tool-calls.ts'
import { englishTexts } from '../language/texts.ts'
import type { ChatBridge, ChatItem, ChatMessage, ChatToolCall, ChatToolResult } from '../common/types.ts'

const message = (id: string, kind: 'agent' | 'person'): ChatMessage => {
  return { id, author: { id: kind, name: kind, kind }, text: `says ${id}` }
}
const call = (id: string): ChatItem => ({ type: 'tool_call', id, name: 'read_document', input: {} })
const result = (callId: string, ok = true): ChatToolResult => {
  return { type: 'tool_result', callId, ok, summary: `result of ${callId}`, text: '' }
}

describe('tool calls in a conversation', () => {
  test('belong to the agent’s message before them, after its text', () => {
    const items = [message('a', 'person'), message('b', 'agent'), call('1'), result('1'), call('2'), result('2', false)]
    const { messages, steps } = foldToolCalls(items, [], 'Assistant', englishTexts)
    expect(messages.map(({ id, run }) => [id, run?.tone])).toEqual([
      ['a', undefined],
      ['b', 'good'],
    ])
    expect(steps).toMatchObject([
      { id: '1', messageId: 'b', status: 'done', title: 'result of 1', said: 'says b' },
      { id: '2', messageId: 'b', status: 'failed', title: 'read document', error: { message: 'result of 2' } },
    ])
    expect(steps[1]).not.toHaveProperty('said')
  })

  test('come in a message of their own after a person’s, which goes on until they have results', () => {
    const items = [message('a', 'person'), call('1'), call('2'), message('c', 'agent')]
    const { messages, steps } = foldToolCalls(items, [result('1')], 'Assistant', englishTexts)
    expect(messages).toMatchObject([
      { id: 'a' },
      { id: 'calls 1', author: { name: 'Assistant' }, text: '', run: { tone: 'going' } },
      { id: 'c' },
    ])
    expect(steps.map(({ status }) => status)).toEqual(['done', 'running'])
    expect(openCalls([...items, result('1')]).map(({ id }) => id)).toEqual(['2'])
  })

  test('leave a conversation without them as it is', () => {
    const items = [message('a', 'person')]
    expect(foldToolCalls(items, [], 'Assistant', englishTexts).messages).toBe(items)
  })
})

describe('carrying out a call', () => {
  const given: ChatToolCall = { type: 'tool_call', id: '1', name: 'read_document', input: { from: 2 } }
  const bridge: ChatBridge = {
    executeToolCall: async (...args) => ({ ok: true, summary: 'by the bridge', text: JSON.stringify(args) }),
  }

  test('is the host’s, else the bridge’s, else nobody’s', async () => {
    const onToolCall = async () => ({ ok: true, summary: 'by the host', text: '' })
    expect(await executeCall(given, { bridge, onToolCall }, englishTexts)).toMatchObject({ summary: 'by the host' })
    expect(await executeCall(given, { bridge }, englishTexts)).toMatchObject({
      summary: 'by the bridge',
      text: '["read_document",{"from":2},{"callId":"1"}]',
    })
    expect(executeCall(given, {}, englishTexts)).toBeUndefined()
  })

  test('that throws has failed', async () => {
    const onToolCall = () => Promise.reject(new Error('The tab was closed.'))
    expect(await executeCall(given, { onToolCall }, englishTexts)).toEqual({
      ok: false,
      summary: 'The tab was closed.',
      text: 'The tab was closed.',
    })
  })
})
