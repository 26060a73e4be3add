import { expect, test } from 'vitest'
import { isFrontmatter } from './frontmatter.ts'
import { parseMarkdown, serializeMarkdown } from './markdown/index.ts'

test.each([
  '',
  'a: 1',
  'a: 1\r\nb: 2',
  'a: |\n  ---\n  b',
  '--- a',
  '----',
  'a: "---"',
  '\n\na: 1\n\n',
  '# --',
  'x'.repeat(64 * 1024),
])('[BAD-69] frontmatter that ends nowhere early comes back as the same bytes (%#)', (yaml) => {
  expect(isFrontmatter(yaml)).toBe(true)
  const { doc } = parseMarkdown('# Title\n\nText\n')
  const written = serializeMarkdown(doc, yaml)
  const read = parseMarkdown(written)
  expect(read.frontmatter === yaml).toBe(true)
  expect(serializeMarkdown(read.doc, read.frontmatter) === written).toBe(true)
})

test.each([
  '---',
  'a: 1\n---\n# Not in the text',
  'a: 1\r---\rb',
  'a: 1\r\n--- \t\r\nb',
  '---\n---\n---',
  'a\n---',
  'a: \0',
  'a: \ud800',
])(
  '[BAD-69] frontmatter that would end early is none, and doesn’t get out of its block where it is stored (%#)',
  (yaml) => {
    expect(isFrontmatter(yaml)).toBe(false)
    const { doc } = parseMarkdown('# Title\n\nText\n')
    const read = parseMarkdown(serializeMarkdown(doc, yaml))
    expect(read.doc.eq(doc)).toBe(true)
    expect(isFrontmatter(read.frontmatter)).toBe(true)
  },
)

test('[BAD-69] what isn’t text, or has more than 64 KiB, is no frontmatter; in markdown it is a block of code', () => {
  for (const value of [null, undefined, 5, {}, ['a'], 'x'.repeat(64 * 1024 + 1), 'é'.repeat(40_000)]) {
    expect(isFrontmatter(value)).toBe(false)
  }
  const { doc, frontmatter } = parseMarkdown(`---\na: ${'x'.repeat(70_000)}\n---\n\n# Title\n`)
  expect([frontmatter, doc.firstChild?.type.name, doc.firstChild?.textContent.length]).toEqual([
    null,
    'codeBlock',
    70_003,
  ])
  const withNul = parseMarkdown('---\na: \0\n---\n')
  expect(withNul.frontmatter).toBe('a: \uFFFD')
})
