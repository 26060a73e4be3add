import { describe, expect, test } from 'vitest'
import { catalogue } from '../catalogue/index.ts'
import { call, documentOf, fail, markdownOf, sessionOn, succeed } from '../testing/test-document.ts'
import { executeToolCall } from './execute-tool-call.ts'

describe('executeToolCall', () => {
  test('takes aliases', async () => {
    const doc = documentOf('a')
    await succeed(sessionOn(doc), 'insertText', { position: { type: 'absolute', location: 'end' }, content: 'b' })
    expect(markdownOf(doc)).toBe('a\n\nb')
  })

  test('needs no call id: the same call twice is two calls', async () => {
    const doc = documentOf('a')
    const session = sessionOn(doc)
    const input = { position: { type: 'absolute', location: 'end' }, content: 'b' }
    for (const _ of [1, 2]) {
      expect(await executeToolCall('insert_text', input, session)).toMatchObject({ ok: true })
    }
    expect(markdownOf(doc)).toBe('a\n\nb\n\nb')
    const receipts = await Promise.all(
      ['x', 'x'].map(async (callId) => {
        return executeToolCall('insert_text', input, session, { callId })
      }),
    )
    expect(receipts[1]).toEqual(receipts[0])
    expect(markdownOf(doc)).toBe('a\n\nb\n\nb\n\nb')
  })

  test('an unknown tool names those that are offered', async () => {
    const session = sessionOn(documentOf('a'))
    for (const name of ['replacetext', 'nonsense', 'constructor', '']) {
      const result = await fail(session, name)
      expect(result.code).toBe('unknown_tool')
      expect(result.hint).toContain('read_document, search_document')
    }
    const readers = catalogue.filter((tool) => !tool.changes)
    const input = { find: 'a', replace: 'b' }
    const result = await executeToolCall('edit_document', input, session, { callId: 'x', tools: readers })
    expect(result).toMatchObject({ ok: false, code: 'unknown_tool' })
  })

  test.each([
    undefined,
    null,
    3,
    'text',
    [],
    { position: [] },
    { find: {}, replace: [] },
    { query: null },
    { from: 'x' },
  ])('never throws for input %j', async (input) => {
    const session = sessionOn(documentOf('a'))
    for (const { name } of catalogue) {
      const result = await call(session, name, input)
      expect([undefined, 'invalid_input', 'not_configured', 'no_selection']).toContain(
        result.ok ? undefined : result.code,
      )
    }
  })
})
