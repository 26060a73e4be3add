import { contentTypes } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  fail,
  documentOf,
  documentOfNode,
  markdownOf,
  readNode,
  sessionOn,
  succeed,
} from '../../testing/test-document.ts'
import { schema } from '@copydesk/schema'

async function edited(markdown: string, input: Record<string, unknown>): Promise<string> {
  const doc = documentOf(markdown)
  await succeed(sessionOn(doc), 'edit_document', input)
  return markdownOf(doc)
}

describe('edit_document: one text', () => {
  test('replaces one exact text and reports old, new and the block', async () => {
    const doc = documentOf('# Title\n\nSee teh cat.')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const result = await succeed(session, 'edit_document', { find: 'teh', replace: 'the' })
    expect(markdownOf(doc)).toBe('# Title\n\nSee the cat.')
    expect(result.summary).toBe('teh → the')
    expect(result.text).toBe('Replaced "teh" by "the" in block [1].\nNow:\n[1] See the cat.')
    expect(result.details).toEqual({
      changes: [{ before: 'teh', after: 'the', block: 1 }],
      blocks: [{ before: 'See teh cat.', after: 'See the cat.' }],
    })
  })

  test('changes only the characters that differ', async () => {
    const doc = documentOf('The quick brown fox jumps over the lazy dog.')
    const deltas: unknown[] = []
    doc.getXmlFragment(contentTypes.fragment).observeDeep((events) => {
      for (const event of events) if (event.target instanceof Y.XmlText) deltas.push(event.delta)
    })
    await succeed(sessionOn(doc), 'edit_document', {
      find: 'The quick brown fox jumps over the lazy dog.',
      replace: 'The quick red fox leaps over the lazy dog!',
    })
    expect(deltas).toEqual([
      [
        { retain: 10 },
        { delete: 5 },
        { insert: 'red' },
        { retain: 5 },
        { delete: 3 },
        { insert: 'lea' },
        { retain: 20 },
        { delete: 1 },
        { insert: '!' },
      ],
    ])
    expect(markdownOf(doc)).toBe('The quick red fox leaps over the lazy dog!')
  })

  test.each([
    ['spans formatting and keeps it', 'a **bold** and *it* z', 'bold and it z', 'bold or it z', 'a **bold** or *it* z'],
    ['keeps the mark of what it replaces', 'a **bold** z', 'bold', 'brave', 'a **brave** z'],
    ['keeps a link', '[old words](https://a.example)', 'old words', 'new words', '[new words](https://a.example)'],
    [
      'extends a link that it replaces whole',
      'see [docs](https://a.example)',
      'docs',
      'docs page',
      'see [docs page](https://a.example)',
    ],
    ['reads markup in the new text', 'make it strong', 'strong', '**strong**', 'make it **strong**'],
    ['finds what reading shows', 'a **bold** z', '**bold**', '**brave**', 'a **brave** z'],
    ['takes markup away', 'a **bold** z', '**bold** z', 'bold z', 'a bold z'],
    ['makes a link', 'see docs', 'docs', '[docs](https://a.example)', 'see [docs](https://a.example)'],
    ['leaves what only looks like markup', 'x', 'x', '2 * 3 = a_b_c', '2 * 3 = a_b_c'],
    ['stays literal inside code', 'call `init`', 'init', '__init__', 'call `__init__`'],
    ['edits a cell', '| a | b |\n| - | - |\n| 1 | 2 |', '2', 'two', '| a | b |\n| - | - |\n| 1 | two |'],
    [
      'edits a code block',
      '```js\nlet a = 1\nlet b\n```',
      'a = 1\nlet b',
      'a = **2**\n\nlet c',
      '```js\nlet a = **2**\n\nlet c\n```',
    ],
    [
      'keeps curly quotes that were typed straight',
      'She said “teh end”.',
      '"teh end"',
      '"the end"',
      'She said “the end”.',
    ],
    ['finds across a no-break space', 'about 10\u00A0km away', '10 km', '12 km', 'about 12\u00A0km away'],
    ['finds decomposed accents', 'a cafe\u0301 here', 'caf\u00e9', 'bar', 'a bar here'],
    ['ignores the list marker that reading shows', '- one\n- two', '- two', '- three', '- one\n- three'],
    ['replaces inline code named as such', 'call `init`', '`init`', '`start` now', 'call `start` now'],
    ['replaces a formula', 'so $x^2$ is', '$x^2$', '$y^2$', 'so $y^2$ is'],
    ['ticks a task', '- [ ] do it\n- [ ] more', '- [ ] do it', '- [x] do it', '- [x] do it\n- [ ] more'],
    ['ticks and rewords a task', '- [ ] do it now', '- [ ] do it', '- [x] did it', '- [x] did it now'],
    ['keeps a hard break', 'one\\\ntwo', 'one\ntwo', 'one\nthree', 'one\\\nthree'],
    ['ignores the marker of a quote', '> old', '> old', '> new', '> new'],
    ['changes a heading level', '# T\n\n## Sub', '## Sub', '### Sub', '# T\n\n### Sub'],
    ['removes a block whose text goes', 'a\n\nb\n\nc', 'b', '', 'a\n\nc'],
    ['removes an item whose text goes', '- a\n- b\n- c', 'b', '', '- a\n- c'],
    ['keeps emoji whole', 'ok 😀 go', '😀', '😁', 'ok 😁 go'],
    ['adds blocks for further lines', 'a\n\nb', 'b', 'b1\n\nb2', 'a\n\nb1\n\nb2'],
    ['adds items for further lines', '- a\n- b', 'a', 'a1\n- a2', '- a1\n- a2\n- b'],
  ])('%s', async (_title, markdown, find, replace, expected) => {
    expect(await edited(markdown, { find, replace })).toBe(expected)
  })

  test('fills a document that is empty altogether', async () => {
    const doc = new Y.Doc()
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const result = await succeed(session, 'edit_document', { block: 0, find: '', replace: 'Hello' })
    expect(result.summary).toBe('(empty) → Hello')
    expect(markdownOf(doc)).toBe('Hello')
  })

  test('fills an empty block', async () => {
    const { nodes } = schema
    const doc = documentOfNode(
      schema.node('doc', null, [nodes.heading!.create({ level: 1 }, schema.text('T')), nodes.paragraph!.create()]),
    )
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await succeed(session, 'edit_document', { block: 1, find: '', replace: 'Hello' })
    expect(markdownOf(doc)).toBe('# T\n\nHello')
  })

  test('treats a mention as one piece', async () => {
    const mention = schema.node('mention', { id: 'bob', label: 'bob', kind: 'person' })
    const paragraph = schema.node('paragraph', null, [schema.text('ask '), mention, schema.text(' about it')])
    const doc = documentOfNode(schema.node('doc', null, [paragraph]))
    const session = sessionOn(doc)
    const partly = await fail(session, 'edit_document', { find: 'ask @b', replace: 'x' })
    expect(partly.code).toBe('invalid_operation')
    await succeed(session, 'edit_document', { find: 'ask @bob about', replace: 'tell @bob of' })
    expect(readNode(doc).toString()).toBe('doc(paragraph("tell ", mention, " of it"))')
    await succeed(session, 'edit_document', { find: 'tell @bob', replace: 'tell @bobby' })
    expect(readNode(doc).textContent).toBe('tell @bobby of it')
  })
})

describe('edit_document: several blocks', () => {
  test.each([
    ['edits each line', '- a one\n- b two\n- c', 'a one\nb two', 'a 1\nb 2', '- a 1\n- b 2\n- c'],
    ['takes markers and blank lines', 'P1.\n\nP2.', 'P1.\n\nP2.', 'Q1.\n\nQ2.', 'Q1.\n\nQ2.'],
    ['removes lines', '- a\n- b\n- c', '- a\n- b\n- c', '- a\n- c', '- a\n- c'],
    ['adds lines', '- a\n- b', '- a\n- b', '- a\n- x\n- b', '- a\n- x\n- b'],
    ['removes all', 'z\n\na\n\nb', 'a\n\nb', '', 'z'],
    ['joins blocks', 'One end.\n\nStart two.', 'end.\n\nStart', 'end, start', 'One end, start two.'],
    ['joins items', '- One end.\n- Start two.', 'end.\nStart', 'end, start', '- One end, start two.'],
    ['joins and splits', 'One a\n\nb two', 'a\nb', 'x\ny\nz', 'One x\n\ny\n\nz two'],
    ['splits items', '- One a\n- b two', 'a\nb', 'x\ny\nz', '- One x\n- y\n- z two'],
  ])('%s', async (_title, markdown, find, replace, expected) => {
    expect(await edited(markdown, { find, replace })).toBe(expected)
  })

  test('does not reach into another section', async () => {
    const session = sessionOn(documentOf('# T\n\na\n\n## S\n\nb'))
    const result = await fail(session, 'edit_document', { find: 'a\n\n## S', replace: 'x' })
    expect(result.code).toBe('invalid_operation')
    expect(result.hint).toContain('one section')
  })
})

describe('edit_document: failures', () => {
  test('not_found names the nearest text', async () => {
    const session = sessionOn(documentOf('# Plan\n\nThe quick brown fox.'))
    const result = await fail(session, 'edit_document', { find: 'quick borwn fox', replace: 'x' })
    expect(result.code).toBe('not_found')
    expect(result.hint).toContain('Did you mean "quick brown fox')
    expect(result.hint).toContain('[1]')
    expect(result.hint).toContain('search_document')
    expect(result.text).toContain('not_found')
    const sameButCase = await fail(session, 'edit_document', { find: 'the Quick', replace: 'x' })
    expect(sameButCase.hint).toContain('Did you mean "The quick"')
  })

  test('not_found in a block says where it is', async () => {
    const session = sessionOn(documentOf('alpha\n\nbeta'))
    await succeed(session, 'read_document')
    const result = await fail(session, 'edit_document', { find: 'beta', replace: 'x', block: 0 })
    expect(result.hint).toContain('block [1]')
  })

  test('ambiguous numbers the places; occurrence and block choose', async () => {
    const doc = documentOf('one cat, two cat\n\nthree cat')
    const session = sessionOn(doc)
    const result = await fail(session, 'edit_document', { find: 'cat', replace: 'dog' })
    expect(result.code).toBe('ambiguous')
    expect(result.message).toContain('1. [0] one [[cat]], two cat')
    expect(result.message).toContain('3. [1] three [[cat]]')
    expect(result.hint).toContain('occurrence')
    await succeed(session, 'edit_document', { find: 'cat', replace: 'dog', occurrence: 'last' })
    await succeed(session, 'edit_document', { find: 'cat', replace: 'cow', occurrence: 2 })
    await succeed(session, 'edit_document', { find: 'cat', replace: 'hen', block: '0' })
    expect(markdownOf(doc)).toBe('one hen, two cow\n\nthree dog')
    const beyond = await fail(session, 'edit_document', { find: 'dog', replace: 'x', occurrence: 4 })
    expect(beyond.code).toBe('out_of_range')
    expect(beyond.hint).toContain('1 to 1')
  })

  test('a number not yet shown is out_of_range, a leaf has only its markdown', async () => {
    const session = sessionOn(documentOf('a\n\n---\n\nb'))
    const unseen = await fail(session, 'edit_document', { find: 'a', replace: 'x', block: 0 })
    expect(unseen.code).toBe('out_of_range')
    await succeed(session, 'read_document')
    expect((await fail(session, 'edit_document', { find: 'a', replace: 'x', block: 9 })).code).toBe('out_of_range')
    expect((await fail(session, 'edit_document', { find: 'a', replace: 'x', block: 1 })).code).toBe('not_found')
  })

  test('invalid_input names the field; too_large the limit', async () => {
    const session = sessionOn(documentOf('a'), { limits: { findCharacters: 10 } })
    const invalid = await fail(session, 'edit_document', { find: 3, replace: 'x', occurrence: 'third' })
    expect(invalid.code).toBe('invalid_input')
    expect(invalid.hint).toContain('find:')
    expect(invalid.hint).toContain('occurrence:')
    expect((await fail(session, 'edit_document', { find: 'x'.repeat(11), replace: '' })).code).toBe('too_large')
    expect((await fail(session, 'edit_document', { find: '', replace: 'x' })).code).toBe('invalid_input')
  })

  test('what is already so changes nothing', async () => {
    const doc = documentOf('a')
    let updates = 0
    doc.on('update', () => updates++)
    const result = await succeed(sessionOn(doc), 'edit_document', { find: 'a', replace: 'a' })
    expect(result.summary).toBe('Nothing to change')
    expect(updates).toBe(0)
  })
})

describe('edit_document: frontmatter', () => {
  test('only block frontmatter changes it', async () => {
    const doc = documentOf('---\ntitle: teh plan\ntags: [a]\n---\n\n# teh plan')
    const session = sessionOn(doc)
    const result = await succeed(session, 'edit_document', { block: 'frontmatter', find: 'teh', replace: 'the' })
    expect(doc.getMap(contentTypes.meta).get('frontmatter')).toBe('title: the plan\ntags: [a]')
    expect(result.details).toMatchObject({ changes: [{ before: 'teh', after: 'the', block: 'frontmatter' }] })
    await succeed(session, 'edit_document', { find: 'teh', replace: 'the' })
    expect(markdownOf(doc)).toBe('# the plan')
    expect((await fail(session, 'edit_document', { block: 'frontmatter', find: 'zz', replace: '' })).code).toBe(
      'not_found',
    )
    expect((await fail(session, 'edit_document', { block: 'frontmatter', find: 't', replace: '' })).code).toBe(
      'ambiguous',
    )
    const fence = await fail(session, 'edit_document', { block: 'frontmatter', find: 'tags', replace: '---\n' })
    expect(fence.code).toBe('invalid_operation')
  })

  test('an empty find creates it where there is none', async () => {
    const doc = documentOf('# T')
    await succeed(sessionOn(doc), 'edit_document', { block: 'frontmatter', find: '', replace: 'lang: en' })
    expect(doc.getMap(contentTypes.meta).get('frontmatter')).toBe('lang: en')
  })
})
