import { contentTypes, schema } from '@copydesk/schema'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
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
  textHolding,
  typeBeside,
} from '../../testing/test-document.ts'

const text = (value: string, more: object = {}): object => ({ type: 'text', value, ...more })
const blocks = (block: number, to?: number): object => ({ type: 'block', block, ...(to === undefined ? {} : { to }) })

async function formatted(markdown: string, target: object, format: object, remove?: boolean): Promise<string> {
  const doc = documentOf(markdown)
  const session = sessionOn(doc)
  await succeed(session, 'read_document')
  await succeed(session, 'apply_formatting', { target, format, ...(remove === undefined ? {} : { remove }) })
  readNode(doc)
  return markdownOf(doc)
}

function selecting(doc: Y.Doc, holder: string, from: string, to: string) {
  const type = textHolding(doc, holder)
  const plain = type.toString()
  const at = (offset: number): Y.RelativePosition => Y.createRelativePositionFromTypeIndex(type, offset)
  return { anchor: at(plain.indexOf(from)), head: at(plain.indexOf(to) + to.length) }
}

describe('apply_formatting: text', () => {
  test('formats every occurrence and says where', async () => {
    const doc = documentOf('A note.\n\nNo.\n\n- note and note')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const result = await succeed(session, 'apply_formatting', { target: text('note'), format: { type: 'bold' } })
    expect(markdownOf(doc)).toBe('A **note**.\n\nNo.\n\n- **note** and **note**')
    expect(result.text.split('\n')[0]).toBe('Formatted "note", 3 places, in blocks [0], [2]: bold.')
    expect(result.summary).toBe('3 places: bold')
    expect(result.details).toMatchObject({ count: 3 })
  })

  test.each([
    ['bold', 'a x b', { type: 'bold' }, 'a **x** b'],
    ['italic', 'a x b', { type: 'italic' }, 'a *x* b'],
    ['strike', 'a x b', { type: 'strike' }, 'a ~~x~~ b'],
    ['code', 'a x b', { type: 'code' }, 'a `x` b'],
    ['underline', 'a x b', { type: 'underline' }, 'a <u>x</u> b'],
    ['highlight', 'a x b', { type: 'highlight' }, 'a <mark>x</mark> b'],
    ['link', 'a x b', { type: 'link', href: 'https://a.example' }, 'a [x](https://a.example) b'],
    ['another address', '[x](https://b.example)', { type: 'link', href: '/p' }, '[x](/p)'],
    ['bold within italic', 'a *x y* b', { type: 'bold' }, 'a *__x__ y* b'],
    ['in cells', '| x | y |\n| - | - |\n| 1 | x |', { type: 'bold' }, '| **x** | y |\n| - | - |\n| 1 | **x** |'],
  ] as const)('sets %s', async (_title, markdown, format, expected) => {
    expect(await formatted(markdown, text('x'), format)).toBe(expected)
  })

  test.each([
    ['one occurrence', 'x x x', text('x', { occurrence: 2 }), { type: 'bold' }, undefined, 'x **x** x'],
    ['the last', 'x x x', text('x', { occurrence: 'last' }), { type: 'bold' }, undefined, 'x x **x**'],
    ['a whole block', 'one *two*\n\nthree', blocks(0), { type: 'bold' }, undefined, '**one _two_**\n\nthree'],
    ['blocks', 'one\n\ntwo\n\nthree', blocks(0, 1), { type: 'italic' }, undefined, '*one*\n\n*two*\n\nthree'],
    [
      'all but code blocks',
      'one\n\n```\ntwo\n```',
      { type: 'all' },
      { type: 'bold' },
      undefined,
      '**one**\n\n```\ntwo\n```',
    ],
    ['bold away', 'a **x** b', text('x'), { type: 'bold' }, true, 'a x b'],
    ['a link away', 'a [x](https://a.example) b', text('x'), { type: 'link' }, true, 'a x b'],
    ['all bold away', '**a** *b*\n\n# **c**', { type: 'all' }, { type: 'bold' }, true, 'a *b*\n\n# c'],
    ['what markdown names', '# One\n\ntext', text('# One'), { type: 'italic' }, undefined, '# *One*\n\ntext'],
    [
      'input sent as text',
      'a x',
      JSON.stringify({ type: 'text', value: 'x' }),
      '{"type":"bold"}',
      undefined,
      'a **x**',
    ],
  ] as const)('%s', async (_title, markdown, target, format, remove, expected) => {
    expect(await formatted(markdown, target as object, format as object, remove)).toBe(expected)
  })

  test('sets and never toggles', async () => {
    const doc = documentOf('a **x** b')
    const input = { target: text('x'), format: { type: 'bold' } }
    const result = await succeed(sessionOn(doc), 'apply_formatting', input)
    expect(result.text).toBe('Nothing to change: "x" in block [0] is so already (bold).')
    expect(markdownOf(doc)).toBe('a **x** b')
    expect(doc.getMap('receipts').size).toBe(0)
  })

  test('formats the selection, over mentions and several blocks', async () => {
    const mention = schema.node('mention', { id: 'ada', label: 'Ada', kind: 'person', requestId: 'r', state: 'sent' })
    const doc = documentOfNode(
      schema.node('doc', null, [
        schema.node('paragraph', null, [schema.text('one two '), mention, schema.text(' three')]),
        schema.node('paragraph', null, [schema.text('four five')]),
      ]),
    )
    const first = selecting(doc, 'one', 'two', 'two')
    const last = selecting(doc, 'four', 'four', 'four')
    const session = sessionOn(doc, { selection: () => ({ anchor: first.anchor, head: last.head }) })
    await succeed(session, 'apply_formatting', { target: { type: 'selection' }, format: { type: 'bold' } })
    expect(markdownOf(doc)).toBe('one **two** @Ada **three**\n\n**four** five')
  })

  test.each([
    ['a link without address', 'x', text('x'), { type: 'link' }, 'invalid_input'],
    ['an unsafe address', 'x', text('x'), { type: 'link', href: 'java\nscript:alert(1)' }, 'invalid_input'],
    ['an unknown format', 'x', text('x'), { type: 'blink' }, 'invalid_input'],
    ['a level beyond 6', 'x', text('x'), { type: 'heading', level: 7 }, 'invalid_input'],
    ['text that is not there', 'words', text('wurds'), { type: 'bold' }, 'not_found'],
    ['an occurrence too many', 'x x', text('x', { occurrence: 3 }), { type: 'bold' }, 'out_of_range'],
    ['a block that was not shown', 'x', blocks(9), { type: 'bold' }, 'out_of_range'],
    ['no selection', 'x', { type: 'selection' }, { type: 'bold' }, 'no_selection'],
    ['a code block', '```\nx\n```', text('x'), { type: 'bold' }, 'invalid_operation'],
    ['an image', '![a](/i.png)', blocks(0), { type: 'bold' }, 'invalid_operation'],
    ['text in several blocks', 'x\n\nx', text('x'), { type: 'heading' }, 'ambiguous'],
    ['a heading in a table', '| x |\n| - |\n| 1 |', text('x'), { type: 'heading' }, 'invalid_operation'],
    ['a heading in code', '```\nx\n```', blocks(0), { type: 'heading' }, 'invalid_operation'],
    ['a heading as list item', '- x', blocks(0), { type: 'heading' }, 'invalid_operation'],
    ['a quote of half a list', '- x\n- y', blocks(0), { type: 'blockquote' }, 'invalid_operation'],
  ])('refuses %s', async (_title, markdown, target, format, code) => {
    const doc = documentOf(markdown)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const before = Y.encodeStateAsUpdate(doc)
    const result = await fail(session, 'apply_formatting', { target, format })
    expect(result.code).toBe(code)
    expect(result.hint).not.toBe('')
    expect(Y.encodeStateAsUpdate(doc)).toEqual(before)
  })

  test('a caret is no selection to format, but names its block', async () => {
    const doc = documentOf('one\n\ntwo')
    const { anchor } = selecting(doc, 'two', 'w', 'w')
    const session = sessionOn(doc, { selection: () => ({ anchor, head: anchor }) })
    const target = { type: 'selection' }
    expect((await fail(session, 'apply_formatting', { target, format: { type: 'bold' } })).code).toBe('no_selection')
    await succeed(session, 'apply_formatting', { target, format: { type: 'heading' } })
    expect(markdownOf(doc)).toBe('one\n\n## two')
  })
})

describe('apply_formatting: blocks', () => {
  test.each([
    ['paragraph to heading', 'one\n\ntwo', blocks(1), { type: 'heading' }, undefined, 'one\n\n## two'],
    ['by its text', 'one\n\ntwo', text('tw'), { type: 'heading', level: 3 }, undefined, 'one\n\n### two'],
    ['one of several', 'x\n\nx', text('x', { occurrence: 2 }), { type: 'heading' }, undefined, 'x\n\n## x'],
    ['another level', '## one', blocks(0), { type: 'heading', level: '1' }, undefined, '# one'],
    ['heading to paragraph', '## one', blocks(0), { type: 'paragraph' }, undefined, 'one'],
    ['heading away', '## one', blocks(0), { type: 'heading' }, true, 'one'],
    ['code to paragraph', '```\na\nb\n```', blocks(0), { type: 'paragraph' }, undefined, 'a\\\nb'],
    [
      'paragraphs to one list',
      'a\n\n**b**\n\n## c\n\nd',
      blocks(0, 2),
      { type: 'bulletList' },
      undefined,
      '- a\n- **b**\n- c\n\nd',
    ],
    ['a numbered list', 'a\n\nb', { type: 'all' }, { type: 'orderedList' }, undefined, '1. a\n2. b'],
    ['a task list', 'a\n\nb', { type: 'all' }, { type: 'taskList' }, undefined, '- [ ] a\n- [ ] b'],
    ['bullets to numbers', '- a\n- b', { type: 'all' }, { type: 'orderedList' }, undefined, '1. a\n2. b'],
    ['numbers to tasks', '1. a\n2. b', blocks(0, 1), { type: 'taskList' }, undefined, '- [ ] a\n- [ ] b'],
    ['only touched items', '1. a\n2. b\n3. c', blocks(1), { type: 'bulletList' }, undefined, '1. a\n\n- b\n\n2. c'],
    [
      'a nested list',
      '- a\n  - b\n  - c\n- d',
      blocks(1, 2),
      { type: 'orderedList' },
      undefined,
      '- a\n  1. b\n  2. c\n- d',
    ],
    ['an item with its sublist', '- a\n  - b', blocks(0), { type: 'orderedList' }, undefined, '1. a\n   - b'],
    ['a list away', 'x\n\n- a\n- b', blocks(1, 2), { type: 'bulletList' }, true, 'x\n\na\n\nb'],
    ['an item away', '1. a\n2. b\n3. c', blocks(1), { type: 'orderedList' }, true, '1. a\n\nb\n\n2. c'],
    ['a quote', 'a\n\nb\n\nc', blocks(0, 1), { type: 'blockquote' }, undefined, '> a\n>\n> b\n\nc'],
    ['a quoted list', '- a\n- b', { type: 'all' }, { type: 'blockquote' }, undefined, '> - a\n> - b'],
    ['a quote away', '> a\n>\n> b\n\nc', blocks(1), { type: 'blockquote' }, true, '> a\n\nb\n\nc'],
    ['a code block', 'a **b**\n\nc', { type: 'all' }, { type: 'codeBlock' }, undefined, '```\na b\nc\n```'],
    ['code away', '```\na\n```', blocks(0), { type: 'codeBlock' }, true, 'a'],
    ['in a quote', '> a\n>\n> b', blocks(1), { type: 'bulletList' }, undefined, '> a\n>\n> - b'],
    [
      'beside a table',
      'a\n\n| x |\n| - |\n| 1 |\n\nb',
      { type: 'all' },
      { type: 'bulletList' },
      undefined,
      '- a\n\n| x |\n| - |\n| 1 |\n\n- b',
    ],
  ] as const)('%s', async (_title, markdown, target, format, remove, expected) => {
    expect(await formatted(markdown, target as object, format as object, remove)).toBe(expected)
  })

  test('a new list joins no adjacent list', async () => {
    const doc = documentOf('- a\n\ntext\n\n- c')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await succeed(session, 'apply_formatting', { target: blocks(1), format: { type: 'bulletList' } })
    expect(readNode(doc).children.map((node) => [node.type.name, node.childCount])).toEqual([
      ['bulletList', 1],
      ['bulletList', 1],
      ['bulletList', 1],
    ])
  })

  test('what cannot have the format is named in the result and stays', async () => {
    const doc = documentOf('a\n\n```\nb\n```')
    const input = { target: { type: 'all' }, format: { type: 'heading' } }
    const result = await succeed(sessionOn(doc), 'apply_formatting', input)
    expect(markdownOf(doc)).toBe('## a\n\n```\nb\n```')
    expect(result.text).toContain("1 block can't be that and stayed: block [1] is a code block.")
  })

  test('what is so already is no change', async () => {
    const doc = documentOf('## a\n\n- b')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const heading = await succeed(session, 'apply_formatting', { target: blocks(0), format: { type: 'heading' } })
    const list = await succeed(session, 'apply_formatting', { target: blocks(1), format: { type: 'bulletList' } })
    expect(heading.text).toMatch(/^Nothing to change:/)
    expect(list.text).toMatch(/^Nothing to change:/)
  })

  test('comments stay on their words', async () => {
    const comment = schema.mark('comment', { threadId: 't1' })
    const paragraph = schema.node('paragraph', null, [schema.text('see '), schema.text('this', [comment])])
    for (const type of ['heading', 'bulletList', 'blockquote', 'codeBlock']) {
      const doc = documentOfNode(schema.node('doc', null, paragraph))
      await succeed(sessionOn(doc), 'apply_formatting', { target: { type: 'all' }, format: { type } })
      const commented: string[] = []
      readNode(doc).descendants((node) => {
        if (node.marks.some((mark) => mark.attrs.threadId === 't1')) commented.push(node.text ?? '')
      })
      expect(commented).toEqual(['this'])
    }
  })
})

describe('apply_formatting while others write', () => {
  test.each([
    ['bold', { target: text('words'), format: { type: 'bold' } }],
    ['heading', { target: text('words', { occurrence: 1 }), format: { type: 'heading' } }],
    ['list', { target: { type: 'all' }, format: { type: 'orderedList' } }],
  ])('undo of its origin takes %s back exactly', async (_title, input) => {
    const doc = documentOf('Some words.\n\n- an item\n\nMore words, **bold**.')
    const before = readNode(doc).toJSON()
    const origin = {}
    const undo = new Y.UndoManager(doc.getXmlFragment(contentTypes.fragment), {
      trackedOrigins: new Set([origin]),
      captureTimeout: 1e9,
    })
    await succeed(sessionOn(doc, { origin }), 'apply_formatting', input)
    expect(readNode(doc).toJSON()).not.toEqual(before)
    undo.undo()
    expect(readNode(doc).toJSON()).toEqual(before)
  })

  test('keeps what a rival types into the same words before they meet', async () => {
    const doc = documentOf('## Some words here.\n\nOther *words* stay.')
    const rival = replicaOf(doc, 9)
    typeBeside(rival, 'Some wor', 'X')
    typeBeside(rival, 'Other', 'Y')
    const session = sessionOn(doc)
    await succeed(session, 'apply_formatting', { target: text('words'), format: { type: 'bold' } })
    await succeed(session, 'read_document')
    await succeed(session, 'apply_formatting', { target: blocks(0), format: { type: 'heading', level: 3 } })
    sync(doc, rival)
    expect(readNode(doc).toJSON()).toEqual(readNode(rival).toJSON())
    expect(markdownOf(doc)).toBe('### Some **worXds** here.\n\nOtherY **_words_** stay.')
  })

  test('leaves the text types of all other blocks alone', async () => {
    const doc = documentOf('one\n\ntwo\n\n- three\n\nfour')
    const rival = replicaOf(doc, 9)
    for (const word of ['one', 'three', 'four']) typeBeside(rival, word, '!')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await succeed(session, 'apply_formatting', { target: blocks(1), format: { type: 'bulletList' } })
    sync(doc, rival)
    expect(readNode(doc).toJSON()).toEqual(readNode(rival).toJSON())
    expect(readNode(doc).textContent).toBe('one!twothree!four!')
  })
})
