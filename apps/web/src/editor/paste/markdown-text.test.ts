import { describe, expect, test } from 'vitest'
import { looksLikeMarkdown } from './markdown-text.ts'

describe('looksLikeMarkdown', () => {
  test.each([
    '# Title\n\nText',
    'Intro\n\n## Part\n\nText',
    '- one\n- two',
    '1. one\n2. two',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
    '```ts\nconst a = 1;\n```',
    '- [ ] buy milk',
    'See [the page](https://example.org).',
    'This is **important** and `code`.',
    '$$\na^2\n$$',
    'A\r\n\r\n# B\r\n\r\nC',
  ])('takes %j', (text) => expect(looksLikeMarkdown(text)).toBe(true))

  test.each([
    '',
    'Only a line of text.',
    'Two lines\nof text.',
    '2 * 3 * 4 = 24',
    '# a comment\nls -la\n# another\nrm file',
    'const a = [1](2);\nfunction b() {\n  return a;\n}',
    'Wait - what?',
    '#hashtag and #another',
    '> one quoted line',
    'snake_case_name and __init__',
    'a | b\nc | d',
    '-5 degrees\n-6 degrees',
  ])('leaves %j as it is', (text) => expect(looksLikeMarkdown(text)).toBe(false))

  test('takes little time for a hostile text', () => {
    const started = performance.now()
    for (const piece of ['`', '*', '[', '> ', '| ', '```\n', '$$\n', '**a', '- '])
      looksLikeMarkdown(piece.repeat(50_000))
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
