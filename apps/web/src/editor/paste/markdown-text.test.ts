import { describe, expect, test } from 'vitest'
import { looksLikeMarkdown } from './markdown-text.ts'

/** Milliseconds of processor time that this thread has used. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * The factor by which processor time grows with sixteen times the size: about 16 if the time is linear, 256 if it is
 * quadratic. The best of several rounds of this thread's own time, so that other processes have little effect.
 */
function growthOf(work: (size: number) => void, size: number): number {
  const timeOf = (of: number): number => {
    const began = threadMs()
    let times = 0
    for (; times === 0 || threadMs() - began < 5; times++) work(of)
    return (threadMs() - began) / times
  }
  const best = (of: number): number => Math.min(...Array.from({ length: 7 }, () => timeOf(of)))
  work(size)
  return best(16 * size) / best(size)
}

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

  test.each(['`', '*', '[', '> ', '| ', '```\n', '$$\n', '**a', '- '])('looks at many %j in linear time', (piece) => {
    const texts = new Map([3125, 50_000].map((size) => [size, piece.repeat(size)]))
    expect(growthOf((size) => void looksLikeMarkdown(texts.get(size) ?? ''), 3125)).toBeLessThan(80)
  })
})
