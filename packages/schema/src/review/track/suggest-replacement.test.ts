import { Fragment } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { decideChanges, readChanges, schema, suggestReplacements } from '../../index.ts'

const line = (...content: (string | ReturnType<typeof schema.text>)[]) =>
  schema.node(
    'paragraph',
    null,
    content.map((part) => (typeof part === 'string' ? schema.text(part) : part)),
  )
const text = (words: string, name: string, id: string) => schema.text(words, [schema.mark(name, { id })])
const content = (words: string) => Fragment.from(schema.text(words))
const isOwn = (id: string) => id.startsWith('a')

test('[SUG-18] what is replaced goes as a whole, whatever it has in common with what comes', () => {
  const before = schema.node('doc', null, [line('took teh bus')])
  const { doc } = suggestReplacements(before, [{ from: 6, to: 9, content: content('the'), id: 'a1' }], isOwn)
  expect(
    doc.eq(
      schema.node('doc', null, [line('took ', text('teh', 'deletion', 'a1'), text('the', 'insertion', 'a1'), ' bus')]),
    ),
  ).toBe(true)
  expect(decideChanges(doc, 'all', 'reject').doc.eq(before)).toBe(true)
})

test('[SUG-18] one’s own insertion goes for good, others’ stays to be decided, deleted text stays deleted', () => {
  const own = text('own', 'insertion', 'a1')
  const theirs = text('theirs', 'insertion', 'b1')
  const gone = text('gone', 'deletion', 'b2')
  const before = schema.node('doc', null, [line('x', own, theirs, gone, 'y')])
  const { doc } = suggestReplacements(before, [{ from: 1, to: 16, content: Fragment.empty, id: 'a2' }], isOwn)
  expect(doc.textContent).toBe('xtheirsgoney')
  expect(readChanges(doc).map(({ id, type }) => [id, type])).toEqual([
    ['a2', 'deletion'],
    ['b1', 'insertion'],
    ['b2', 'deletion'],
  ])
})

test('[SUG-17] several places are several changes', () => {
  const before = schema.node('doc', null, [line('red, red')])
  const places = [
    { from: 1, to: 4, content: content('blue'), id: 'a1' },
    { from: 6, to: 9, content: content('blue'), id: 'a2' },
  ]
  const { doc } = suggestReplacements(before, places, isOwn)
  expect(decideChanges(doc, new Set(['a2']), 'accept').doc.textContent).toBe('redblue, blue')
  expect(decideChanges(doc, 'all', 'accept').doc.textContent).toBe('blue, blue')
})
