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
