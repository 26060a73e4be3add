import { parseMarkdown } from '@copydesk/schema/markdown'
import { schema } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import { growthOf } from '../testing/growth.ts'
import { contextOf, findQuote, type QuoteInContext } from './find-quote.ts'
import { flatTextOf } from './flat-text.ts'

const documentOf = (markdown: string): Node => parseMarkdown(markdown).doc

function rangeOf(doc: Node, text: string, occurrence = 1): { from: number; to: number } {
  const flat = flatTextOf(doc)
  let at = -1
  for (let count = 0; count < occurrence; count++) at = flat.text.indexOf(text, at + 1)
  const range = at < 0 ? undefined : flat.positionsOf({ from: at, to: at + text.length })
  if (!range) throw new Error(`${text} isn't in ${flat.text}`)
  return range
}

function quoteIn(markdown: string, text: string, occurrence = 1): QuoteInContext {
  const doc = documentOf(markdown)
  const { from, to } = rangeOf(doc, text, occurrence)
  return contextOf(doc, from, to)
}

function found(markdown: string, wanted: QuoteInContext): string | undefined {
  const doc = documentOf(markdown)
  const range = findQuote(doc, wanted)
  if (!range) return undefined
  const { from, to } = range
  const { prefix, quote } = contextOf(doc, from, to)
  return `${prefix.slice(-8)}[${quote}]`
}

describe('contextOf', () => {
  test('gives the text with what is around it, through formatting and across blocks', () => {
    expect(quoteIn('one **two** three\n\nfour @five', 'two three')).toEqual({
      quote: 'two three',
      prefix: 'one ',
      suffix: '\nfour @five',
    })
  })

  test('never cuts an emoji in half', () => {
    const long = '😀'.repeat(40)
    const { prefix, suffix } = quoteIn(`x${long}middle${long}x`, 'middle')
    expect(prefix.isWellFormed() && suffix.isWellFormed()).toBe(true)
    expect([prefix.length, suffix.length]).toEqual([32, 32])
    expect(quoteIn(`${long}!middle!${long}`, 'middle').prefix).toHaveLength(31)
  })

  test('leaves out what a suggestion deletes, and takes a leaf block by its words', () => {
    const deletion = schema.mark('deletion', { id: 'd' })
    const doc = schema.node('doc', null, [
      schema.node('paragraph', null, [schema.text('keep '), schema.text('drop ', [deletion]), schema.text('this')]),
      schema.node('image', { src: '/a.png', alt: 'A cat' }),
    ])
    expect(contextOf(doc, 1, 15).quote).toBe('keep this')
    expect(contextOf(doc, 16, 17).quote).toBe('![A cat](/a.png)')
    expect(findQuote(doc, contextOf(doc, 16, 17))).toEqual({ from: 16, to: 17 })
    expect(findQuote(doc, { quote: 'drop', prefix: 'keep ', suffix: ' this' })).toBeUndefined()
  })
})

describe('findQuote', () => {
  const before = 'The quick brown fox jumps over the lazy dog.\n\nAnother fox sleeps here.'

  test.each([
    ['where it stood', before, 'brown fox', 1, before, 'e quick [brown fox]'],
    [
      'retyped with other words around it',
      before,
      'fox',
      2,
      'A fox runs.\n\nAnother fox sleeps there now.',
      'Another [fox]',
    ],
    [
      'moved to another paragraph',
      before,
      'jumps over the lazy dog',
      1,
      'Later he jumps over the lazy dog again.',
      'ater he [jumps over the lazy dog]',
    ],
    ['formatted since', before, 'quick brown fox', 1, 'The **quick** *brown* fox jumps over.', 'The [quick brown fox]'],
    [
      'with other quotes and dashes',
      'He said "stop it now" - and left.',
      '"stop it now" - and',
      1,
      'He said “stop it now” – and left.',
      'He said [“stop it now” – and]',
    ],
    [
      'with other spaces',
      'about 10 kilometres away',
      '10 kilometres',
      1,
      'about 10\u00A0kilometres away',
      'about [10\u00A0kilometres]',
    ],
    [
      'with decomposed accents',
      'le café de la gare',
      'café de la gare',
      1,
      'le cafe\u0301 de la gare',
      'le [cafe\u0301 de la gare]',
    ],
    [
      'across blocks as before',
      'one two three\n\nfour five six',
      'two three\nfour five',
      1,
      'zero one two three\n\nfour five six seven',
      'ero one [two three\nfour five]',
    ],
    [
      'across blocks that were joined',
      'one two three\n\nfour five six',
      'two three\nfour five',
      1,
      'one two three four five six',
      'one [two three four five]',
    ],
    [
      'few characters of a script that says much with them',
      '今日は天気がいいです',
      '天気がいい',
      1,
      '明日も天気がいいでしょう',
      '明日も[天気がいい]',
    ],
  ])('finds a quote %s', (_title, old, text, occurrence, now, expected) => {
    expect(found(now, quoteIn(old, text, occurrence))).toBe(expected)
  })

  test.each([
    ['that is gone', before, 'brown fox', 'Nothing of it is here any more.'],
    ['that is short and stands in another sentence', before, 'lazy', 'Do not call anybody lazy without reason.'],
    ['that stands twice in places alike', before, 'Another fox sleeps', 'Another fox sleeps.\n\nAnother fox sleeps.'],
    [
      'that would cross blocks it did not cross',
      'alpha beta gamma delta epsilon',
      'beta gamma delta',
      'alpha beta\n\ngamma delta epsilon',
    ],
  ])('finds no quote %s', (_title, old, text, now) => {
    expect(found(now, quoteIn(old, text))).toBeUndefined()
  })

  test('distinguishes equal texts by their surroundings', () => {
    const old = 'The price is $100 for members.\n\nThe price is $100 for guests.'
    const now = 'News.\n\nThe price is $100 for guests.\n\nThe price is $100 for members.'
    for (const [occurrence, who] of [
      [1, 'members'],
      [2, 'guests'],
    ] as const) {
      const doc = documentOf(now)
      const range = findQuote(doc, quoteIn(old, '$100', occurrence))
      expect(range && contextOf(doc, range.from, range.to).suffix).toMatch(new RegExp(`^ for ${who}`))
    }
  })

  test('takes no part of a mention, and nothing for an empty quote', () => {
    const mention = schema.node('mention', { id: 'p', label: 'Ada Lovelace', kind: 'person' })
    const doc = schema.node('doc', null, [schema.node('paragraph', null, [schema.text('ask '), mention])])
    expect(findQuote(doc, { quote: 'Ada Lovelac', prefix: 'ask @', suffix: 'e' })).toBeUndefined()
    expect(findQuote(doc, { quote: 'ask @Ada Lovelace', prefix: '', suffix: '' })).toEqual({ from: 1, to: 6 })
    for (const quote of ['', '  ', '\n']) expect(findQuote(doc, { quote, prefix: '', suffix: '' })).toBeUndefined()
  })

  test('is not slowed down by a short quote that occurs everywhere', () => {
    const docOf = (count: number) => documentOf('a a a a a a a a a a a a a a a a\n\n'.repeat(count))
    const docs = new Map([750, 3000].map((count) => [count, docOf(count)]))
    const wanted = { quote: 'a', prefix: 'b '.repeat(16), suffix: ' b'.repeat(16) }
    const find = (count: number): void => expect(findQuote(docs.get(count)!, wanted)).toBeUndefined()
    expect(growthOf(find, 750)).toBeLessThan(9)
  })
})
