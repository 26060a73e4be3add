import { expect, test } from 'vitest'
import { schema } from '../extensions.ts'
import { readChanges } from './read-changes.ts'

const insertion = schema.mark('insertion', { id: 'x' })
const deletion = schema.mark('deletion', { id: 'x' })
const text = (words: string, mark?: typeof insertion) => schema.text(words, mark ? [mark] : [])

function read(...content: ReturnType<typeof text>[]) {
  const doc = schema.node('doc', null, [schema.node('paragraph', null, content)])
  return readChanges(doc).map(({ before, after }) => [before, after])
}

test('[SUG-12] a replacement shows the words that it reaches, without the punctuation around them', () => {
  const year = [
    text('for ('),
    text('one', deletion),
    text('two', insertion),
    text(' year'),
    text('s', insertion),
    text(').'),
  ]
  expect(read(...year)).toEqual([['one year', 'two years']])
  expect(read(text('at $4,'), text('0', deletion), text('2', insertion), text('00, then'))).toEqual([
    ['$4,000', '$4,200'],
  ])
})

test('[SUG-12] what changes a word is a replacement of the word', () => {
  const types = (...content: ReturnType<typeof text>[]) =>
    readChanges(schema.node('doc', null, [schema.node('paragraph', null, content)])).map(({ type }) => type)
  const budget = [text('a budget of ($50'), text('0', insertion), text('k) a year')]
  expect(read(...budget)).toEqual([['$50k', '$500k']])
  expect(types(...budget)).toEqual(['replacement'])
  expect(read(text('one year'), text('s', insertion))).toEqual([['year', 'years']])
  expect(read(text('s', deletion), text('hop'))).toEqual([['shop', 'hop']])
  expect(types(text('one'), text(', two', insertion), text(', three'))).toEqual(['insertion'])
  expect(types(text('one', insertion))).toEqual(['insertion'])
})

test('[SUG-12] what only comes or only goes stays as it is, and so does what reaches far', () => {
  expect(read(text('two '), text('new ', insertion), text('words'))).toEqual([['', 'new ']])
  const far = [text('a', deletion), text(' kept'.repeat(60)), text('b', insertion)]
  expect(read(...far)).toEqual([['a', 'b']])
})
