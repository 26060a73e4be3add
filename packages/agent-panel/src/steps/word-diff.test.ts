import { expect, test } from 'vitest'
import { diffWords } from './word-diff.ts'

const show = (before: string, after: string) =>
  diffWords({ before, after })
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'old' ? `[-${text}]` : `[+${text}]`))
    .join('')

test('shows whole words and what is around them', () => {
  expect(show('It took teh last bus', 'It took the last bus')).toBe('It took [-teh][+the] last bus')
})

test('shows what is new and what is gone as a whole', () => {
  expect(show('', 'New')).toBe('[+New]')
  expect(show('Old', '')).toBe('[-Old]')
  expect(show('', '')).toBe('')
})

test('an insertion takes nothing away', () => {
  expect(show('one two', 'one and two')).toBe('one [+and ]two')
  expect(show('one', 'one more')).toBe('one[+ more]')
})

test('two changes are separate, neighbouring words together', () => {
  expect(show('bring thier own lamps to read', 'bring their own lamps too read')).toBe(
    'bring [-thier][+their] own lamps [-to][+too] read',
  )
  expect(show('a quiet table here', 'a silent desk here')).toBe('a [-quiet table][+silent desk] here')
})

test('of what stays only a little is shown, cut between characters', () => {
  const smiles = '😀'.repeat(60)
  const parts = diffWords({ before: `${smiles} a ${smiles}`, after: `${smiles} b ${smiles}` })
  for (const { text } of parts) expect(text.isWellFormed()).toBe(true)
  expect(parts[0]?.text.length).toBeLessThan(50)
})

test('long texts that differ everywhere are two pieces', () => {
  const words = (word: string) => Array.from({ length: 400 }, (_, index) => `${word}${index}`).join(' ')
  expect(diffWords({ before: words('a'), after: words('b') }).map(({ kind }) => kind)).toEqual(['old', 'new'])
})

test('a change in a very long text is shown with what is around it', () => {
  const words = (word: string) => Array.from({ length: 10_000 }, (_, index) => `${word}${index}`).join(' ')
  expect(show(`before ${words('a')} after`, `before ${words('b')} after`)).toMatch(
    /^before \[-a0 .*…\]\[\+b0 .*…\] after$/,
  )
  expect(show(`${words('a')} teh end`, `${words('a')} the end`)).toMatch(/^….* \[-teh\]\[\+the\] end$/)
})
