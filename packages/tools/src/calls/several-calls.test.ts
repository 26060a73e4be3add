import { describe, expect, test } from 'vitest'
import { executeToolCall } from './execute-tool-call.ts'
import type { DocumentSession } from '../session/document-session.ts'
import { documentOf, markdownOf, sessionOn, succeed } from '../testing/test-document.ts'
import { streamToolCall } from './stream-tool-call.ts'

type Call = { id: string; name: string; input: Record<string, unknown> }

/** Streams all calls of an answer, the last only up to `share` of its text. */
function streamAll(session: DocumentSession, calls: readonly Call[], share = 1): void {
  for (const [index, { id, name, input }] of calls.entries()) {
    const json = JSON.stringify(input)
    const streamed = streamToolCall(name, session, { callId: id })
    const end = index === calls.length - 1 ? Math.floor(json.length * share) : json.length
    for (let at = 5; at < end; at += 5) streamed?.show(json.slice(0, at))
    streamed?.show(json.slice(0, end))
  }
}

describe('several calls of one answer', () => {
  const edits: Call[] = [
    { id: 'c1', name: 'edit_document', input: { find: 'there guide', replace: 'their guide' } },
    { id: 'c2', name: 'edit_document', input: { find: 'impresed', replace: 'impressed by what they saw' } },
  ]

  test('show each result as of that very call, not a later one’s text', async () => {
    const doc = documentOf('They were impresed by there guide.')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    streamAll(session, edits, 0.8)
    expect(markdownOf(doc)).toContain('impress')
    const [first, second] = [edits[0]!, edits[1]!]
    const one = await executeToolCall(first.name, first.input, session, { callId: first.id })
    expect(one.text).toContain('[0] They were impresed by their guide.')
    expect(one).toMatchObject({ details: { blocks: [{ after: 'They were impresed by their guide.' }] } })
    const two = await executeToolCall(second.name, second.input, session, { callId: second.id })
    expect(two.text).toContain('[0] They were impressed by what they saw by their guide.')
  })

  test('do not list blocks that a later call is writing', async () => {
    const doc = documentOf('one\n\ntwo')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const position = { type: 'absolute', location: 'end' }
    const calls: Call[] = [
      { id: 'c1', name: 'insert_text', input: { position, content: 'three' } },
      { id: 'c2', name: 'insert_text', input: { position, content: 'four and more' } },
    ]
    streamAll(session, calls, 0.9)
    const result = await executeToolCall('insert_text', calls[0]!.input, session, { callId: 'c1' })
    expect(result.text).toBe('Inserted at the end.\nNow:\n[2], new, after [1]: three')
    await executeToolCall('insert_text', calls[1]!.input, session, { callId: 'c2' })
    expect(markdownOf(doc)).toBe('one\n\ntwo\n\nthree\n\nfour and more')
  })

  test('a call that is not streamed finds and reads nothing of later ones', async () => {
    const doc = documentOf('a colour\n\nend')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const last = { find: 'end', replace: 'the colour of the end' }
    streamAll(session, [{ id: 'c3', name: 'edit_document', input: last }])
    expect(markdownOf(doc)).toContain('the colour of')
    const renamed = await executeToolCall('replace_text', { searchText: 'colour', newText: 'color' }, session, {
      callId: 'c1',
    })
    expect(renamed.text).toContain('in 1 place')
    const read = await executeToolCall('read_document', {}, session, { callId: 'c2' })
    expect(read.text).toContain('[0] a color\n[1] end')
    await executeToolCall('edit_document', last, session, { callId: 'c3' })
    expect(markdownOf(doc)).toBe('a color\n\nthe colour of the end')
  })
})
