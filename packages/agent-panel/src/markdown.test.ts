import { describe, expect, test } from 'vitest'
import { parseInline, parseMarkdown } from './markdown.ts'

const text = (value: string) => ({ type: 'text', text: value })
const paragraph = (value: string) => ({ type: 'paragraph', children: [text(value)] })

describe('parseInline', () => {
  test('reads emphasis, code and links', () => {
    expect(parseInline('a **b _c_** `d*e*` [f](https://g.h/(i))')).toEqual([
      text('a '),
      { type: 'strong', children: [text('b '), { type: 'emphasis', children: [text('c')] }] },
      text(' '),
      { type: 'code', text: 'd*e*' },
      text(' '),
      { type: 'link', href: 'https://g.h/(i)', children: [text('f')] },
    ])
  })

  test('leaves alone what only looks like marks', () => {
    expect(parseInline('2 * 3 * 4, snake_case_name, 5 ** 6')).toEqual([text('2 * 3 * 4, snake_case_name, 5 ** 6')])
    expect(parseInline('\\*not bold\\*')).toEqual([text('*not bold*')])
  })

  test('shows HTML as text', () => {
    expect(parseInline('<img src=x onerror=alert(1)>')).toEqual([text('<img src=x onerror=alert(1)>')])
  })

  test('reads half a mark, as it arrives while streaming, as text', () => {
    expect(parseInline('a **bo')).toEqual([text('a **bo')])
    expect(parseInline('see [the')).toEqual([text('see [the')])
  })

  test('finds bare addresses without the full stop after them', () => {
    expect(parseInline('See https://a.b/c.')).toEqual([
      text('See '),
      { type: 'link', href: 'https://a.b/c', children: [text('https://a.b/c')] },
      text('.'),
    ])
  })
})

describe('parseMarkdown', () => {
  test('reads blocks', () => {
    expect(parseMarkdown('# One\n\ntwo\nthree\n\n> four\n\n---')).toEqual([
      { type: 'heading', level: 1, children: [text('One')] },
      paragraph('two\nthree'),
      { type: 'quote', children: [paragraph('four')] },
      { type: 'rule' },
    ])
  })

  test('reads nested and numbered lists', () => {
    expect(parseMarkdown('3. a\n   - b\n   - c\n4. d')).toEqual([
      {
        type: 'list',
        ordered: true,
        start: 3,
        items: [
          [paragraph('a'), { type: 'list', ordered: false, start: 1, items: [[paragraph('b')], [paragraph('c')]] }],
          [paragraph('d')],
        ],
      },
    ])
  })

  test('keeps code as it is, also when its end has not arrived', () => {
    const code = { type: 'code', language: 'ts', text: 'a\n  # b' }
    expect(parseMarkdown('```ts\na\n  # b\n```\nafter')).toEqual([code, paragraph('after')])
    expect(parseMarkdown('```ts\na\n  # b')).toEqual([code])
  })

  test('ends at a sensible depth and time', () => {
    expect(parseMarkdown('> '.repeat(5000))).toHaveLength(1)
    // Exponential time would never end.
    expect(parseMarkdown('*a '.repeat(3000) + '`'.repeat(3000) + '['.repeat(3000))).toHaveLength(1)
  })
})

/**
 * How many times as long work takes on sixteen times the size: about 16 if the time is linear, 256 if it is quadratic.
 * The best of several rounds, so that a busy machine changes little.
 */
function growthOf(work: (size: number) => void, size: number): number {
  const timeOf = (of: number): number => {
    const began = performance.now()
    let times = 0
    for (; times === 0 || performance.now() - began < 5; times++) work(of)
    return (performance.now() - began) / times
  }
  const best = (of: number): number => Math.min(...Array.from({ length: 7 }, () => timeOf(of)))
  work(size)
  return best(16 * size) / best(size)
}

test('a heading with very many spaces is read at once', () => {
  expect(parseMarkdown(`# a${' '.repeat(20_000)}b`)).toMatchObject([{ type: 'heading', level: 1 }])
  expect(parseMarkdown(`# a ${'# '.repeat(10_000)}b`)).toMatchObject([{ type: 'heading' }])
  expect(parseMarkdown(`\`\`\`${'a'.repeat(20_000)}\``)).toMatchObject([{ type: 'paragraph' }])
  for (const lineOf of [
    (size: number) => `# a${' '.repeat(size)}b`,
    (size: number) => `# a ${'# '.repeat(size / 2)}b`,
    (size: number) => `\`\`\`${'a'.repeat(size)}\``,
  ]) {
    expect(growthOf((size) => void parseMarkdown(lineOf(size)), 1250)).toBeLessThan(80)
  }
  expect(parseMarkdown('## Cost of C# ##  ')).toEqual([
    { type: 'heading', level: 2, children: [{ type: 'text', text: 'Cost of C#' }] },
  ])
})
