import { describe, expect, test } from 'vitest'
import { documentOf, fail, markdownOf, readNode, sessionOn, succeed, typeBeside } from '../../testing/test-document.ts'

async function deleted(markdown: string, input: Record<string, unknown>): Promise<string> {
  const doc = documentOf(markdown)
  const session = sessionOn(doc)
  await succeed(session, 'read_document')
  await succeed(session, 'get_document')
  await succeed(session, 'delete_blocks', input)
  readNode(doc)
  return markdownOf(doc)
}

const table = '| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |'

describe('delete_blocks', () => {
  test.each([
    ['a paragraph', 'one\n\ntwo\n\nthree', { block: 1 }, 'one\n\nthree'],
    ['a range, its ends in either order', 'one\n\ntwo\n\nthree', { block: 2, to: 1 }, 'one'],
    ['a number as text', 'one\n\ntwo', { block: '[1]' }, 'one'],
    ['everything, and keeps an empty paragraph', 'one\n\n- two', { block: 0, to: 1 }, ''],
    ['a list item', '- one\n- two\n- three', { block: 1 }, '- one\n- three'],
    ['the last item with its list', 'one\n\n- two', { block: 1 }, 'one'],
    [
      'an item, whose sub-items take its place',
      '- one\n  - two\n  - three\n- four',
      { block: 0 },
      '- two\n- three\n- four',
    ],
    ['a sub-item', '- one\n  - two\n- three', { block: 1 }, '- one\n- three'],
    ['an item with its sub-items', '- one\n  - two\n- three', { block: 0, to: 1 }, '- three'],
    ['the first paragraph of an item', '- one\n\n  two\n- three', { block: 0 }, '- two\n- three'],
    ['from one list into the next', '- one\n- two\n\n1. three\n2. four', { block: 1, to: 2 }, '- one\n\n1. four'],
    ['a quoted paragraph', '> one\n>\n> two', { block: 0 }, '> two'],
    ['an image', 'one\n\n![alt](/i.png)', { block: 1 }, 'one'],
    ['a code block', 'one\n\n```\ntwo\n```', { block: 1 }, 'one'],
    ['a section', '# T\n\n## A\n\none\n\n## B\n\ntwo', { section: 1 }, '# T\n\n## B\n\ntwo'],
  ])('deletes %s', async (_title, markdown, input, expected) => {
    expect(await deleted(markdown, input)).toBe(expected)
  })

  test('deletes rows of a table, and the table with its last row', async () => {
    expect(await deleted(table, { block: 1 })).toMatch(/^\| a +\| b +\|\n\| -+ \| -+ \|\n\| 3 +\| 4 +\|$/)
    expect(await deleted(`${table}\n\nend`, { block: 0, to: 2 })).toBe('end')
  })

  test('says what it deleted', async () => {
    const session = sessionOn(documentOf('one\n\ntwo\n\nthree'))
    await succeed(session, 'read_document')
    const result = await succeed(session, 'delete_blocks', { block: 1, to: 2 })
    expect(result.text.split('\n')[0]).toBe('Deleted blocks [1] to [2]: "two three".')
    expect(result.summary).toBe('Deleted "two three"')
    expect(result.details).toMatchObject({ count: 2, changes: [{ before: 'two\nthree', after: '' }] })
  })

  test('deletes the block that was shown, wherever it is by now', async () => {
    const doc = documentOf('one\n\ntwo')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await succeed(session, 'insert_text', { position: { type: 'absolute', location: 'start' }, content: 'new' })
    typeBeside(doc, 'two', '!')
    await succeed(session, 'delete_blocks', { block: 1 })
    expect(markdownOf(doc)).toBe('new\n\none')
  })

  test.each([
    ['no place', {}, 'invalid_input'],
    ['two places', { block: 1, section: 1 }, 'invalid_input'],
    ['a block that was not shown', { block: 40 }, 'out_of_range'],
    ['the section of the title', { section: 0 }, 'invalid_operation'],
    ['a section beyond the end', { section: 4 }, 'out_of_range'],
  ])('refuses %s', async (_title, input, code) => {
    const doc = documentOf('# T\n\none\n\n## A\n\ntwo')
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    expect((await fail(session, 'delete_blocks', input)).code).toBe(code)
    expect(markdownOf(doc)).toBe('# T\n\none\n\n## A\n\ntwo')
  })
})
