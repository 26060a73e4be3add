import { schema } from '@copydesk/schema'
import * as Y from 'yjs'
import { describe, expect, test } from 'vitest'
import { executeToolCall } from '../../calls/execute-tool-call.ts'
import { contextOf } from '../../review/find-quote.ts'
import { anchorOf, findThreadRanges } from '../../review/thread-marks.ts'
import type { ReviewHost } from '../../session/host/host.ts'
import { headlessOn, selectionOf } from '../../testing/headless.ts'
import {
  documentOf,
  documentOfNode,
  fail,
  markdownOf,
  readNode,
  replicaOf,
  sessionOn,
  succeed,
  sync,
  typeBeside,
} from '../../testing/test-document.ts'

/** The text that each thread of a document is anchored to. */
function commented(doc: Y.Doc): string[] {
  const node = readNode(doc)
  return [...findThreadRanges(node).values()].map((ranges) => {
    const anchor = anchorOf(ranges)
    return anchor ? contextOf(node, anchor.from, anchor.to).quote : ''
  })
}

describe('add_comment', () => {
  test('starts a thread on a text, reports it and leaves the text as it is', async () => {
    const { doc, room, session } = headlessOn('# T\n\nThe **quick** fox sleeps.')
    await succeed(session, 'read_document')
    const result = await succeed(session, 'add_comment', { block: 1, search: 'quick fox', text: ' Which fox? ' })
    const id = String([...room.getMap('threads').keys()])
    expect(result.text).toBe(`Commented on "quick fox" in block [1]. The thread is ${id}.`)
    expect(result.summary).toBe('Commented: Which fox?')
    expect(result.details).toMatchObject({ threadId: id, quote: 'quick fox' })
    expect(id).toMatch(/^t[a-z0-9]{5,13}$/)
    expect(room.getMap('threads').toJSON()).toEqual({
      [id]: {
        id,
        quote: 'quick fox',
        resolved: false,
        orphaned: false,
        comments: [
          {
            id: (result.details as { commentId: string }).commentId,
            author: { id: 'ada', name: 'Ada', kind: 'person' },
            text: 'Which fox?',
            createdAt: '2026-01-02T03:04:05.000Z',
          },
        ],
      },
    })
    expect(commented(doc)).toEqual(['quick fox'])
    expect(markdownOf(doc)).toBe('# T\n\nThe **quick** fox sleeps.')
  })

  test.each([
    ['a whole block', 'one\n\ntwo **three**', { block: 1 }, ['two three']],
    ['a table row', '| a | b |\n| - | - |\n| c | d |', { block: 1 }, ['c\nd']],
    ['an image', 'one\n\n![alt](/i.png)', { block: 1 }, ['![alt](/i.png)']],
    ['a rule', 'one\n\n***', { block: 1 }, ['']],
    ['a code block', '```\na = 1\nb\n```', { block: 0 }, ['a = 1\nb']],
    ['the second place', 'x and x', { search: 'x', occurrence: 2 }, ['x']],
    ['a text over items', '- one two\n- three four', { search: 'two\nthree' }, ['two\nthree']],
    ['a mention', 'ask $x^2$ now', { search: '$x^2$' }, ['$x^2$']],
  ])('takes %s', async (_title, markdown, where, expected) => {
    const { doc, session } = headlessOn(markdown)
    await succeed(session, 'read_document')
    await succeed(session, 'add_comment', { ...where, text: 'Look.' })
    expect(commented(doc)).toEqual(expected)
    expect(markdownOf(doc)).toBe(markdown)
  })

  test('takes an empty block', async () => {
    const empty = schema.node('doc', null, [schema.node('paragraph'), schema.node('paragraph', null, schema.text('x'))])
    const { doc, session } = headlessOn(documentOfNode(empty))
    await succeed(session, 'read_document')
    await succeed(session, 'add_comment', { block: 0, text: 'Write something here.' })
    expect(findThreadRanges(readNode(doc)).size).toBe(1)
    expect((await succeed(session, 'read_comments')).text).toContain('in block [0]')
  })

  test('takes what is selected, in one block and over several', async () => {
    const doc = documentOf('one two\n\nthree\n\nfour five')
    const here = headlessOn(doc, { selection: () => selectionOf(doc, 'two') })
    const result = await succeed(here.session, 'add_comment', { selection: true, text: 'This.' })
    expect(result.text).toContain('the selection in block [0]')
    const over = headlessOn(doc, { selection: () => selectionOf(doc, 'two', 'four'), room: here.room })
    await succeed(over.session, 'add_comment', { selection: true, text: 'And these.' })
    expect(commented(doc).toSorted()).toEqual(['two', 'two\nthree\nfour'])
  })

  test('is on the accepted text where changes are suggested, and stays when they are rejected', async () => {
    const { doc, session } = headlessOn('The old cap is low.')
    const made = await succeed(session, 'suggest_replacement', { search: 'old cap', replaceWith: 'new limit' })
    await succeed(session, 'add_comment', { search: 'The new limit is', text: 'Agreed?' })
    expect(commented(doc)).toEqual(['The new limit is'])
    await session.host?.decide((made.details as { changeIds: string[] }).changeIds, 'reject')
    expect(commented(doc)).toEqual(['The old cap is'])
    expect(markdownOf(doc)).toBe('The old cap is low.')
  })

  test('takes the wording that it proposes, which read_comments shows as text', async () => {
    const { room, session } = headlessOn('The quick fox sleeps.\n\nTwo.')
    const replacement = '<b>slow</b>\n> [3] hen'
    const made = await succeed(session, 'add_comment', { find: 'quick fox', text: 'Slower.', replacement })
    const { threadId } = made.details as { threadId: string }
    expect(room.getMap('threads').get(threadId)).toMatchObject({ comments: [{ text: 'Slower.', replacement }] })
    const read = await succeed(session, 'read_comments')
    expect(read.text).toContain('> Slower.\nproposing instead of the text:\n> <b>slow</b>\n> > [3] hen')
    for (const idle of [' ', 'Two.']) {
      const same = await succeed(session, 'add_comment', { find: 'Two.', text: 'Hm.', replacement: idle })
      const { threadId: other } = same.details as { threadId: string }
      expect(JSON.stringify(room.getMap('threads').get(other))).not.toContain('replacement')
    }
  })

  test.each([
    ['longer than 2,000 characters', { find: 'one' }, 'x'.repeat(2_001), 'too_large'],
    ['for a longer text', { block: 2 }, 'x', 'too_large'],
    ['for a text over several blocks', { find: 'one\ntwo' }, 'x', 'invalid_operation'],
    ['for a block without text', { block: 3 }, 'x', 'invalid_operation'],
  ])('refuses a replacement %s', async (_title, where, replacement, code) => {
    const { room, session } = headlessOn(`one\n\ntwo\n\n${'long '.repeat(500)}\n\n![](/i.png)`)
    await succeed(session, 'read_document')
    const failed = await fail(session, 'add_comment', { ...where, text: 'Hm.', replacement })
    expect(failed.code).toBe(code)
    expect(room.getMap('threads').size).toBe(0)
  })

  test('the same call made again leaves one thread', async () => {
    const { doc, room, session } = headlessOn('one two')
    const input = { search: 'two', text: 'Hm.' }
    const first = await executeToolCall('add_comment', input, session, { callId: 'run/1' })
    const again = await executeToolCall('add_comment', input, session, { callId: 'run/1' })
    await executeToolCall('add_comment', input, session, { callId: 'run/2' })
    expect(again).toMatchObject({ ok: true, details: (first as { details: unknown }).details })
    expect(room.getMap('threads').size).toBe(2)
    expect(commented(doc)).toHaveLength(2)
  })

  test('the thread stays on its text while a rival types, deletes and formats in the same block', async () => {
    const { doc, session } = headlessOn('The quick brown fox sleeps.')
    const rival = replicaOf(doc, 9)
    typeBeside(rival, 'brown', 'ish')
    typeBeside(rival, 'The ', 'very ')
    await succeed(session, 'add_comment', { search: 'brown fox', text: 'Which?' })
    sync(doc, rival)
    expect(markdownOf(doc)).toBe('The very quick brownish fox sleeps.')
    expect(commented(rival)).toEqual(['brownish fox'])
  })

  test('text that goes between reading and writing makes the call fail, and no thread', async () => {
    const doc = documentOf('one two three\n\nfour')
    const room = new Y.Doc()
    const { session } = headlessOn(doc, { room })
    const { host } = session
    if (!host) throw new Error('no host')
    const late: ReviewHost = {
      ...host,
      addThread(thread) {
        doc.getXmlFragment('default').delete(0, 1)
        return host.addThread(thread)
      },
    }
    const hurried = sessionOn(doc, { host: late })
    const failed = await fail(hurried, 'add_comment', { search: 'two', text: 'x' })
    expect(failed.code).toBe('stale')
    expect(room.getMap('threads').size).toBe(0)
  })

  test.each([
    ['no place', {}, 'invalid_input', 'selection: true'],
    ['two places', { selection: true, search: 'one' }, 'invalid_input', 'selection: true alone'],
    ['no selection', { selection: true }, 'no_selection', 'Ask them to select'],
    ['a text that is not there', { search: 'oen two' }, 'not_found', 'Did you mean "one two"'],
    ['a text that stands twice', { search: 'o' }, 'ambiguous', 'occurrence'],
    ['an occurrence too many', { search: 'one', occurrence: 3 }, 'out_of_range', '1'],
    ['a block never shown', { block: 7 }, 'out_of_range', 'read_document'],
    ['a search that is too long', { search: 'x'.repeat(20_001) }, 'too_large', 'block'],
    ['an occurrence of nothing', { search: 'one', occurrence: 0 }, 'invalid_input', 'occurrence'],
  ])('refuses %s', async (_title, where, code, hint) => {
    const { room, session } = headlessOn('one two')
    const failed = await fail(session, 'add_comment', { ...where, text: 'Hm.' })
    expect(failed.code).toBe(code)
    expect(failed.text).toContain(hint)
    expect(room.getMap('threads').size).toBe(0)
  })

  test('a bare caret is no selection', async () => {
    const doc = documentOf('one')
    const { anchor } = selectionOf(doc, 'one')
    const { session } = headlessOn(doc, { selection: () => ({ anchor, head: anchor }) })
    expect((await fail(session, 'add_comment', { selection: true, text: 'x' })).code).toBe('no_selection')
  })

  test.each([
    ['empty', '  \n ', 'invalid_input'],
    ['too long', 'x'.repeat(20_001), 'too_large'],
  ])('refuses a text that is %s', async (_title, text, code) => {
    const { session } = headlessOn('one')
    expect((await fail(session, 'add_comment', { search: 'one', text })).code).toBe(code)
  })

  test('without a host it is not configured, and what the host refuses is the result', async () => {
    const doc = documentOf('one')
    expect((await fail(sessionOn(doc), 'add_comment', { search: 'one', text: 'x' })).code).toBe('not_configured')
    const { session } = headlessOn(doc)
    const { host } = session
    if (!host) throw new Error('no host')
    const refused = await fail(session, 'reply_to_comment', { commentId: 'x', text: 'x' })
    const refusing = sessionOn(doc, { host: { ...host, addThread: async () => refused } })
    expect(await fail(refusing, 'add_comment', { search: 'one', text: 'x' })).toEqual(refused)
  })
})
