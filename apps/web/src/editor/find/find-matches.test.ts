import { schema } from '@copydesk/schema'
import { Node } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import { countMatches, createSearch, matchesBetween, matchFrom, matchNumber, type Query } from './find-matches.ts'

const doc = Node.fromJSON(schema, {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'Cat and cats' }] },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'a ca' },
        { type: 'text', marks: [{ type: 'bold' }], text: 't sat' },
        { type: 'hardBreak' },
        { type: 'text', text: 'Ein KATZ, a (cat).' },
      ],
    },
  ],
})

function search(query: Partial<Query>) {
  const found = createSearch({ text: 'cat', matchCase: false, wholeWord: false, ...query })?.(doc) ?? []
  return matchesBetween(found, 0, doc.content.size).map(({ from, to }) => doc.textBetween(from, to))
}

describe('createSearch', () => {
  test('finds across marks, whatever the case unless it matters', () => {
    expect(search({})).toEqual(['Cat', 'cat', 'cat', 'cat'])
    expect(search({ matchCase: true })).toEqual(['cat', 'cat', 'cat'])
  })

  test('whole words only', () => {
    expect(search({ wholeWord: true })).toEqual(['Cat', 'cat', 'cat'])
    expect(search({ text: 'ca', wholeWord: true })).toEqual([])
  })

  test('takes signs literally, and nothing for nothing', () => {
    expect(search({ text: '(cat).' })).toEqual(['(cat).'])
    expect(search({ text: '.*' })).toEqual([])
    expect(search({ text: 'a-b/c[d]{e}^$|\\' })).toEqual([])
    expect(createSearch({ text: '', matchCase: false, wholeWord: false })).toBeNull()
  })

  test('[IMG-13] finds captions, as their images', () => {
    const image = schema.node('image', { src: '/a.png', alt: 'A cat', title: 'The cat. A cat' })
    const pictured = doc.copy(doc.content.addToStart(image))
    const found = createSearch({ text: 'cat', matchCase: false, wholeWord: true })!(pictured)
    expect(countMatches(found)).toBe(5)
    expect(matchNumber(found, 1)).toEqual({ from: 0, to: 1, number: 1, caption: [11, 14] })
    expect(matchFrom(found, 1)).toEqual({ from: 2, to: 5, number: 2 })
  })

  test('numbers the matches in the order of the document, round its end', () => {
    const found = createSearch({ text: 'cat', matchCase: false, wholeWord: false })!(doc)
    expect(countMatches(found)).toBe(4)
    expect(matchNumber(found, 2)).toMatchObject({ number: 2 })
    expect(matchNumber(found, 4)).toBeNull()
    expect(matchFrom(found, 3)).toMatchObject({ number: 1 })
    expect(matchFrom(found, doc.content.size)).toMatchObject({ number: 0, from: 1, to: 4 })
  })
})
