import { describe, expect, test } from 'vitest'
import { documentOf, fail, markdownOf, sessionOn, succeed } from '../../testing/test-document.ts'

async function edited(markdown: string, find: string, replace: string, more: object = {}): Promise<string> {
  const doc = documentOf(markdown)
  const session = sessionOn(doc)
  await succeed(session, 'read_document')
  await succeed(session, 'edit_document', { find, replace, ...more })
  return markdownOf(doc)
}

const list = '- milk\n- bread\n- oats'
const nested = '- milk\n  - bread\n  - oats'

describe('indentation', () => {
  test.each([
    ['one item goes below the one before', list, '- bread', '  - bread', '- milk\n  - bread\n- oats'],
    ['with other text', list, '- bread', '  - rye bread', '- milk\n  - rye bread\n- oats'],
    ['by four spaces', list, '- bread', '    - bread', '- milk\n  - bread\n- oats'],
    ['by a tab', list, '- bread', '\t- bread', '- milk\n  - bread\n- oats'],
    ['several items', list, '- bread\n- oats', '  - bread\n  - oats', nested],
    ['one of several', list, '- milk\n- bread', '- milk\n  - bread', '- milk\n  - bread\n- oats'],
    ['one level up', nested, '  - oats', '- oats', '- milk\n  - bread\n- oats'],
    ['what follows stays below', nested, '  - bread', '- bread', '- milk\n- bread\n  - oats'],
    ['several levels', '- a\n- b\n- c', '- a\n- b\n- c', '- a\n  - b\n    - c', '- a\n  - b\n    - c'],
    ['new items below', list, '- bread', '- bread\n  - rye\n  - spelt', '- milk\n- bread\n  - rye\n  - spelt\n- oats'],
    ['new items below a text without its marker', list, 'bread', 'bread\n  - rye', '- milk\n- bread\n  - rye\n- oats'],
    ['new items beside', nested, '- bread', '- bread\n- rye', '- milk\n  - bread\n  - rye\n  - oats'],
    ['more lines than before', list, '- bread\n- oats', '- bread\n  - rye\n- oats', '- milk\n- bread\n  - rye\n- oats'],
    ['in a quote', '> - milk\n> - bread', '> - bread', '>   - bread', '> - milk\n>   - bread'],
    ['of tasks', '- [ ] a\n- [x] b', '- [x] b', '  - [x] b', '- [ ] a\n  - [x] b'],
    ['of numbers', '1. a\n2. b', '2. b', '   1. b', '1. a\n   1. b'],
    [
      'a sub-item as it is shown keeps its depth',
      nested,
      '- oats',
      '  - oat flakes',
      '- milk\n  - bread\n  - oat flakes',
    ],
    ['a trimmed sub-item keeps its depth', nested, '- oats', '- oat flakes', '- milk\n  - bread\n  - oat flakes'],
  ])('%s', async (_title, markdown, find, replace, expected) => {
    expect(await edited(markdown, find, replace)).toBe(expected)
  })

  test('of the first item is refused', async () => {
    const session = sessionOn(documentOf(list))
    const { code, message } = await fail(session, 'edit_document', { find: '- milk', replace: '  - milk' })
    expect(code).toBe('invalid_operation')
    expect(message).toContain("can't be indented")
    const doc = documentOf(list)
    await fail(sessionOn(doc), 'edit_document', { find: '- milk\n- bread', replace: '  - milk\n  - rye' })
    await fail(sessionOn(doc), 'edit_document', { find: '- milk', replace: '  - oat milk' })
    expect(markdownOf(doc)).toBe(list)
  })

  test.each([
    ['below an item', '- bread', '  - rye', '- milk\n- bread\n  - rye\n- oats'],
    [
      'below an item by four spaces',
      '- bread',
      '    - rye\n    - spelt',
      '- milk\n- bread\n  - rye\n  - spelt\n- oats',
    ],
    ['beside an item', '- bread', '- rye', '- milk\n- bread\n- rye\n- oats'],
  ])('insert_text %s', async (_title, find, content, expected) => {
    const doc = documentOf(list)
    await succeed(sessionOn(doc), 'insert_text', { content, position: { type: 'relative', find, placement: 'after' } })
    expect(markdownOf(doc)).toBe(expected)
  })
})

describe('another marker', () => {
  test.each([
    ['numbers instead of bullets', list, '- milk\n- bread', '1. milk\n2. bread', '1. milk\n2. bread\n\n- oats'],
    ['a box', list, '- bread', '- [x] bread', '- milk\n\n* [x] bread\n\n- oats'],
    ['none', '- milk', '- milk', 'milk', 'milk'],
    ['no heading', '## Aims', '## Aims', 'Aims', 'Aims'],
    ['no quote', '> words', '> words', 'words', 'words'],
    ['another level', '## Aims', '## Aims', '### Aims', '### Aims'],
    ['a new text without marker keeps it', '## Aims', '## Aims', 'Goals', '## Goals'],
    ['a ticked new task', '- [ ] a', '- [ ] a', '- [ ] a\n- [x] b', '- [ ] a\n- [x] b'],
  ])('%s', async (_title, markdown, find, replace, expected) => {
    expect(await edited(markdown, find, replace)).toBe(expected)
  })

  test.each([
    [
      'depth',
      list,
      [
        ['- bread', '  - bread'],
        ['- oats', '  - oat flakes'],
      ],
      '- milk\n  - bread\n  - oat flakes',
    ],
    [
      'level and text',
      '## Aims\n\n## Plan',
      [
        ['## Aims', '### Goals'],
        ['## Plan', '## Steps'],
      ],
      '### Goals\n\n## Steps',
    ],
    [
      'kind',
      list,
      [
        ['- milk', '1. milk'],
        ['- bread', '2. bread'],
        ['- oats', '3. oats'],
      ],
      '1. milk\n2. bread\n3. oats',
    ],
    [
      'box',
      '- [ ] a\n- [x] b',
      [
        ['- [ ] a', '- [x] a'],
        ['- [x] b', '- [ ] b'],
      ],
      '- [x] a\n- [ ] b',
    ],
    [
      'none',
      '## Aims\n\n> words',
      [
        ['## Aims', 'Aims'],
        ['> words', 'words'],
      ],
      'Aims\n\nwords',
    ],
  ])('%s in pairs', async (_title, markdown, all, expected) => {
    const doc = documentOf(markdown)
    const pairs = all.map(([find, replace]) => ({ find, replace }))
    const { text } = await succeed(sessionOn(doc), 'edit_document', { pairs })
    expect(markdownOf(doc)).toBe(expected)
    expect(text).not.toContain('Nothing to change')
    for (const { find } of pairs) expect(text).toContain(`"${find}" by`)
  })

  test.each([
    ['alone', []],
    ['among others', [{ find: '- bread', replace: '  - rye' }]],
  ])('a pair that would indent the first item is refused, %s, and changes nothing', async (_title, others) => {
    const doc = documentOf(list)
    const pairs = [{ find: '- milk', replace: '  - oat milk' }, ...others]
    const { code } = await fail(sessionOn(doc), 'edit_document', { pairs })
    expect(code).toBe('invalid_operation')
    expect(markdownOf(doc)).toBe(list)
  })

  test.each([
    ['a list', 'Intro', 'Intro:\n- x\n- y', 'Intro:\n\n- x\n- y'],
    ['a heading', 'Intro', 'Intro\n\n## Aims\n\nwords', 'Intro\n\n## Aims\n\nwords'],
    ['code', 'Intro', 'So:\n```js\nlet a\n\nlet b\n```', 'So:\n\n```js\nlet a\n\nlet b\n```'],
    ['a table', 'Intro', 'So:\n| a | b |\n| - | - |\n| 1 | 2 |', 'So:\n\n| a | b |\n| - | - |\n| 1 | 2 |'],
    ['plain lines', 'Intro', 'One\nTwo', 'One\n\nTwo'],
    ['items in its place', 'Intro', '- Intro\n  - x\n- [x] y', '- Intro\n  - x\n\n* [x] y'],
    ['items after a part of it', 'tro', '- x\n- y', 'In\n\n- x\n- y'],
    ['an item and a paragraph', 'Intro', '- x\n\nAfter.', '- x\n\nAfter.'],
    ['a table in its place', 'Intro', '| a | b |\n| - | - |\n| 1 | 2 |', '| a | b |\n| - | - |\n| 1 | 2 |'],
    ['code in its place', 'Intro', '```js\nlet a\n\nlet b\n```', '```js\nlet a\n\nlet b\n```'],
  ])('below a paragraph %s is made', async (_title, find, replace, expected) => {
    expect(await edited('Intro', find, replace)).toBe(expected)
  })

  test('a quoted paragraph becomes a quoted list, and a list keeps the formats and comments of its text', async () => {
    expect(await edited('> q', 'q', '> - a\n> - b')).toBe('> - a\n> - b')
    const doc = documentOf('**milk** and more')
    const session = sessionOn(doc)
    await succeed(session, 'edit_document', { find: 'milk and more', replace: '- milk and more\n- bread' })
    expect(markdownOf(doc)).toBe('- **milk** and more\n- bread')
  })
})
