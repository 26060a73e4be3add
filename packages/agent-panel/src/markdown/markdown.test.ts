import { describe, expect, test } from 'vitest'
import { parseInline } from './inline-markdown.ts'
import { parseMarkdown } from './markdown.ts'

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

  test('matches marks that touch, and the innermost of those that cross', () => {
    const strong = (...children: unknown[]) => ({ type: 'strong', children })
    expect(parseInline('***a***')).toEqual([strong({ type: 'emphasis', children: [text('a')] })])
    expect(parseInline('**a *b** c*')).toEqual([strong(text('a *b')), text(' c*')])
    expect(parseInline('**https://a.b/c**')).toEqual([
      strong({ type: 'link', href: 'https://a.b/c', children: [text('https://a.b/c')] }),
    ])
  })

  test('a link’s label has no links', () => {
    expect(parseInline('[a **https://b.c**](https://d.e)')).toEqual([
      {
        type: 'link',
        href: 'https://d.e',
        children: [text('a '), { type: 'strong', children: [text('https://b.c')] }],
      },
    ])
    expect(parseInline('[](https://d.e)')).toMatchObject([text('[]('), { type: 'link' }, text(')')])
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

  test('ends at a sensible depth', () => {
    expect(parseMarkdown('> '.repeat(5000))).toHaveLength(1)
  })

  test('reads a heading without its closing marks', () => {
    expect(parseMarkdown('## Cost of C# ##  ')).toEqual([
      { type: 'heading', level: 2, children: [{ type: 'text', text: 'Cost of C#' }] },
    ])
  })
})

// A parser that is quadratic in one of these needs minutes and is ended by the test's time limit.
test.each([
  ['opening marks', '*a **b _c ~~d [e '],
  ['marks that open and close', '*a**b'],
  ['backticks of one length', '`'],
  ['brackets', '['],
  ['links without an end', '[a]('],
  ['nested addresses without an end', '](x()'],
  ['titles without an end', '[a](b "'],
  ['addresses', 'https://'],
  ['closed marks before a bracket', '[*a* '],
  ['spaces', ' '],
  ['tildes', '~'],
  ['rules with an end', '- '],
  ['headings', '# '],
  ['open code', '```\n~~~\n'],
  ['nested lists', '- a\n  - b\n    - c\n\n'],
  ['quotes', '> a\n>> b\n'],
])('time is linear in the length: %s', { timeout: 60_000 }, (_name, part) => {
  const repeated = part.repeat(100_000 / part.length)
  for (const hostile of [
    `${repeated}x`,
    `a${repeated}`,
    `# a${repeated}b`,
    `\`\`\`${repeated}\``,
    `~~~${repeated}\``,
  ]) {
    expect(parseMarkdown(hostile).length).toBeGreaterThan(0)
  }
})
