import { expect, test } from 'vitest'
import { schema } from '../extensions.ts'
import { costOf, parseMarkdown, serializeMarkdown } from './index.ts'

const paragraph = `${'the quick brown fox jumps over **many** others, see [there](https://example.org/a) and `code`. '.repeat(5)}\n\n`
const section = `## Head\n\n${paragraph.repeat(3)}- one\n  - two\n\n> quoted\n> text\n\n| a | b |\n| - | - |\n| c | d |\n\n\`\`\`\ncode\n\`\`\`\n\n`

test('[BAD-66] the cost of reading a text is computed from the text alone: books pass', () => {
  for (const honest of [
    section.repeat(700),
    `${'word '.repeat(12)}\n`.repeat(100_000),
    'x'.repeat(10_000_000),
    '> a quoted line\n>\n'.repeat(20_000),
    '- item\n  - below\n'.repeat(40_000),
    'Title\n===\n\ntext\n\n'.repeat(20_000),
    `a ${'.'.repeat(200)} 1\n\n`.repeat(500),
  ]) {
    expect(costOf(honest), honest.slice(0, 20)).toEqual({ isTooLarge: false, isTooCostly: false })
  }
})

// V8 throws a RangeError if a loop of a regular expression repeats some millions of times.
test.each(['x', '>', '- ', '1. ', '.', '|-'])(
  '[BAD-66] the cost of a line of 10 MB that repeats %j is computed',
  (part) => {
    expect(() => costOf(part.repeat(10_000_000 / part.length))).not.toThrow()
  },
)

test('[BAD-66] more than a document may have is too large', () => {
  for (const large of [
    'x\n\n'.repeat(500_000),
    `${'|a'.repeat(800)}|\n${'|-'.repeat(800)}|\n${'|x|\n'.repeat(800)}`,
    '- a\n'.repeat(200_000),
    `${'*a* '.repeat(50)}\n\n`.repeat(20_000),
  ]) {
    expect(costOf(large).isTooLarge, large.slice(0, 20)).toBe(true)
  }
  expect(costOf('x'.repeat(16_000_000)).isTooLarge).toBe(true)
})

test('[BAD-66] what the parser would take minutes for is read as plain lines', () => {
  for (const costly of [
    `- ${'a\n'.repeat(20_000)}`,
    '> a\nb\n'.repeat(20_000),
    `www.${')'.repeat(20_000)}x`,
    `www.${'&a;'.repeat(10_000)}x`,
    `[${'a '.repeat(10_000)}`,
    '*a '.repeat(20_000),
    '> '.repeat(100),
    `<b>${' '.repeat(10_000)}${'_a*'.repeat(10_000)}`,
    `x\n<b>\n${'_a*'.repeat(10_000)}`,
  ]) {
    expect(costOf(costly), costly.slice(0, 20)).toEqual({ isTooLarge: false, isTooCostly: true })
    // A failed assertion on the text itself would print all of it.
    expect(parseMarkdown(costly).doc.textContent.length > 50).toBe(true)
  }
})

// Each of these took minutes or hours when the time was quadratic in the length.
test.each([
  ['tabs in a line', `x${'\t'.repeat(500_000)}x`],
  ['spaces in a line', `x${' '.repeat(500_000)}x`],
  ['tabs after a bar', `|${'\t'.repeat(500_000)}x`],
  ['underlined headings', 'a\n===\n'.repeat(20_000)],
  ['lists in lists', '- a\n  - b\n'.repeat(15_000)],
  ['quotes', '> a\n\n'.repeat(20_000)],
])('[BAD-66] %s take a time that grows with their length', (_, markdown) => {
  expect(costOf(markdown)).toEqual({ isTooLarge: false, isTooCostly: false })
  const { doc } = parseMarkdown(markdown)
  expect(serializeMarkdown(doc).length > 0).toBe(true)
})

test('[BAD-66] a table of merged cells leaves at most so many empty ones behind', () => {
  const cell = (text: string) =>
    schema.node('tableCell', { colspan: 1000, rowspan: 1000 }, schema.node('paragraph', null, schema.text(text)))
  const rows = Array.from({ length: 500 }, (_, row) =>
    schema.node('tableRow', null, [cell(`a${row}`), cell(`b${row}`), cell(`c${row}`)]),
  )
  const markdown = serializeMarkdown(schema.node('doc', null, schema.node('table', null, rows)))
  expect(markdown.includes('c499')).toBe(true)
  expect(markdown.length).toBeLessThan(5_000_000)
})
