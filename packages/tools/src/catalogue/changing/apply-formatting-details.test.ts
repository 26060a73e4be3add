import { describe, expect, test } from 'vitest'
import { documentOf, fail, markdownOf, readNode, sessionOn, succeed } from '../../testing/test-document.ts'

async function formatted(markdown: string, target: object, format: object): Promise<string> {
  const doc = documentOf(markdown)
  const session = sessionOn(doc)
  await succeed(session, 'read_document')
  await succeed(session, 'apply_formatting', { target, format })
  readNode(doc)
  return markdownOf(doc)
}

const block = (number: number, to = number) => ({ type: 'block', block: number, to })

describe('apply_formatting: details of a format', () => {
  test.each([
    [
      'sets the language of code',
      '```\na\n```',
      block(0),
      { type: 'codeBlock', language: 'python' },
      '```python\na\n```',
    ],
    ['takes it away', '```js\na\n```', block(0), { type: 'codeBlock', language: '' }, '```\na\n```'],
    [
      'makes code with a language',
      'a\n\n```js\nb\n```',
      block(0),
      { type: 'codeBlock', language: 'go' },
      '```go\na\n```\n\n```js\nb\n```',
    ],
    [
      'leaves the language alone',
      '```js\na\n```\n\nb',
      block(0, 1),
      { type: 'codeBlock' },
      '```js\na\n```\n\n```\nb\n```',
    ],
    [
      'ticks tasks',
      '- [ ] a\n- [ ] b\n- [ ] c',
      block(0, 1),
      { type: 'taskList', checked: true },
      '- [x] a\n- [x] b\n- [ ] c',
    ],
    ['unticks tasks', '- [x] a\n- [x] b', block(1), { type: 'taskList', checked: false }, '- [x] a\n- [ ] b'],
    ['makes items ticked tasks', '- a\n- b', block(0, 1), { type: 'taskList', checked: true }, '- [x] a\n- [x] b'],
    ['leaves ticks alone', '- [x] a\n- [ ] b', block(0, 1), { type: 'bulletList' }, '- a\n- b'],
  ])('%s', async (_title, markdown, target, format, expected) => {
    expect(await formatted(markdown, target, format)).toBe(expected)
  })

  test('a link to a heading, by its address or its text; to none it is refused', async () => {
    const doc = documentOf('## Our goals\n\nsee there')
    const link = (value: string, href: string) => ({ target: { type: 'text', value }, format: { type: 'link', href } })
    await succeed(sessionOn(doc), 'apply_formatting', link('see', '#Our goals'))
    expect(markdownOf(doc)).toBe('## Our goals\n\n[see](#our-goals) there')
    const refused = await fail(sessionOn(doc), 'apply_formatting', link('there', '#costs'))
    expect(refused).toMatchObject({ code: 'not_found', hint: expect.stringContaining('#our-goals') })
  })

  test('a text within blocks or a section', async () => {
    const markdown = 'cat\n\ncat cat\n\n## A\n\ncat'
    const text = (more: object) => ({ type: 'text', find: 'cat', ...more })
    const bold = { type: 'bold' }
    expect(await formatted(markdown, text({ block: 1 }), bold)).toBe('cat\n\n**cat** **cat**\n\n## A\n\ncat')
    expect(await formatted(markdown, text({ block: 0, to: 1, occurrence: 'last' }), bold)).toBe(
      'cat\n\ncat **cat**\n\n## A\n\ncat',
    )
    expect(await formatted(markdown, text({ section: 1 }), bold)).toBe('cat\n\ncat cat\n\n## A\n\n**cat**')
    expect(await formatted(markdown, text({ section: 1 }), { type: 'bulletList' })).toBe(
      'cat\n\ncat cat\n\n## A\n\n- cat',
    )
  })

  test('counts what it changed and what was so already', async () => {
    const session = sessionOn(documentOf('**cat** and cat\n\ndog'))
    await succeed(session, 'read_document')
    const target = { type: 'text', find: 'cat' }
    const bold = await succeed(session, 'apply_formatting', { target, format: { type: 'bold' } })
    expect(bold.text.split('\n')[0]).toContain('bold. 1 place had it already.')
    expect(bold.details).toMatchObject({ count: 1 })
    const heads = await succeed(session, 'apply_formatting', { target: { type: 'all' }, format: { type: 'heading' } })
    expect(heads.text.split('\n')[0]).toBe('Formatted the whole document: a heading of level 2. 2 blocks.')
  })

  test('a text that is elsewhere is not found in the part', async () => {
    const session = sessionOn(documentOf('cat\n\ndog'))
    await succeed(session, 'read_document')
    const target = { type: 'text', find: 'dog', block: 0 }
    const result = await fail(session, 'apply_formatting', { target, format: { type: 'bold' } })
    expect(result).toMatchObject({ code: 'not_found', message: '"dog" isn\'t in block [0].' })
  })
})
