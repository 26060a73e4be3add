import { resolveChanges } from '@copydesk/schema'
import { serializeMarkdown } from '@copydesk/schema/markdown'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { catalogue } from '../catalogue/index.ts'
import { executeToolCall } from '../calls/execute-tool-call.ts'
import { documentOf, markdownOf, readNode, replicaOf, succeed, sync } from '../testing/test-document.ts'
import { openHeadlessSession } from './headless-session.ts'

const contract = '# Contract\n\nIntro.\n\n## Liability\n\nThe cap is 100k dollars.\n\n## Term\n\nIt runs for a year.'

describe('openHeadlessSession', () => {
  test('runs a script of tool calls on a bare document', async () => {
    const doc = documentOf(contract)
    const room = new Y.Doc()
    const session = openHeadlessSession({ doc, room, mode: 'suggest' })
    const info = await succeed(session, 'get_document_info')
    expect(info.text).toContain('Agent mode: suggest')
    await succeed(session, 'read_document')
    const first = await succeed(session, 'add_comment', { search: '100k', text: 'Too low?' })
    await succeed(session, 'add_comment', { block: 5, text: 'No way to end it early.' })
    const { threadId } = first.details as { threadId: string }
    await succeed(session, 'suggest_replacement', { search: '100k', replaceWith: '500k' })
    await succeed(session, 'reply_to_comment', { commentId: threadId, text: 'Suggested 500k.' })
    await succeed(session, 'resolve_comment', { commentId: threadId })
    await succeed(session, 'edit_document', { find: 'Intro.', replace: 'Introduction.' })
    await succeed(session, 'insert_text', { position: { type: 'absolute', location: 'end' }, content: 'The end.' })
    await succeed(session, 'highlight_text', { search: 'a year', duration: 1_000 })
    await succeed(session, 'scroll_to', { block: 3 })
    expect((await succeed(session, 'read_comments', { resolved: true })).text).toContain('> Suggested 500k.')
    expect((await succeed(session, 'search_document', { query: '500k' })).summary).toContain('1 match')
    expect(serializeMarkdown(resolveChanges(readNode(doc), 'original')).trimEnd()).toBe(contract)

    const decision = { all: true, decision: 'accept' }
    await executeToolCall('decide_change', decision, session, { callId: 'decided', approved: true })
    const expected = contract.replace('100k', '500k').replace('Intro.', 'Introduction.')
    expect(markdownOf(doc)).toBe(`${expected}\n\nThe end.`)
    expect([room.getMap('threads').size, room.getMap('changes').size, room.getMap('highlights').size]).toEqual([
      2, 0, 1,
    ])
    session.close()
    session.close()
  })

  test('answers every tool of the catalogue, whatever the input', async () => {
    const doc = documentOf(contract)
    const session = openHeadlessSession({ doc })
    for (const { name } of catalogue) {
      for (const input of [
        undefined,
        {},
        { block: 0 },
        { block: 0, text: 'x', search: 'Contract', decision: 'accept', all: true },
      ]) {
        const result = await executeToolCall(name, input, session, { callId: `${name} ${JSON.stringify(input)}` })
        expect(result.text.length).toBeGreaterThan(0)
      }
    }
    expect(readNode(replicaOf(doc, 3)).eq(readNode(doc))).toBe(true)
  })

  test('knows its own suggestions, and those of others, in a session that is opened later', async () => {
    const doc = documentOf('See the old cat.')
    const room = new Y.Doc()
    const ada = { id: 'ada', name: 'Ada', kind: 'person' as const }
    const ben = { id: 'ben', name: 'Ben', kind: 'person' as const }
    const replace = (caller: typeof ada, search: string, replaceWith: string) => {
      const session = openHeadlessSession({ doc, room, caller })
      return succeed(session, 'suggest_replacement', { search, replaceWith }).finally(() => session.close())
    }
    await replace(ada, 'old', 'new')
    await replace(ben, 'cat', 'dog')
    await replace(ada, 'new', 'big')
    const authors = Object.values(room.getMap('changes').toJSON()).map((change) => change.author.name)
    expect(authors).toHaveLength(2)
    expect(new Set(authors)).toEqual(new Set(['Ada', 'Ben']))
    expect(markdownOf(doc)).not.toContain('new')
    const view = openHeadlessSession({ doc, room })
    expect((await succeed(view, 'read_document')).text).toContain('See the big dog.')
  })

  test('puts down to its author only what it suggested itself', async () => {
    const doc = documentOf('See the old cat.')
    const room = new Y.Doc()
    const watcher = openHeadlessSession({ doc, room })
    const peer = replicaOf(doc, 8)
    const other = openHeadlessSession({ doc: peer, mode: 'suggest' })
    await succeed(other, 'edit_document', { find: 'old', replace: 'new' })
    sync(doc, peer)
    expect((await succeed(watcher, 'read_document')).text).toContain('See the new cat.')
    expect(room.getMap('changes').size).toBe(0)
  })

  test('comments of two sessions on the same text are both kept', async () => {
    const doc = documentOf('one two three')
    const room = new Y.Doc()
    const [a, b] = [openHeadlessSession({ doc, room }), openHeadlessSession({ doc, room })]
    await succeed(a, 'add_comment', { search: 'one two', text: 'A' })
    await succeed(b, 'add_comment', { search: 'two three', text: 'B' })
    const { text } = await succeed(a, 'read_comments')
    expect(text).toContain('"one two"')
    expect(text).toContain('"two three"')
    expect(text).not.toContain('gone')
    expect(markdownOf(doc)).toBe('one two three')
  })
})
