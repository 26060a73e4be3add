import { schema } from '@copydesk/schema'
import { Node } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import { countText, countWords, headingAt, readHeadings } from './text-figures.ts'

const heading = (level: number, text?: string) => ({
  type: 'heading',
  attrs: { level },
  ...(text ? { content: [{ type: 'text', text }] } : {}),
})
const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const doc = Node.fromJSON(schema, {
  type: 'doc',
  content: [
    heading(1, 'One'),
    paragraph('two words'),
    heading(2),
    { type: 'blockquote', content: [heading(3, 'In a quote'), paragraph('x')] },
  ],
})

describe('readHeadings', () => {
  test('all headings in order, wherever they are, but no empty ones', () => {
    expect(readHeadings(doc)).toMatchObject([
      { text: 'One', level: 1, position: 0 },
      { text: 'In a quote', level: 3 },
    ])
  })

  test('the heading of a place is the last one before it', () => {
    const headings = readHeadings(doc)
    expect(headingAt(headings, 8)).toBe(0)
    expect(headingAt(headings, doc.content.size)).toBe(1)
    expect(headingAt(headings.slice(1), 1)).toBe(-1)
  })
})

describe('countWords', () => {
  test('counts what readers call words', () => {
    expect(countWords('Don’t count well-known 3.14 twice — ok?').words).toBe(6)
    expect(countWords('你好，世界').words).toBe(4)
    expect(countWords('नमस्ते दुनिया').words).toBe(2)
    expect(countWords('👍🏽').words).toBe(0)
    expect(countWords('').characters).toBe(0)
  })

  test('counts a stretch of the document', () => {
    expect(countText(doc).words).toBe(7)
    expect(countText(doc, 1, 4)).toEqual({ words: 1, characters: 3 })
    expect(countText(doc, 2, 10).words).toBe(2)
  })
})
