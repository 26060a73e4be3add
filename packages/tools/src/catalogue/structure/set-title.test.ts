import { describe, expect, test } from 'vitest'
import { headlessOn } from '../../testing/headless.ts'
import { documentOf, fail, markdownOf, readNode, sessionOn, succeed } from '../../testing/test-document.ts'

function named(markdown: string, name?: string) {
  const doc = documentOf(markdown)
  if (name !== undefined) doc.getMap('meta').set('title', name)
  return doc
}

describe('set_title', () => {
  test.each([
    ['changes the first heading, and a name that was the same', '# Old\n\ntext', 'Old', 'New', '# New\n\ntext', 'New'],
    ['leaves a name of its own', '# Old\n\ntext', 'Draft 3', 'New', '# New\n\ntext', 'Draft 3'],
    ['adds a heading', 'text', 'Old', 'New', '# New\n\ntext', 'New'],
    ['fills an empty document', '', '', 'New', '# New', 'New'],
    ['takes inline markdown', '# Old', 'Old', '# The *new*', '# The *new*', 'The new'],
    ['drops HTML tags', '# Old', 'Old', '<h1>A &amp; <b>B</b></h1>', '# A & B', 'A & B'],
    ['leaves headings of sections', '## A\n\ntext', 'Old', 'New', '# New\n\n## A\n\ntext', 'New'],
  ])('%s', async (_title, markdown, name, title, expected, now) => {
    const doc = named(markdown, name)
    await succeed(sessionOn(doc), 'set_title', { title })
    expect(markdownOf(doc)).toBe(expected)
    expect(doc.getMap('meta').get('title')).toBe(now)
    expect((await succeed(sessionOn(doc), 'set_title', { title })).text).toMatch(/^Nothing to change/)
  })

  test('says what it changed, and keeps comments on the heading', async () => {
    const { doc, session } = headlessOn(named('# The old plan', 'The old plan'))
    await succeed(session, 'add_comment', { search: 'plan', text: 'Which?' })
    const result = await succeed(session, 'set_title', { title: 'The new plan' })
    expect(result.text.split('\n')[0]).toBe('Set the title to "The new plan".')
    expect(result.summary).toBe('The old plan → The new plan')
    expect(result.details).toMatchObject({ changes: [{ before: 'The old plan', after: 'The new plan' }] })
    expect(readNode(doc).firstChild?.lastChild?.marks.map(({ type }) => type.name)).toEqual(['comment'])
  })

  test('in mode suggest the heading is suggested and the name stays', async () => {
    const { doc, room, session } = headlessOn(named('# Old', 'Old'), { mode: 'suggest' })
    await succeed(session, 'set_title', { title: 'New' })
    expect(doc.getMap('meta').get('title')).toBe('Old')
    await succeed(headlessOn(doc, { room }).session, 'decide_change', { all: true, decision: 'reject' })
    expect(markdownOf(doc)).toBe('# Old')
  })

  test('in mode ask it waits', async () => {
    const doc = named('# Old', 'Old')
    expect((await fail(sessionOn(doc, { mode: 'ask' }), 'set_title', { title: 'New' })).code).toBe('held')
    expect([markdownOf(doc), doc.getMap('meta').get('title')]).toEqual(['# Old', 'Old'])
  })

  test.each([
    ['an empty title', ' # ', 'invalid_input'],
    ['a title that is too long', 'x'.repeat(301), 'too_large'],
  ])('refuses %s', async (_title, title, code) => {
    expect((await fail(sessionOn(documentOf('# Old')), 'set_title', { title })).code).toBe(code)
  })
})
