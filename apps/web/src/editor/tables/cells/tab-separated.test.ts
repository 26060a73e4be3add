import { expect, test } from 'vitest'
import { readTabSeparated } from './tab-separated.ts'

test('[TABLE-10] text divided by tabs is read as cells', () => {
  expect(readTabSeparated('a\tb\r\nc\td\r\n')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(readTabSeparated('a\t\n\td')).toEqual([
    ['a', ''],
    ['', 'd'],
  ])
  expect(readTabSeparated('"two\nlines"\t"a ""word"""\n"not closed\td "" e')).toEqual([
    ['two\nlines', 'a "word"'],
    ['"not closed', 'd "" e'],
  ])
  expect(readTabSeparated('a\tb', 1)).toEqual([['a', 'b']])
})

test.each([
  ['a line with a tab', 'a\tb'],
  ['rows of different lengths', 'a\tb\nc'],
  ['indented code', '\tif (x) {\n\t}'],
  ['text without tabs', 'a\nb'],
  ['nothing', ''],
  ['a very long text', 'a\tb\n'.repeat(300_000)],
])('%s is no table', (_name, text) => expect(readTabSeparated(text)).toBeNull())

test('many quotation marks are read in linear time', () => {
  expect(readTabSeparated('"\t'.repeat(200_000))).toBeNull()
  expect(readTabSeparated(`"${'""'.repeat(200_000)}\t`)).toBeNull()
})
