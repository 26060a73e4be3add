import { schema } from '@copydesk/schema'
import { expect, test } from 'vitest'
import { inWords } from './in-words.ts'

const deletion = (id: string) => schema.mark('deletion', { id })
const insertion = (id: string) => schema.mark('insertion', { id })
const text = (words: string, ...marks: ReturnType<typeof deletion>[]) => schema.text(words, marks)
const doc = schema.node('doc', null, [
  schema.node('paragraph', null, [
    text('bring th'),
    text('ie', deletion('c1')),
    text('ei', insertion('c1')),
    text('r '),
    text('very ', deletion('c2')),
    text('own'),
    text('ed', insertion('c3')),
  ]),
])

test('shows whole words', () => {
  const change = { id: 'c1', type: 'replacement', from: 9, to: 13, before: 'ie', after: 'ei' }
  expect(inWords(doc, change)).toMatchObject({ before: 'thier', after: 'their' })
})

test('leaves out the punctuation around a word, but not that within it', () => {
  const quoted = (...nodes: ReturnType<typeof text>[]) =>
    schema.node('doc', null, [schema.node('paragraph', null, nodes)])
  const ended = quoted(text('taken “'), text('today', deletion('c1')), text('soon', insertion('c1')), text('.”'))
  const change = { id: 'c1', type: 'replacement', from: 8, to: 17, before: 'today', after: 'soon' }
  expect(inWords(ended, change)).toMatchObject({ before: 'today', after: 'soon' })
  const inside = quoted(text('we don’'), text('d', deletion('c1')), text('t', insertion('c1')), text(', yet'))
  const typo = { id: 'c1', type: 'replacement', from: 8, to: 10, before: 'd', after: 't' }
  expect(inWords(inside, typo)).toMatchObject({ before: 'don’d', after: 'don’t' })
})

test('shows what others suggest as if accepted', () => {
  const change = { id: 'c3', type: 'insertion', from: 23, to: 25, before: '', after: 'ed' }
  expect(inWords(doc, change)).toMatchObject({ before: 'own', after: 'owned' })
  const deleted = { id: 'c2', type: 'deletion', from: 15, to: 20, before: 'very ', after: '' }
  expect(inWords(doc, deleted)).toMatchObject({ before: 'very', after: '' })
})

test('leaves formatting and blocks as they are', () => {
  const change = { id: 'c1', type: 'block', from: 9, to: 13, before: 'ie', after: 'ei' }
  expect(inWords(doc, change)).toBe(change)
})
