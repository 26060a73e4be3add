import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { call, documentOf, fail, markdownOf, sessionOn, succeed } from '../../testing/test-document.ts'

const yaml =
  '# About it\ntitle: "The plan" # keep\ntags: [a, b]\nnested:\n  key: 1\ntext: |\n  one\n  two\ndate: 2026-01-02'

async function edited(key: string, value: unknown, frontmatter = yaml): Promise<string> {
  const doc = documentOf(frontmatter === '' ? 'text' : `---\n${frontmatter}\n---\n\ntext`)
  await succeed(sessionOn(doc), 'edit_frontmatter', { key, value })
  expect(markdownOf(doc)).toBe('text')
  return String(doc.getMap('meta').get('frontmatter'))
}

describe('edit_frontmatter', () => {
  test.each([
    ['a text, keeping the comments', 'title', 'Other', 'title: "The plan" # keep', 'title: Other # keep'],
    ['a list', 'tags', ['x', 'y z'], 'tags: [a, b]', 'tags:\n  - x\n  - y z'],
    ['a number', 'date', 3, 'date: 2026-01-02', 'date: 3'],
    ['a text that looks like a number', 'date', '3', 'date: 2026-01-02', 'date: "3"'],
    ['a truth value in place of lines', 'text', true, 'text: |\n  one\n  two', 'text: true'],
    ['lines in place of a map', 'nested', 'a\nb', 'nested:\n  key: 1', 'nested: |-\n  a\n  b'],
    ['text with a colon', 'date', 'a: b # c', 'date: 2026-01-02', 'date: "a: b # c"'],
  ])('sets %s', async (_title, key, value, before, after) => {
    expect(await edited(key, value)).toBe(yaml.replace(before, after))
  })

  test('adds a key at the end, and creates the frontmatter', async () => {
    expect(await edited('draft', false)).toBe(`${yaml}\ndraft: false`)
    expect(await edited('draft', false, '')).toBe('draft: false')
  })

  test('no value breaks out of its key or ends the frontmatter', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc
        .array(fc.constantFrom('\n', '---', '...', ': ', '# ', '- ', '&a', '*a', '"', "'", '|', '\r', '\t', '{', '<<'))
        .map((parts) => parts.join('')),
      fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }),
    )
    const key = fc.oneof(
      fc.constantFrom('title', 'tags', 'new', '__proto__', 'a: b', '- x', '?', '---'),
      fc.string({ minLength: 1, maxLength: 8 }),
    )
    const holds = fc.asyncProperty(key, value, async (name, given) => {
      const doc = documentOf(`---\n${yaml}\n---\n\ntext`)
      const result = await call(sessionOn(doc), 'edit_frontmatter', { key: name, value: given })
      const now = String(doc.getMap('meta').get('frontmatter'))
      if (!result.ok) expect(now).toBe(yaml)
      if (!result.ok) return
      const parsed: unknown = parse(now)
      expect(new Map(Object.entries(Object(parsed))).get(name)).toEqual(given)
      for (const [other, old] of Object.entries(Object(parse(yaml)))) {
        if (other !== name) expect(new Map(Object.entries(Object(parsed))).get(other)).toEqual(old)
      }
      expect(/^---/m.test(now)).toBe(false)
    })
    await fc.assert(holds, { seed: 1, numRuns: 150 })
  })

  test('says what it changed, and that nothing did', async () => {
    const doc = documentOf('---\na: 1\n---\n\ntext')
    const result = await succeed(sessionOn(doc), 'edit_frontmatter', { key: 'a', value: 2 })
    expect(result.text).toBe('Changed the frontmatter: a: 2')
    expect(result.details).toMatchObject({ changes: [{ before: 'a: 1', after: 'a: 2', block: 'frontmatter' }] })
    expect((await succeed(sessionOn(doc), 'edit_frontmatter', { key: 'a', value: 2 })).text).toMatch(
      /^Nothing to change/,
    )
  })

  test.each([
    ['frontmatter that is no map', '- a', {}, 'invalid_operation'],
    ['frontmatter that is no YAML', 'a: [', {}, 'invalid_operation'],
    ['mode suggest', 'a: 1', { mode: 'suggest' as const }, 'invalid_operation'],
    ['mode ask', 'a: 1', { mode: 'ask' as const }, 'held'],
  ])('refuses %s', async (_title, frontmatter, options, code) => {
    const doc = documentOf(`---\n${frontmatter}\n---\n\ntext`)
    expect((await fail(sessionOn(doc, options), 'edit_frontmatter', { key: 'b', value: 1 })).code).toBe(code)
    expect(doc.getMap('meta').get('frontmatter')).toBe(frontmatter)
  })
})
