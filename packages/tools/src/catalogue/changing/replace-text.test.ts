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
  typeBeside,
} from '../../testing/test-document.ts'

async function replaced(markdown: string, input: Record<string, unknown>): Promise<string> {
  const doc = documentOf(markdown)
  await succeed(sessionOn(doc), 'replace_text', input)
  readNode(doc)
  return markdownOf(doc)
}

const table = (a: string, b: string): string => `| ${a} | ${b} |\n| - | - |\n| 1 | 2 |`

describe('replace_text', () => {
  test('replaces every occurrence and reports how many and where', async () => {
    const doc = documentOf('# Teh title\n\nSee teh cat and teh dog.\n\nNothing.\n\n- teh end')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    const result = await succeed(session, 'replace_text', { searchText: 'teh', newText: 'the' })
    expect(markdownOf(doc)).toBe('# the title\n\nSee the cat and the dog.\n\nNothing.\n\n- the end')
    expect(result.text.split('\n')[0]).toBe('Replaced "teh" by "the" in 4 places, in blocks [0], [1] (2 times), [3].')
    expect(result.summary).toBe('teh → the, 4 places')
    expect(result.details).toMatchObject({ count: 4, blockCount: 3 })
  })

  test('answers under its other name', async () => {
    const doc = documentOf('a b')
    await succeed(sessionOn(doc), 'replaceText', { searchText: 'b', newText: 'c' })
    expect(markdownOf(doc)).toBe('a c')
  })

  test.each([
    ['matches case when asked', 'Foo foo FOO', { searchText: 'foo', newText: 'bar', matchCase: true }, 'Foo bar FOO'],
    [
      'takes booleans and numbers as text',
      'Foo foo foo',
      { searchText: 'foo', newText: 'x', matchCase: 'true', limit: '1' },
      'Foo x foo',
    ],
    ['stops at the limit', 'a a a a', { searchText: 'a', newText: 'b', limit: 2 }, 'b b a a'],
    [
      'replaces whole words only',
      'cat cats concat cat, über',
      { searchText: 'cat', newText: 'dog', wholeWord: true },
      'dog cats concat dog, über',
    ],
    [
      'knows letters of other scripts',
      'über überall ber',
      { searchText: 'ber', newText: 'x', wholeWord: true },
      'über überall x',
    ],
    [
      'needs no boundary beside a symbol',
      'C++ and C++11',
      { searchText: 'C++', newText: 'D', wholeWord: true },
      'D and D11',
    ],
    ['sees through marks', 'a **bo**ld z', { searchText: 'bold', newText: 'bald' }, 'a **ba**ld z'],
    ['keeps the mark of what it replaces', 'a **bold** z', { searchText: 'bold', newText: 'brave' }, 'a **brave** z'],
    ['reads markup in the new text', 'say note here', { searchText: 'note', newText: '**note**' }, 'say **note** here'],
    ['finds what markdown names', 'a **bold** z bold', { searchText: '**bold**', newText: 'thin' }, 'a thin z thin'],
    ['leaves plain text plain', 'x and x', { searchText: 'x', newText: '2 * 3 = a_b' }, '2 * 3 = a_b and 2 * 3 = a_b'],
    ['stays literal in code', '`x` and x', { searchText: 'x', newText: '**y**' }, '`**y**` and **y**'],
    ['replaces in code blocks', '```\nx = 1\nx\n```', { searchText: 'x', newText: '*y*' }, '```\n*y* = 1\n*y*\n```'],
    ['never searches what it wrote', 'a', { searchText: 'a', newText: 'aa a' }, 'aa a'],
    ['does not cross cells', table('one', 'two'), { searchText: 'one two', newText: 'x', isRegex: false }, null],
    ['replaces in cells', table('one', 'one'), { searchText: 'one', newText: 'two' }, table('two', 'two')],
    ['finds curly quotes and keeps them', "don’t, don't", { searchText: "don't go", newText: 'x' }, null],
    [
      'finds either apostrophe',
      "I don’t, you don't",
      { searchText: "don't", newText: 'do not' },
      'I do not, you do not',
    ],
    ['replaces only the quote that was meant', '“a” "b"', { searchText: '"', newText: '”' }, '“a” ”b”'],
    ['finds decomposed accents', 'cafe\u0301 cafés', { searchText: 'café', newText: 'bar' }, 'bar bars'],
    ['removes text', 'a very very good', { searchText: ' very', newText: '' }, 'a good'],
    [
      'removes a block whose text goes',
      'TODO\n\nkeep\n\n- TODO\n- b\n\n1. TODO',
      { searchText: 'todo', newText: '' },
      'keep\n\n- b',
    ],
    [
      'keeps a link',
      'see [old docs](https://a.example)',
      { searchText: 'old', newText: 'new' },
      'see [new docs](https://a.example)',
    ],
    ['breaks a line', 'a; b', { searchText: '; ', newText: '\n' }, 'a\\\nb'],
    [
      'uses groups',
      'Doe, Jane\n\nRoe, *Rick*',
      { searchText: '(\\w+), (\\w+)', newText: '$2 $1', isRegex: true },
      'Jane Doe\n\n*Rick Roe*',
    ],
    [
      'uses named groups',
      '12/2026',
      { searchText: '(?P<m>\\d+)/(?P<y>\\d+)', newText: '${y}-${m}', isRegex: true },
      '2026-12',
    ],
    [
      'puts formatting around a group',
      'see a*b now',
      { searchText: 'see (\\S+)', newText: 'see **$1**', isRegex: true },
      'see **a\\*b** now',
    ],
    ['writes a dollar', 'costs 5', { searchText: '(\\d)', newText: '$$$1', isRegex: true }, 'costs \\$5'],
    ['reads $ literally without a pattern', 'x', { searchText: 'x', newText: '$1' }, '\\$1'],
    ['reads $12 as group 1 and a 2', 'ab', { searchText: '(a)', newText: '$12', isRegex: true }, 'a2b'],
    [
      'anchors at lines',
      '```\nfoo\nfoo bar\n```',
      { searchText: '^foo', newText: 'x', isRegex: true },
      '```\nx\nx bar\n```',
    ],
    ['keeps emoji whole', '😀😀', { searchText: '😀', newText: '😁' }, '😁😁'],
  ] as const)('%s', async (_title, markdown, input, expected) => {
    if (expected !== null) expect(await replaced(markdown, input)).toBe(expected)
    else expect((await fail(sessionOn(documentOf(markdown)), 'replace_text', input)).code).toBe('not_found')
  })

  test('changes only the characters that differ', async () => {
    const doc = documentOf('The colour of colours.')
    const deltas: unknown[] = []
    doc.getXmlFragment(contentTypes.fragment).observeDeep((events) => {
      for (const event of events) if (event.target instanceof Y.XmlText) deltas.push(event.delta)
    })
    await succeed(sessionOn(doc), 'replace_text', { searchText: 'colour', newText: 'color' })
    expect(deltas).toEqual([[{ retain: 8 }, { delete: 1 }, { retain: 9 }, { delete: 1 }]])
  })

  test('what reads so already is no change', async () => {
    const doc = documentOf('the the')
    const result = await succeed(sessionOn(doc), 'replace_text', { searchText: 'the', newText: 'the' })
    expect(result.text).toBe('Nothing to change: All 2 places read so already.')
    expect(doc.getMap('receipts').size).toBe(0)
  })

  test.each([
    ['an empty text to find', { searchText: '', newText: 'x' }, 'invalid_input'],
    ['a pattern that RE2 refuses', { searchText: '(?=a)', newText: 'x', isRegex: true }, 'invalid_input'],
    ['a group that is not there', { searchText: '(a)', newText: '$2', isRegex: true }, 'invalid_input'],
    ['a name that is not there', { searchText: '(a)', newText: '${b}', isRegex: true }, 'invalid_input'],
    ['a limit of none', { searchText: 'a', newText: 'x', limit: 0 }, 'invalid_input'],
    ['too long a text', { searchText: 'a', newText: 'x'.repeat(200_001) }, 'too_large'],
    ['new blocks', { searchText: 'word', newText: 'a\n\nb' }, 'invalid_operation'],
    ['text that is not there', { searchText: 'wrod', newText: 'x' }, 'not_found'],
    ['another case with matchCase', { searchText: 'WORD', newText: 'x', matchCase: true }, 'not_found'],
    ['part of a formula', { searchText: '^2', newText: 'x' }, 'invalid_operation'],
  ])('refuses %s', async (_title, input, code) => {
    const doc = documentOf('A word here, $x^2$ too.')
    const before = Y.encodeStateAsUpdate(doc)
    const result = await fail(sessionOn(doc), 'replace_text', input)
    expect(result.code).toBe(code)
    expect(result.hint).not.toBe('')
    expect(Y.encodeStateAsUpdate(doc)).toEqual(before)
  })

  test('says what is nearest', async () => {
    const session = sessionOn(documentOf('Some word here.'))
    const result = await fail(session, 'replace_text', { searchText: 'wordy', newText: 'x' })
    expect(result.hint).toContain('Did you mean "word" in block [0]?')
  })

  test('growth beyond the limit is refused as a whole', async () => {
    const doc = documentOf('a '.repeat(20))
    const session = sessionOn(doc, { limits: { insertCharacters: 100 } })
    const result = await fail(session, 'replace_text', { searchText: 'a', newText: 'x'.repeat(90) })
    expect(result.code).toBe('too_large')
    expect(markdownOf(doc)).toBe('a '.repeat(20).trim())
  })
})

describe('replace_text while others write', () => {
  test('undo of its origin takes it back exactly', async () => {
    const doc = documentOf('teh **teh** cat\n\nteh\n\n- teh')
    const before = readNode(doc).toJSON()
    const origin = {}
    const undo = new Y.UndoManager(doc.getXmlFragment(contentTypes.fragment), {
      trackedOrigins: new Set([origin]),
      captureTimeout: 1e9,
    })
    await succeed(sessionOn(doc, { origin }), 'replace_text', {
      searchText: 'teh',
      newText: '[the](https://a.example)',
    })
    await succeed(sessionOn(doc, { origin }), 'replace_text', { searchText: 'the', newText: '' })
    expect(readNode(doc).textContent).toBe('  cat')
    undo.undo()
    expect(readNode(doc).toJSON()).toEqual(before)
  })

  test('keeps what a rival types into the same words before they meet', async () => {
    const doc = documentOf('See teh cat and teh dog.\n\nOther **words** stay.')
    const rival = replicaOf(doc, 9)
    typeBeside(rival, 'See te', 'X')
    typeBeside(rival, 'cat', 'Y')
    typeBeside(rival, 'wor', 'Z')
    await succeed(sessionOn(doc), 'replace_text', { searchText: 'teh', newText: 'the' })
    sync(doc, rival)
    expect(readNode(doc).toJSON()).toEqual(readNode(rival).toJSON())
    expect(markdownOf(doc)).toBe('See tXhe catY and the dog.\n\nOther **worZds** stay.')
  })

  test('keeps a comment next to what it changes', async () => {
    const comment = schema.mark('comment', { threadId: 't1' })
    const content = [schema.text('one '), schema.text('two', [comment]), schema.text(' three')]
    const doc = documentOfNode(schema.node('doc', null, schema.node('paragraph', null, content)))
    await succeed(sessionOn(doc), 'replace_text', { searchText: 'one', newText: 'uno' })
    const marks = readNode(doc).firstChild?.child(1)
    expect(marks?.text).toBe('two')
    expect(marks?.marks.map((mark) => mark.attrs.threadId)).toEqual(['t1'])
  })
})
