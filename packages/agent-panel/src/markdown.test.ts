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
    const start = performance.now()
    parseMarkdown('*a '.repeat(3000) + '`'.repeat(3000) + '['.repeat(3000))
    expect(performance.now() - start).toBeLessThan(1500)
  })
})

test('a heading with very many spaces is read at once', () => {
  const started = performance.now()
  expect(parseMarkdown(`# a${' '.repeat(20_000)}b`)).toMatchObject([{ type: 'heading', level: 1 }])
  expect(parseMarkdown(`# a ${'# '.repeat(10_000)}b`)).toMatchObject([{ type: 'heading' }])
  expect(parseMarkdown(`\`\`\`${'a'.repeat(20_000)}\``)).toMatchObject([{ type: 'paragraph' }])
  expect(performance.now() - started).toBeLessThan(1000)
  expect(parseMarkdown('## Cost of C# ##  ')).toEqual([
    { type: 'heading', level: 2, children: [{ type: 'text', text: 'Cost of C#' }] },
  ])
})
