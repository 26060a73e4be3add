import { schema } from '@copydesk/schema'
import { serializeMarkdown } from '@copydesk/schema/markdown'
import { describe, expect, test } from 'vitest'
import { documentOf, markdownOf, sessionOn, succeed } from '../../testing/test-document.ts'
import { readBlockContent, readInlineContent } from './read-content.ts'

const wrapped =
  'The author of this paragraph wrapped its lines at a\nfixed column, so its lines belong together in one paragraph.'

describe('content that a model writes', () => {
  test.each([
    ['complete lines become paragraphs', 'Example 1: a.\nExample 2: b.', 'Example 1: a.\n\nExample 2: b.'],
    ['short lines too', 'One line\nAnother line', 'One line\n\nAnother line'],
    ['wrapped lines stay one paragraph', wrapped, wrapped.replace('\n', ' ')],
    ['a hard break stays', 'one\\\ntwo', 'one\\\ntwo'],
    ['lists and tables stay', '- a\n- b\n\n| a |\n| - |\n| b |', '- a\n- b\n\n| a |\n| - |\n| b |'],
    ['a heading under its line stays', 'Head\n---', '## Head'],
    ['HTML is read as HTML', '<p>one <b>two</b></p>\n<ul><li>x</li></ul>', 'one **two**\n\n- x'],
    ['a tag within a text stays text', '<b> is a tag', '\\<b> is a tag'],
    ['code stays code', '```\n<p>a</p>\nb\n```', '```\n<p>a</p>\nb\n```'],
  ])('%s', (_title, content, expected) => {
    expect(serializeMarkdown(schema.topNodeType.create(null, readBlockContent(content))).trimEnd()).toBe(expected)
  })

  test('one paragraph of HTML fits into a line, several do not', () => {
    expect(readInlineContent('<p>a <b>b</b></p>')?.childCount).toBe(2)
    expect(readInlineContent('<p>a</p><p>b</p>')).toBe(null)
  })
})

describe('content next to the whole text of a block', () => {
  const beside = async (content: string, placement = 'after', anchor = 'The whole text.') => {
    const doc = documentOf('The whole text.\n\nend')
    const position = { type: 'relative', anchor, placement }
    await succeed(sessionOn(doc), 'insert_text', { position, content })
    return markdownOf(doc)
  }

  test.each([
    [
      'lines that stand alone become blocks',
      'Example 1: a.\nExample 2: b.',
      'after',
      'The whole text.\n\nExample 1: a.\n\nExample 2: b.\n\nend',
    ],
    ['so does a sentence without a space', 'Another sentence.', 'after', 'The whole text.\n\nAnother sentence.\n\nend'],
    ['and one before', 'A first one.', 'before', 'A first one.\n\nThe whole text.\n\nend'],
    ['with a space it continues the text', ' Another sentence.', 'after', 'The whole text. Another sentence.\n\nend'],
    ['a phrase continues the text', 'ual', 'after', 'The whole text.ual\n\nend'],
  ])('%s', async (_title, content, placement, expected) => {
    expect(await beside(content, placement)).toBe(expected)
  })

  test('next to a part of a text it stays in the text', async () => {
    expect(await beside('Big text', 'before', 'text')).toBe('The whole Big texttext.\n\nend')
  })
})

test('update_section reads HTML as HTML, and a title loses its tags', async () => {
  const doc = documentOf('# T\n\n## A\n\none')
  const session = sessionOn(doc)
  await succeed(session, 'update_section', { operation: 'replace', sectionIndex: 1, content: '<p>two</p>' })
  await succeed(session, 'update_section', { operation: 'append', title: '<h2>B <i>b</i></h2>', content: 'x' })
  expect(markdownOf(doc)).toBe('# T\n\n## A\n\ntwo\n\n## B b\n\nx')
})
