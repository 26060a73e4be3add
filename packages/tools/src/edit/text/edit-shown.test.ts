import { schema } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import {
  call,
  documentOf,
  documentOfNode,
  fail,
  markdownOf,
  readNode,
  sessionOn,
  succeed,
} from '../../testing/test-document.ts'

const table = '| City | n |\n| - | - |\n| Ghent | 31 |\n| Lille | 2 |'
const small = '<img src="/a.png" alt="a" width="300">'
const large = '<img src="/a.png" alt="a" width="50%" align="center">'
const fenced = '```js\nlet a = 1\n```'

async function edited(markdown: string, input: Record<string, unknown>): Promise<string> {
  const doc = documentOf(markdown)
  const session = sessionOn(doc)
  await succeed(session, 'read_document')
  await succeed(session, 'edit_document', input)
  return markdownOf(doc)
}

describe('edit_document finds what reads show', () => {
  test.each([
    ['a table row', table, '| Ghent | 31 |', '| Gent | 32 |', '| City | n |\n| - | - |\n| Gent | 32 |\n| Lille | 2 |'],
    ['a part of a row', table, 'Ghent | 31', 'Gent | 32', '| City | n |\n| - | - |\n| Gent | 32 |\n| Lille | 2 |'],
    ['a row with its number', table, '[1] | Ghent | 31 |', '', '| City | n |\n| - | - |\n| Lille | 2 |'],
    [
      'several rows',
      table,
      '| Ghent | 31 |\n| Lille | 2 |',
      '| Ghent | 30 |\n| Lille | **3** |',
      '| City | n |\n| - | - |\n| Ghent | 30 |\n| Lille | **3** |',
    ],
    [
      'a row with an empty cell',
      '| a | b |\n| - | - |\n|  | z |',
      '|  | z |',
      '| y | z |',
      '| a | b |\n| - | - |\n| y | z |',
    ],
    [
      'the head with the line below it',
      table,
      '| City | n |\n| - | - |\n| Ghent | 31 |',
      '| Town | n |\n| - | - |\n| Ghent | 30 |',
      '| Town | n |\n| - | - |\n| Ghent | 30 |\n| Lille | 2 |',
    ],
    ['a row, to add one', table, '| Lille | 2 |', '| Lille | 2 |\n| Tours | 4 |', `${table}\n| Tours | 4 |`],
    ['a head row', table, '| City | n |', '| Town | n |', table.replace('City', 'Town')],
    ['a code block with its fences', fenced, fenced, '```ts\nlet a = 2\n```', '```ts\nlet a = 2\n```'],
    ['the language of a code block', `x\n\n${fenced}`, '```js', '```ts', `x\n\n${fenced.replace('js', 'ts')}`],
    ['a list marker with its text', '- one\n- two', '- two', '- three', '- one\n- three'],
    ['an escape', 'costs \\$29 and $30', '\\$29', '$31', 'costs \\$31 and \\$30'],
    ['no escape', 'costs \\$29 and $30', '$29', '$31', 'costs \\$31 and \\$30'],
    ['half of a bold text', 'see **bold words** here', 'see **bold', 'see **brave', 'see **brave words** here'],
    [
      'the address of a link',
      'see [here](https://a.example/fees).',
      'https://a.example/fees',
      'https://b.example',
      'see [here](https://b.example).',
    ],
    [
      'a link by its address',
      '[here](https://a.example/) [here](https://a.example/fees)',
      '[here](https://a.example/fees)',
      '[fees](https://a.example/fees)',
      '[here](https://a.example/) [fees](https://a.example/fees)',
    ],
    ['an image', 'x\n\n![old](/a.png)', '![old](/a.png)', '![new](/a.png)', 'x\n\n![new](/a.png)'],
    ['the alternative text of an image', 'x\n\n![old](/a.png)', 'old', 'new', 'x\n\n![new](/a.png)'],
    ['an image, to remove it', 'x\n\n![old](/a.png)', '![old](/a.png)', '', 'x'],
    ['the caption of an image', '![a](/a.png "Old")', 'Old', 'New', '![a](/a.png "New")'],
    ['an image, to give it a width', '![a](/a.png)', '![a](/a.png)', small, small],
    ['the width of an image', small, 'width="300"', 'width="50%" align="center"', large],
    ['an image, to take its width away', small, ' width="300"', '', '![a](/a.png)'],
    ['a formula', 'x\n\n$$\na^2\n$$', '$$\na^2\n$$', '$$\nb^2\n$$', 'x\n\n$$\nb^2\n$$'],
    ['a part of a formula', 'x\n\n$$\na^2 + c\n$$', 'a^2', 'b^2', 'x\n\n$$\nb^2 + c\n$$'],
    ['a part of a formula in a line', 'so $a^2 + c$ is', 'a^2', 'b^2', 'so $b^2 + c$ is'],
    ['a rule', 'x\n\n***\n\ny', '---', '', 'x\n\ny'],
    ['a rule, to become text', 'x\n\n***\n\ny', '***', 'between', 'x\n\nbetween\n\ny'],
    ['the box of a task', '- [ ] one\n- [ ] two', '[ ] two', '[x] two', '- [ ] one\n- [x] two'],
  ])('%s', async (_title, markdown, find, replace, expected) => {
    expect(await edited(markdown, { find, replace })).toBe(expected)
  })

  test('a block of its own: an image, a formula and a rule by their number', async () => {
    const doc = documentOf('x\n\n![old](/a.png)\n\n$$\na\n$$\n\n***')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await succeed(session, 'edit_document', { block: 1, find: 'a.png', replace: 'b.png' })
    await succeed(session, 'edit_document', { block: 2, find: 'a', replace: 'b' })
    await succeed(session, 'edit_document', { block: 3, find: '***', replace: '' })
    expect(markdownOf(doc)).toBe('x\n\n![old](/b.png)\n\n$$\nb\n$$')
    const torn = await fail(session, 'edit_document', { block: 1, find: '(/b.png)', replace: '(/b.png) and more' })
    expect(torn.code).toBe('invalid_operation')
    const failed = await fail(session, 'edit_document', { block: 1, find: 'c.png', replace: 'd' })
    expect(failed).toMatchObject({ code: 'not_found', hint: 'The block reads: ![old](/b.png)' })
  })

  test('an image keeps its comments and its link, and its width when another part of it is changed', async () => {
    const image = schema.node('image', { src: '/a.png', alt: 'old', width: 200, href: '/b', threads: 't1' })
    const doc = documentOfNode(schema.node('doc', null, [image]))
    await succeed(sessionOn(doc), 'edit_document', { find: 'alt="old"', replace: 'alt="new"' })
    expect(readNode(doc).firstChild?.attrs).toMatchObject({ alt: 'new', width: 200, href: '/b', threads: 't1' })
  })

  test('other cells, marks and the head of a table stay', async () => {
    const doc = documentOf('| **A** | b |\n| - | :-: |\n| *c* | [d](https://d.example) |')
    await succeed(sessionOn(doc), 'edit_document', { find: '| **A** | b |', replace: '| **A** | B |' })
    expect(markdownOf(doc)).toBe(
      '| **A** | B |\n| ----- | :-: |\n| *c* | [d](https://d.example) |'.replace('| ----- |', '| - |'),
    )
  })

  test('merged cells are edited as they are shown, and no row is put between them', async () => {
    const cell = (text: string, attributes = {}) =>
      schema.node('tableCell', attributes, schema.node('paragraph', null, schema.text(text)))
    const row = (...cells: ReturnType<typeof cell>[]) => schema.node('tableRow', null, cells)
    const merged = [
      row(cell('wide', { colspan: 2 }), cell('C')),
      row(cell('tall', { rowspan: 2 }), cell('x'), cell('y')),
      row(cell('p'), cell('q')),
    ]
    const doc = documentOfNode(schema.node('doc', null, [schema.node('table', null, merged)]))
    const session = sessionOn(doc)
    const changes = [
      ['| wide | | C |', '| wider | | D |'],
      ['| tall | x | y |', '| taller | x | z |'],
      ['| p | q |', '| p | r |'],
    ] as const
    for (const [find, replace] of changes) {
      const { text } = await succeed(session, 'edit_document', { find, replace })
      expect(text).toContain(`] ${replace}`)
    }
    const spanned = { find: '| wider | | D |', replace: '| wider | no | D |' }
    expect(await fail(session, 'edit_document', spanned)).toMatchObject({ code: 'invalid_operation' })
    const between = { position: { type: 'block', block: 1, placement: 'after' }, content: '| a | b | c |' }
    expect(await fail(session, 'insert_text', between)).toMatchObject({ code: 'invalid_position' })
    const after = { position: { type: 'block', block: 2, placement: 'after' }, content: '| a | b | c |' }
    await succeed(session, 'insert_text', after)
    expect(readNode(doc).child(0).childCount).toBe(4)
  })

  test('with a wrong number of cells or another list marker the error says what is possible', async () => {
    const cells = await fail(sessionOn(documentOf(table)), 'edit_document', {
      find: '| Ghent | 31 |',
      replace: '| Ghent |',
    })
    expect(cells).toMatchObject({ code: 'invalid_operation', message: 'Row [1] has 2 cells, and keeps them.' })
    const none = await fail(sessionOn(documentOf(table)), 'edit_document', { find: '| Gent | 99 |', replace: 'x' })
    expect(none.hint).toContain('A table row is matched as the whole line that reads show')
    const everywhere = { searchText: '| Ghent | 31 |', newText: 'x' }
    const refused = await fail(sessionOn(documentOf(table)), 'replace_text', everywhere)
    expect(refused.hint).toContain('edit_document takes what reads show')
    const address = { find: 'https://a.example', replace: 'x' }
    const linked = await fail(sessionOn(documentOf('[a](https://a.example)')), 'replace_text', address)
    expect(linked.hint).toContain('edit_document takes what reads show')
  })

  test('several links with one text are listed with their addresses', async () => {
    const doc = documentOf('[here](https://a.example/) and [here](https://a.example/fees)')
    const result = await fail(sessionOn(doc), 'edit_document', { find: 'here', replace: 'x' })
    expect(result.message).toContain('(link to https://a.example/fees)')
    const other = await fail(sessionOn(doc), 'edit_document', { find: '[here](https://b.example)', replace: 'x' })
    expect(other.hint).toMatch(
      /^"here" is a link to https:\/\/a\.example\/ in block \[0\], https:.*fees in block \[0\]\./,
    )
  })
})

describe('other tools find what reads show too', () => {
  test('a comment on a row, an insertion after a code block, a suggestion for an image and for an address', async () => {
    const doc = documentOf(`${table}\n\n${fenced}\n\n![old](/a.png)\n\n[here](https://a.example)`)
    const session = sessionOn(doc)
    const position = { type: 'relative', anchor: fenced, placement: 'after' }
    await succeed(session, 'insert_text', { position, content: 'After.' })
    expect(markdownOf(doc)).toContain('```\n\nAfter.\n\n![old]')
    const highlight = await call(session, 'highlight_text', { search: '| Ghent | 31 |' })
    expect(highlight.ok ? '' : highlight.code).toBe('not_configured')
    for (const [search, replaceWith] of [
      ['![old](/a.png)', '![new](/a.png)'],
      ['https://a.example', 'https://b.example'],
      ['| Lille | 2 |', '| Lille | 3 |'],
    ] as const) {
      const result = await succeed(session, 'suggest_replacement', { search, replaceWith })
      expect(result.text).toContain('Suggested replacing')
    }
    const read = await succeed(session, 'read_document')
    for (const shown of ['![new](/a.png)', '(https://b.example)', '| Lille | 3 |']) expect(read.text).toContain(shown)
  })
})

describe('reads show no escapes of the exporter', () => {
  test.each([
    ['spaces at the ends', ' lead and trail ', '[0]  lead and trail '],
    ['a price', 'costs $29 and $30', '[0] costs $29 and $30'],
    ['what would be read as markdown keeps them', 'a *b* c', '[0] a \\*b\\* c'],
    ['what would be read as a list', '1. x', '[0] 1\\. x'],
  ])('%s', async (_title, text, line) => {
    const doc = documentOfNode(schema.node('doc', null, [schema.node('paragraph', null, schema.text(text))]))
    const session = sessionOn(doc)
    const { text: read } = await succeed(session, 'read_document')
    expect(read.split('\n\n')[1]).toBe(line)
    await succeed(session, 'edit_document', { find: line.slice(4), replace: 'done' })
    expect(readNode(doc).textContent.trim()).toBe('done')
  })
})
