import { describe, expect, test } from 'vitest'
import { headlessOn } from '../../testing/headless.ts'
import {
  documentOf,
  fail,
  markdownOf,
  readNode,
  replicaOf,
  sessionOn,
  succeed,
  sync,
  typeBeside,
} from '../../testing/test-document.ts'

async function moved(markdown: string, input: Record<string, unknown>): Promise<string> {
  const doc = documentOf(markdown)
  const session = sessionOn(doc)
  await succeed(session, 'read_document')
  await succeed(session, 'get_document')
  await succeed(session, 'move_blocks', input)
  readNode(doc)
  return markdownOf(doc)
}

const sections = '# T\n\n## A\n\none\n\n## B\n\ntwo\n\n## C\n\nthree'

describe('move_blocks', () => {
  test.each([
    ['a paragraph down', 'one\n\ntwo\n\nthree', { block: 0, after: 2 }, 'two\n\nthree\n\none'],
    ['a paragraph up', 'one\n\ntwo\n\nthree', { block: 2, before: 0 }, 'three\n\none\n\ntwo'],
    [
      'a long text past a short one',
      `${'long '.repeat(9)}end\n\ns`,
      { block: 0, after: 1 },
      `s\n\n${'long '.repeat(9)}end`,
    ],
    ['several blocks', 'one\n\ntwo\n\nthree\n\nfour', { block: 0, to: 1, after: 2 }, 'three\n\none\n\ntwo\n\nfour'],
    ['an item within its list', '- one\n- two\n- three', { block: 2, before: 0 }, '- three\n- one\n- two'],
    ['an item with its sub-items', '- one\n  - two\n- three', { block: 0, after: 2 }, '- three\n- one\n  - two'],
    ['an item into a sub-list', '- one\n  - two\n- three', { block: 2, after: 1 }, '- one\n  - two\n  - three'],
    [
      'an item into another list of its kind',
      '- one\n- two\n\nx\n\n- three',
      { block: 0, after: 3 },
      '- two\n\nx\n\n- three\n- one',
    ],
    ['the only item of a list', 'x\n\n- one\n\ny', { block: 1, after: 2 }, 'x\n\ny\n\n- one'],
    ['an item out of its list, as a list', '- one\n- two\n\nx', { block: 0, after: 2 }, '- two\n\nx\n\n- one'],
    ['a paragraph out of a quote', '> one\n>\n> two\n\nx', { block: 0, after: 2 }, '> two\n\nx\n\none'],
    ['the only paragraph out of a quote', 'x\n\n> one\n\ny', { block: 1, after: 0 }, 'x\n\none\n\ny'],
    ['an image', '![a](/a.png)\n\nx', { block: 0, after: 1 }, 'x\n\n![a](/a.png)'],
    ['a section up', sections, { section: 3, before: 1 }, '# T\n\n## C\n\nthree\n\n## A\n\none\n\n## B\n\ntwo'],
    ['a section down', sections, { section: 1, after: 2 }, '# T\n\n## B\n\ntwo\n\n## A\n\none\n\n## C\n\nthree'],
    [
      'a section after the title',
      sections,
      { section: 2, after: 0 },
      '# T\n\n## B\n\ntwo\n\n## A\n\none\n\n## C\n\nthree',
    ],
  ])('moves %s', async (_title, markdown, input, expected) => {
    expect(await moved(markdown, input)).toBe(expected)
  })

  test('moves rows within a table, and a whole table', async () => {
    const table = '| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |'
    expect((await moved(table, { block: 2, before: 1 })).replaceAll(/[\s-]|\|\s*-+/g, '')).toBe('|a|b|||3|4||1|2|')
    expect(await moved(`${table}\n\nx`, { block: 0, to: 2, after: 3 })).toMatch(/^x\n\n\| a/)
  })

  test('says what it moved, and that a block is there already', async () => {
    const session = sessionOn(documentOf('one\n\ntwo\n\nthree'))
    await succeed(session, 'read_document')
    expect((await succeed(session, 'move_blocks', { block: 0, before: 1 })).text).toBe(
      'Nothing to change: block [0] is there already.',
    )
    const result = await succeed(session, 'move_blocks', { block: 2, before: 0 })
    expect(result.text.split('\n')[0]).toBe('Moved block [2] before block [0].')
    expect(result.summary).toBe('Moved "three"')
  })

  test('comments and suggestions of others go along', async () => {
    const { doc, session } = headlessOn('one of them\n\ntwo\n\nthree')
    await succeed(session, 'read_document')
    await succeed(session, 'add_comment', { block: 0, search: 'of', text: 'Why?' })
    await succeed(session, 'add_comment', { block: 0, text: 'All?' })
    await succeed(session, 'suggest_replacement', { block: 0, search: 'them', replaceWith: 'all' })
    await succeed(session, 'move_blocks', { block: 0, after: 2 })
    const comments = await succeed(session, 'read_comments')
    expect(comments.text).toContain('"of"')
    expect(comments.text).not.toContain('orphan')
    expect(readNode(doc).lastChild?.textContent).toBe('one of themall')
    expect((await succeed(session, 'read_changes')).text).toContain('them')
  })

  test('what others typed into a moved block before they received the move moves along', async () => {
    const doc = documentOf('one long block\n\ntwo\n\nthree and more words than before')
    const other = replicaOf(doc, 9)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await succeed(session, 'move_blocks', { block: 0, after: 2 })
    typeBeside(other, 'long', 'er')
    sync(other, doc)
    sync(other, doc)
    expect(markdownOf(doc)).toBe('two\n\nthree and more words than before\n\none longer block')
    expect(markdownOf(other)).toBe(markdownOf(doc))
  })

  test('in mode suggest one suggestion moves it, and rejecting it puts it back', async () => {
    for (const [decision, expected] of [
      ['accept', 'two\n\nthree\n\none'],
      ['reject', 'one\n\ntwo\n\nthree'],
    ] as const) {
      const { doc, room, session } = headlessOn('one\n\ntwo\n\nthree', { mode: 'suggest' })
      await succeed(session, 'read_document')
      const result = await succeed(session, 'move_blocks', { block: 0, after: 2 })
      expect(result.details).toMatchObject({ changeIds: [expect.any(String)] })
      await succeed(headlessOn(doc, { room }).session, 'decide_change', { all: true, decision })
      expect(markdownOf(doc)).toBe(expected)
    }
  })

  test.each([
    ['no destination', { block: 1 }, 'invalid_input'],
    ['two destinations', { block: 1, before: 3, after: 4 }, 'invalid_input'],
    ['blocks and a section', { block: 1, section: 1, after: 3 }, 'invalid_input'],
    ['a destination inside what moves', { block: 1, to: 3, after: 2 }, 'invalid_position'],
    ['parts of several lists', { block: 1, to: 2, before: 0 }, 'invalid_operation'],
    ['a block between rows', { block: 0, after: 4 }, 'invalid_position'],
    ['a row out of its table', { block: 5, before: 0 }, 'invalid_position'],
    ['a row above the head', { block: 5, before: 4 }, 'invalid_position'],
    ['the head of a table', { block: 4, after: 5 }, 'invalid_position'],
    ['the section of the title', { section: 0, after: 1 }, 'invalid_operation'],
    ['a block that was not shown', { block: 0, after: 99 }, 'out_of_range'],
  ])('refuses %s', async (_title, input, code) => {
    const doc = documentOf('x\n\ny\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n## A')
    const before = markdownOf(doc)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    expect((await fail(session, 'move_blocks', input)).code).toBe(code)
    expect(markdownOf(doc)).toBe(before)
  })
})
