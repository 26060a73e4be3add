import { readChanges, resolveChanges } from '@copydesk/schema'
import { serializeMarkdown } from '@copydesk/schema/markdown'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { executeToolCall } from '../../calls/execute-tool-call.ts'
import { markThread } from '../../review/thread-marks.ts'
import { headlessOn, selectionOf } from '../../testing/headless.ts'
import {
  documentOf,
  documentOfNode,
  fail,
  readNode,
  replicaOf,
  sessionOn,
  succeed,
  sync,
  textHolding,
  typeBeside,
} from '../../testing/test-document.ts'

function view(doc: Y.Doc, which: 'original' | 'accepted'): string {
  return serializeMarkdown(resolveChanges(readNode(doc), which))
    .replaceAll('&#x20;', ' ')
    .trimEnd()
}

const table = '| a | b |\n| - | - |\n| c | d |\n| e | f |'

/** Tool, input and the document with all changes accepted; every block was shown under its index. */
const cases: [title: string, markdown: string, tool: string, input: Record<string, unknown>, accepted: string][] = [
  ['a word', 'See teh cat.', 'suggest_replacement', { search: 'teh', replaceWith: 'the' }, 'See the cat.'],
  [
    'by markup',
    'a strong word',
    'suggest_replacement',
    { search: 'strong', replaceWith: '**strong**' },
    'a **strong** word',
  ],
  ['a whole block', 'one\n\ntwo', 'suggest_replacement', { block: 1, replaceWith: 'a new two' }, 'one\n\na new two'],
  ['a level', '# T\n\n## S', 'suggest_replacement', { search: '## S', replaceWith: '### S' }, '# T\n\n### S'],
  ['by blocks', 'a\n\nb', 'suggest_replacement', { search: 'b', replaceWith: 'b1\n\nb2' }, 'a\n\nb1\n\nb2'],
  ['in a cell', table, 'suggest_replacement', { search: 'd', replaceWith: 'D' }, table.replace('| d |', '| D |')],
  ['over items', '- a\n- b\n- c', 'suggest_replacement', { search: 'a\nb', replaceWith: 'x' }, '- x\n- c'],
  ['in code', '```\nlet a\n```', 'suggest_replacement', { search: 'a', replaceWith: 'b' }, '```\nlet b\n```'],
  ['the second', 'x and x', 'suggest_replacement', { search: 'x', replaceWith: 'y', occurrence: 2 }, 'x and y'],
  ['a text', 'one two three', 'suggest_deletion', { search: ' two' }, 'one three'],
  ['a block', 'one\n\n## two\n\nthree', 'suggest_deletion', { block: 1 }, 'one\n\nthree'],
  ['an item', '- a\n- b\n- c', 'suggest_deletion', { block: 1 }, '- a\n- c'],
  ['the only item', 'x\n\n- a', 'suggest_deletion', { block: 1 }, 'x'],
  ['an image', 'a\n\n![x](/i.png)\n\nb', 'suggest_deletion', { block: 1 }, 'a\n\nb'],
  ['a row', table, 'suggest_deletion', { block: 1 }, '| a | b |\n| - | - |\n| e | f |'],
  ['a code block', 'a\n\n```\nb\n```\n\nc', 'suggest_deletion', { block: 1 }, 'a\n\nc'],
  ['a mention', 'so $x^2$ is', 'suggest_deletion', { search: ' $x^2$' }, 'so is'],
  ['after a block', 'one\n\ntwo', 'suggest_insertion', { block: 0, text: 'new' }, 'one\n\nnew\n\ntwo'],
  [
    'before a block',
    'one\n\ntwo',
    'suggest_insertion',
    { block: 0, text: '## N', position: 'before' },
    '## N\n\none\n\ntwo',
  ],
  ['an item after one', '- a\n- b', 'suggest_insertion', { block: 0, text: '- n' }, '- a\n- n\n- b'],
  ['a row after one', table, 'suggest_insertion', { block: 2, text: '| g | h |' }, `${table}\n| g | h |`],
  ['beside a text', 'one three', 'suggest_insertion', { block: 0, text: ' two', search: 'one' }, 'one two three'],
  [
    'before a text',
    'one three',
    'suggest_insertion',
    { block: 0, text: '**two** ', search: 'three', position: 'before' },
    'one **two** three',
  ],
  ['a table', 'one', 'suggest_insertion', { block: 0, text: table }, `one\n\n${table}`],
]

describe.each(['edit', 'suggest', 'ask'] as const)('suggesting in mode %s', (mode) => {
  test.each(cases)('%s', async (_title, markdown, tool, input, accepted) => {
    for (const decision of ['accept', 'reject'] as const) {
      const { doc, room, session } = headlessOn(markdown, { mode })
      const before = readNode(doc)
      await succeed(session, 'read_document')
      const result = await succeed(session, tool, input)
      expect(result.text).toMatch(/^Suggested (?:replacing|deleting|inserting) /)
      expect(result.summary).toMatch(/^Suggested: |^Suggested/)
      expect([view(doc, 'original'), view(doc, 'accepted')]).toEqual([markdown, accepted])
      const ids = readChanges(readNode(doc)).map(({ id }) => id)
      expect(result.details).toMatchObject({ changeIds: ids })
      expect(Object.keys(room.getMap('changes').toJSON()).toSorted()).toEqual(ids.toSorted())
      expect(session.host?.authorOfChange(ids[0] ?? '')).toMatchObject({ id: 'ada' })
      await session.host?.decide(ids, decision)
      if (decision === 'reject') expect(readNode(doc).eq(before)).toBe(true)
      else expect(serializeMarkdown(readNode(doc)).replaceAll('&#x20;', ' ').trimEnd()).toBe(accepted)
      expect(room.getMap('changes').size).toBe(0)
    }
  })
})

describe('suggest_replacement, suggest_insertion and suggest_deletion', () => {
  test('take what is selected', async () => {
    const doc = documentOf('one two\n\nthree\n\nfour five')
    const { session } = headlessOn(doc, { selection: () => selectionOf(doc, 'two', 'four') })
    await succeed(session, 'suggest_deletion', { selection: true })
    expect(view(doc, 'accepted')).toBe('one \n\n five')
    const other = documentOf('one two')
    const here = headlessOn(other, { selection: () => selectionOf(other, 'two') })
    const result = await succeed(here.session, 'suggest_replacement', { selection: true, replaceWith: '2' })
    expect(result.text).toContain('Suggested replacing the selection in block [0] by "2".')
    expect(view(other, 'accepted')).toBe('one 2')
  })

  test('a call made again leaves one change', async () => {
    const { doc, session } = headlessOn('See teh cat.')
    const input = { search: 'teh', replaceWith: 'the' }
    const first = await executeToolCall('suggest_replacement', input, session, { callId: 'run/1' })
    const again = await executeToolCall('suggest_replacement', input, session, { callId: 'run/1' })
    expect(again).toEqual(first)
    expect(readChanges(readNode(doc))).toHaveLength(1)
  })

  test('the next call reads the accepted text', async () => {
    const { doc, session } = headlessOn('The cap is 100k.')
    await succeed(session, 'suggest_replacement', { search: '100k', replaceWith: '200k' })
    expect((await fail(session, 'suggest_replacement', { search: '100k', replaceWith: '1' })).code).toBe('not_found')
    await succeed(session, 'suggest_replacement', { search: '200k', replaceWith: '500k' })
    expect([view(doc, 'original'), view(doc, 'accepted')]).toEqual(['The cap is 100k.', 'The cap is 500k.'])
  })

  test('what a rival types in the same block stays, whatever is decided', async () => {
    for (const decision of ['accept', 'reject'] as const) {
      const { doc, session } = headlessOn('one\n\nSee old fat cat.\n\ntwo')
      const rival = replicaOf(doc, 77)
      typeBeside(rival, 'fat', ' R1')
      await succeed(session, 'suggest_replacement', { search: 'old', replaceWith: 'new' })
      await succeed(session, 'read_document')
      await succeed(session, 'suggest_deletion', { block: 2 })
      sync(doc, rival)
      textHolding(rival, 'two').insert(1, 'R2', {})
      sync(doc, rival)
      expect(readNode(rival).eq(readNode(doc))).toBe(true)
      const ids = readChanges(readNode(doc)).map(({ id }) => id)
      await session.host?.decide(ids, decision)
      const expected = decision === 'accept' ? ['new', 'R2'] : ['old', 'tR2wo']
      expect(view(doc, 'original')).toBe(`one\n\nSee ${expected[0]} fat R1 cat.\n\n${expected[1]}`)
    }
  })

  test('comments on the text stay', async () => {
    const base = readNode(documentOf('See teh cat here.'))
    const doc = documentOfNode(markThread(base, 't1', { from: 5, to: 12 }).doc)
    const { session } = headlessOn(doc)
    await succeed(session, 'suggest_replacement', { search: 'teh cat', replaceWith: 'the cat' })
    await session.host?.decide(
      readChanges(readNode(doc)).map(({ id }) => id),
      'reject',
    )
    expect(readNode(doc).eq(markThread(base, 't1', { from: 5, to: 12 }).doc)).toBe(true)
  })

  test.each([
    ['suggest_replacement', { search: 'nowhere near', replaceWith: 'x' }, 'not_found'],
    ['suggest_replacement', { search: 'x', replaceWith: 'y' }, 'ambiguous'],
    ['suggest_replacement', { replaceWith: 'y' }, 'invalid_input'],
    ['suggest_replacement', { search: 'x' }, 'invalid_input'],
    ['suggest_replacement', { selection: true, replaceWith: 'y' }, 'no_selection'],
    ['suggest_replacement', { block: 1, replaceWith: 'y' }, 'invalid_operation'],
    ['suggest_replacement', { block: 9, search: 'x', replaceWith: 'y' }, 'out_of_range'],
    ['suggest_replacement', { search: 'and', replaceWith: 'y'.repeat(200_001) }, 'too_large'],
    ['suggest_deletion', {}, 'invalid_input'],
    ['suggest_deletion', { search: 'x' }, 'ambiguous'],
    ['suggest_deletion', { selection: true }, 'no_selection'],
    ['suggest_deletion', { block: 2 }, 'invalid_operation'],
    ['suggest_insertion', { text: 'x' }, 'invalid_input'],
    ['suggest_insertion', { block: 0, text: '' }, 'invalid_input'],
    ['suggest_insertion', { block: 0, text: 'y', search: 'x' }, 'ambiguous'],
    ['suggest_insertion', { block: 0, text: 'y', search: 'nowhere near' }, 'not_found'],
    ['suggest_insertion', { block: 0, text: 'y', position: 'inside' }, 'invalid_input'],
    ['suggest_insertion', { block: 2, text: 'no row', position: 'after' }, 'invalid_position'],
    ['suggest_insertion', { block: 0, text: 'y'.repeat(200_001) }, 'too_large'],
  ])('%s %j is %s', async (name, input, code) => {
    const { doc, session } = headlessOn(`x and x\n\n![i](/i.png)\n\n${table}`)
    await succeed(session, 'read_document')
    const before = Y.encodeStateVector(doc)
    const failed = await fail(session, name, input)
    expect(failed.code).toBe(code)
    expect(failed.hint).not.toBe('')
    expect(Y.encodeStateVector(doc)).toEqual(before)
  })

  test('a user without write access may not suggest through the document', async () => {
    const session = sessionOn(documentOf('one'), { canEdit: false })
    expect((await fail(session, 'suggest_deletion', { search: 'one' })).code).toBe('denied')
  })

  test.each([
    '<script>alert(1)</script>',
    '](javascript:alert(1))',
    '\u202Eevil\u0000',
    '😀\uD83D',
    '| - |\n| - |',
    '# \n- \n```',
    ' ',
    '\n\n',
  ])('hostile text %j leaves a sound document', async (text) => {
    const { doc, session } = headlessOn(`one two\n\n- three\n\n${table}`)
    await succeed(session, 'read_document')
    for (const [name, input] of [
      ['suggest_replacement', { search: 'two', replaceWith: text }],
      ['suggest_replacement', { search: text, replaceWith: 'x', occurrence: 'first' }],
      ['suggest_insertion', { block: 1, text }],
      ['suggest_insertion', { block: 0, text, search: 'one' }],
      ['suggest_deletion', { search: text, occurrence: 1 }],
    ] as const) {
      const result = await executeToolCall(name, input, session, { callId: `${name}${JSON.stringify(input)}` })
      expect([
        'not_found',
        'invalid_input',
        'invalid_position',
        'invalid_operation',
        'out_of_range',
        undefined,
      ]).toContain(result.ok ? undefined : result.code)
    }
    expect(readNode(replicaOf(doc, 4)).eq(readNode(doc))).toBe(true)
    expect(view(doc, 'original')).toBe(`one two\n\n- three\n\n${table}`)
  })
})

describe('decide_change', () => {
  const twoChanges = async (mode: 'edit' | 'suggest' | 'ask' = 'edit') => {
    const made = headlessOn('See old fat cat.\n\nGo now.', { mode })
    await succeed(made.session, 'suggest_replacement', { search: 'old', replaceWith: 'new' })
    await succeed(made.session, 'suggest_deletion', { search: ' now' })
    const [first, second] = readChanges(readNode(made.doc)).map(({ id }) => id)
    return { ...made, first: first ?? '', second: second ?? '' }
  }

  test('decides on one change and leaves the other', async () => {
    const { doc, session, first, second } = await twoChanges()
    const result = await succeed(session, 'decide_change', { changeId: first, decision: 'accept' })
    expect(result.text).toContain('Accepted "old" → "new".')
    expect(result.details).toEqual({ changeIds: [first] })
    expect([view(doc, 'original'), view(doc, 'accepted')]).toEqual([
      'See new fat cat.\n\nGo now.',
      'See new fat cat.\n\nGo.',
    ])
    await succeed(session, 'decide_change', { changeId: second, decision: 'reject' })
    expect(readChanges(readNode(doc))).toEqual([])
    expect(view(doc, 'accepted')).toBe('See new fat cat.\n\nGo now.')
    const late = await fail(session, 'decide_change', { changeId: first, decision: 'reject' })
    expect(late).toMatchObject({ code: 'not_found', hint: expect.stringContaining('read_changes') })
  })

  test('decides on all, and says when there is nothing', async () => {
    const { doc, session } = await twoChanges('suggest')
    const input = { all: true, decision: 'reject' }
    // A caller that may only suggest can't change the text by a decision either, unless a person has approved it.
    expect((await fail(session, 'decide_change', input)).code).toBe('held')
    const result = await executeToolCall('decide_change', input, session, { callId: 'decided', approved: true })
    expect(result.summary).toBe('Rejected 2 suggested changes')
    expect(view(doc, 'accepted')).toBe('See old fat cat.\n\nGo now.')
    const none = await succeed(session, 'decide_change', { all: true, decision: 'accept' })
    expect(none.details).toEqual({ changeIds: [] })
  })

  test('waits for approval in mode ask', async () => {
    const { doc, session, first } = await twoChanges('ask')
    const input = { changeId: first, decision: 'accept' }
    const held = await fail(session, 'decide_change', input)
    expect(held).toMatchObject({
      code: 'held',
      message: 'Accept "old" → "new"',
      details: { proposal: [{ before: 'old', after: 'new', block: expect.any(Number) }] },
    })
    expect(readChanges(readNode(doc))).toHaveLength(2)
    const approved = await executeToolCall('decide_change', input, session, { callId: 'run/9', approved: true })
    expect(approved.ok).toBe(true)
    expect(readChanges(readNode(doc))).toHaveLength(1)
  })

  test.each([
    [{ decision: 'accept' }, 'invalid_input'],
    [{ changeId: 'x', all: true, decision: 'accept' }, 'invalid_input'],
    [{ changeId: 'x' }, 'invalid_input'],
    [{ changeId: 'x', decision: 'maybe' }, 'invalid_input'],
    [{ changeId: '__proto__', decision: 'accept' }, 'not_found'],
  ])('%j is %s', async (input, code) => {
    const { session } = await twoChanges()
    expect((await fail(session, 'decide_change', input)).code).toBe(code)
  })

  test('needs a host and the right to change', async () => {
    const { doc, session } = await twoChanges()
    const input = { all: true, decision: 'accept' }
    expect((await fail(sessionOn(doc), 'decide_change', input)).code).toBe('not_configured')
    const { host } = session
    const reader = sessionOn(doc, { canEdit: false, ...(host ? { host } : {}) })
    expect((await fail(reader, 'decide_change', input)).code).toBe('denied')
    expect(textHolding(doc, 'now')).toBeDefined()
  })
})
