import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMarkdown } from '../markdown/index.ts'
import { compareDocuments } from './compare-documents.ts'

const pieces = [
  '# Title',
  'one two three',
  'one two **three** four',
  '- a\n- b\n  - c',
  '- a\n- x\n- b',
  '1. a\n2. b',
  '- [ ] t\n- [x] u',
  '> quoted\n>\n> - in it',
  '| a | b |\n| - | - |\n| c | d |',
  '| a | b |\n| - | - |\n| c | e |\n| f | g |',
  '```\ncode\n```',
  '![i](/x.png)',
  '---',
  'with `code` and $x$ and [link](/l)',
]
const document = fc
  .array(fc.constantFrom(...pieces), { maxLength: 7 })
  .map((parts) => parseMarkdown(parts.join('\n\n')).doc)

test('the difference turns one document into the other, whatever they are', () => {
  const turns = fc.property(document, document, (before, after) => {
    const transform = compareDocuments(before, after)
    expect(transform.doc.eq(after)).toBe(true)
    transform.doc.check()
  })
  fc.assert(turns, { numRuns: 400 })
})

test('of one changed word only its letters change', () => {
  const before = parseMarkdown('# Title\n\none two three\n\nlast').doc
  const after = parseMarkdown('# Title\n\none too three\n\nlast').doc
  const ranges: number[][] = []
  for (const map of compareDocuments(before, after).mapping.maps) map.forEach((from, to) => ranges.push([from, to]))
  expect(ranges).toEqual([[13, 14]])
})

test('what is put in before a word with the same first letter leaves that word whole', () => {
  const before = parseMarkdown('THE END').doc
  const after = parseMarkdown('This is THE END').doc
  const ranges: number[][] = []
  for (const map of compareDocuments(before, after).mapping.maps) map.forEach((from, to) => ranges.push([from, to]))
  expect(ranges).toEqual([[1, 1]])
})
