import { schema } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  documentOf,
  documentOfNode,
  fail,
  markdownOf,
  readNode,
  sessionOn,
  succeed,
  textHolding,
} from '../../testing/test-document.ts'

async function inserted(markdown: string, position: unknown, content: string, as?: string): Promise<string> {
  const doc = documentOf(markdown)
  const session = sessionOn(doc)
  await succeed(session, 'read_document')
  await succeed(session, 'insert_text', { position, content, ...(as ? { as } : {}) })
  return markdownOf(doc)
}

const table = '| a | b |\n| - | - |\n| 1 | 2 |'

describe('insert_text', () => {
  test.each([
    ['start precedes the title', '# T', { type: 'absolute', location: 'start' }, 'Before', 'Before\n\n# T'],
    ['end', '# T\n\na', { type: 'absolute', location: 'end' }, '## S\n\n- x\n- y', '# T\n\na\n\n## S\n\n- x\n- y'],
    ['into an empty document', '', { type: 'absolute', location: 'end' }, '# T\n\nText', '# T\n\nText'],
    ['into an empty document, no paragraph', '', { type: 'absolute', location: 'end' }, '# T', '# T'],
    ['before a block', 'a\n\nb', { type: 'block', block: 1, placement: 'before' }, 'x', 'a\n\nx\n\nb'],
    ['after a block', 'a\n\nb', { type: 'block', block: 0, placement: 'after' }, 'x\n\ny', 'a\n\nx\n\ny\n\nb'],
    [
      'a line beside an item is an item',
      '- a\n- b',
      { type: 'block', block: 0, placement: 'after' },
      'x',
      '- a\n- x\n- b',
    ],
    [
      'a list beside an item joins it',
      '- a\n- b',
      { type: 'block', block: 1, placement: 'after' },
      '- x\n- y',
      '- a\n- b\n- x\n- y',
    ],
    [
      'a task beside a task',
      '- [ ] a',
      { type: 'block', block: 0, placement: 'before' },
      '- [x] z',
      '- [x] z\n- [ ] a',
    ],
    [
      'with a leading blank line: a paragraph after the list',
      '- a\n- b',
      { type: 'block', block: 1, placement: 'after' },
      '\nx',
      '- a\n- b\n\nx',
    ],
    [
      'a heading before a list',
      '- a\n- b',
      { type: 'block', block: 0, placement: 'before' },
      '## S',
      '## S\n\n- a\n- b',
    ],
    [
      'out of nested lists',
      '- a\n  - b',
      { type: 'block', block: 1, placement: 'after' },
      '## S',
      '- a\n  - b\n\n## S',
    ],
    ['never splits a list', '- a\n- b', { type: 'block', block: 0, placement: 'after' }, '> q', '- a\n\n  > q\n\n- b'],
    [
      'never splits a list, before',
      '- a\n- b',
      { type: 'block', block: 1, placement: 'before' },
      '> q',
      '- a\n\n  > q\n\n- b',
    ],
    ['a quote joins a quote', '> a', { type: 'block', block: 0, placement: 'after' }, '> b', '> a\n>\n> b'],
    ['rows', table, { type: 'block', block: 1, placement: 'after' }, '| 3 | 4 |', `${table}\n| 3 | 4 |`],
    [
      'rows, filled up',
      table,
      { type: 'block', block: 0, placement: 'after' },
      '| 3 |',
      '| a | b |\n| - | - |\n| 3 | |\n| 1 | 2 |',
    ],
    ['after a table', table, { type: 'block', block: 1, placement: 'after' }, 'x', `${table}\n\nx`],
    ['before a table', table, { type: 'block', block: 0, placement: 'before' }, 'x', `x\n\n${table}`],
    [
      'a phrase after a text',
      'one three',
      { type: 'relative', anchor: 'one', placement: 'after' },
      ' **two**',
      'one **two** three',
    ],
    [
      'a phrase before a text',
      'one three',
      { type: 'relative', anchor: 'three', placement: 'before' },
      'two ',
      'one two three',
    ],
    [
      'beside bold, not bold',
      '**one** three',
      { type: 'relative', anchor: 'one', placement: 'after' },
      ' two',
      '**one** two three',
    ],
    [
      'within bold, bold',
      '**one three**',
      { type: 'relative', anchor: 'one', placement: 'after' },
      ' two',
      '**one two three**',
    ],
    [
      'after a link, no link',
      'a [one](https://a.example)',
      { type: 'relative', anchor: 'one', placement: 'after' },
      ' two',
      'a [one](https://a.example) two',
    ],
    [
      'blocks after the block of a text',
      'a one b\n\nc',
      { type: 'relative', anchor: 'one', placement: 'after' },
      'x\n\ny',
      'a one b\n\nx\n\ny\n\nc',
    ],
    [
      'lines after the end of a text',
      'Some intro.\n\nc',
      { type: 'relative', anchor: 'intro.', placement: 'after' },
      'Example 1: …\nExample 2: …',
      'Some intro.\n\nExample 1: …\n\nExample 2: …\n\nc',
    ],
    [
      'a leading blank line makes a block',
      'a one b\n\nc',
      { type: 'relative', anchor: 'one', placement: 'after' },
      '\n\nx',
      'a one b\n\nx\n\nc',
    ],
    [
      'in a cell',
      table,
      { type: 'relative', anchor: '2', placement: 'after' },
      '5',
      '| a | b |\n| - | - |\n| 1 | 25 |',
    ],
    [
      'in code, literally',
      '```\nab\n```',
      { type: 'relative', anchor: 'a', placement: 'after' },
      '**x**',
      '```\na**x**b\n```',
    ],
  ])('%s', async (_title, markdown, position, content, expected) => {
    expect(await inserted(markdown, position, content)).toBe(expected)
  })

  test('as overrides what the content suggests', async () => {
    const position = { type: 'relative', anchor: 'a', placement: 'after' }
    expect(await inserted('a b', position, 'x', 'block')).toBe('a b\n\nx')
    expect(await inserted('a b', { type: 'absolute', location: 'end' }, ' x', 'inline')).toBe('a b x')
    const refused = await fail(sessionOn(documentOf('a b')), 'insert_text', {
      position,
      content: 'x\n\ny',
      as: 'inline',
    })
    expect(refused.code).toBe('invalid_operation')
  })

  test('at the selection: after a range, at a bare caret, none is no_selection', async () => {
    const doc = documentOf('one two three')
    const text = textHolding(doc, 'one')
    const at = (index: number): Y.RelativePosition => Y.createRelativePositionFromTypeIndex(text, index)
    const position = { type: 'selection' }
    const session = sessionOn(doc, { selection: () => ({ anchor: at(7), head: at(4) }) })
    await succeed(session, 'insert_text', { position, content: ' and a half' })
    expect(markdownOf(doc)).toBe('one two and a half three')
    const caret = sessionOn(doc, { selection: () => ({ anchor: at(3), head: at(3) }) })
    await succeed(caret, 'insert_text', { position, content: ',' })
    await succeed(caret, 'insert_text', { position, content: '- item' })
    expect(markdownOf(doc)).toBe('one, two and a half three\n\n- item')
    const none = await fail(sessionOn(doc), 'insert_text', { position, content: 'x' })
    expect(none.code).toBe('no_selection')
    expect(none.hint).toContain('select')
  })

  test('fills the empty paragraph at the caret and keeps its Y type', async () => {
    const { nodes } = schema
    const doc = documentOfNode(
      schema.node('doc', null, [nodes.paragraph!.create(null, schema.text('a')), nodes.paragraph!.create()]),
    )
    const type = doc.getXmlFragment('default').get(1) as Y.XmlElement
    const caret = Y.createRelativePositionFromTypeIndex(type, 0)
    const session = sessionOn(doc, { selection: () => ({ anchor: caret, head: caret }) })
    await succeed(session, 'insert_text', { position: { type: 'selection' }, content: '## S\n\nText' })
    expect(markdownOf(doc)).toBe('a\n\n## S\n\nText')
    expect(doc.getXmlFragment('default').get(2)).toBe(type)
  })

  test('the result shows what was made, and the next call can use it', async () => {
    const doc = documentOf('a')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const result = await succeed(session, 'insert_text', {
      position: { type: 'absolute', location: 'end' },
      content: '- x\n- y',
    })
    expect(result.text).toBe('Inserted at the end.\nNow:\n[1], new, after [0]: - x\n[2], new, after [1]: - y')
    expect(result.details).toEqual({
      changes: [{ before: '', after: '- x\n- y', block: 1 }],
      blocks: [
        { before: '', after: 'x' },
        { before: '', after: 'y' },
      ],
    })
    await succeed(session, 'edit_document', { block: 2, find: 'y', replace: 'z' })
    await succeed(session, 'insert_text', { position: { type: 'block', block: 1, placement: 'after' }, content: 'w' })
    expect(markdownOf(doc)).toBe('a\n\n- x\n- w\n- z')
  })

  test('failures', async () => {
    const doc = documentOf(`[one two](https://a.example) x x\n\n${table}\n\n---`)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const code = async (position: unknown, content = 'y', as?: string): Promise<string> =>
      (await fail(session, 'insert_text', { position, content, ...(as ? { as } : {}) })).code
    const beside = (anchor: string, more = {}) => ({ type: 'relative', anchor, placement: 'after', ...more })
    expect(await code(beside('one'))).toBe('invalid_position')
    expect(await code(beside('zebra'))).toBe('not_found')
    expect(await code(beside('x'))).toBe('ambiguous')
    expect(await code(beside('x', { occurrence: 3 }))).toBe('out_of_range')
    expect(await code({ type: 'block', block: 1, placement: 'after' })).toBe('invalid_position')
    expect(await code({ type: 'block', block: 1, placement: 'before' }, '| 1 | 2 |')).toBe('invalid_position')
    expect(await code({ type: 'block', block: 2, placement: 'after' }, '| 1 | 2 | 3 |')).toBe('invalid_input')
    expect(await code({ type: 'block', block: 3, placement: 'after' }, 'x', 'inline')).toBe('invalid_position')
    expect(await code({ type: 'block', block: 44, placement: 'after' })).toBe('out_of_range')
    expect(await code({ type: 'nowhere' })).toBe('invalid_input')
    expect(await code({ type: 'absolute', location: 'end' }, ' \n ')).toBe('invalid_input')
    expect(await code({ type: 'absolute', location: 'end' }, '')).toBe('invalid_input')
    expect(await code({ type: 'absolute', location: 'end' }, 'x'.repeat(200_001))).toBe('too_large')
    expect(readNode(doc).childCount).toBe(3)
  })

  test('inside a mention is invalid_position', async () => {
    const mention = schema.node('mention', { id: 'bob', label: 'bob', kind: 'person' })
    const doc = documentOfNode(
      schema.node('doc', null, [schema.node('paragraph', null, [schema.text('hi '), mention])]),
    )
    const session = sessionOn(doc)
    const inside = { type: 'relative', anchor: 'hi @b', placement: 'after' }
    expect((await fail(session, 'insert_text', { position: inside, content: 'x' })).code).toBe('invalid_position')
    await succeed(session, 'insert_text', { position: { ...inside, anchor: '@bob' }, content: '!' })
    expect(readNode(doc).toString()).toBe('doc(paragraph("hi ", mention, "!"))')
  })

  test('a position sent as a JSON string is understood', async () => {
    const doc = documentOf('a')
    const position = JSON.stringify({ type: 'absolute', location: 'end' })
    await succeed(sessionOn(doc), 'insert_text', { position, content: 'b' })
    expect(markdownOf(doc)).toBe('a\n\nb')
  })
})
