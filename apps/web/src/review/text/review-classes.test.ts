import { schemaExtensions } from '@copydesk/schema'
import { getSchema } from '@tiptap/core'
import type { Mark, Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { changeClass, threadClass, withReviewClasses } from './review-classes.ts'

const schema = getSchema(schemaExtensions.map(withReviewClasses))
const plain = getSchema([...schemaExtensions])

function drawn(part: Mark | Node): unknown {
  const spec = 'nodeSize' in part ? part.type.spec.toDOM?.(part) : part.type.spec.toDOM?.(part, true)
  return Array.isArray(spec) ? spec[1] : undefined
}

test('[REV-39] marks of the review carry a class for their id in addition to their own', () => {
  expect(drawn(schema.mark('insertion', { id: 'c1' }))).toEqual({ 'data-change': 'c1', class: 'change-c1' })
  expect(drawn(schema.mark('deletion', { id: 'c1' }))).toMatchObject({ class: 'change-c1' })
  const turned = { id: 'c1', mark: 'bold', previous: null }
  expect(drawn(schema.mark('formattingChange', turned))).toMatchObject({ 'data-mark': 'bold', class: 'change-c1' })
  expect(drawn(schema.mark('comment', { threadId: 't1' }))).toEqual({ 'data-thread': 't1', class: 'thread-t1' })
})

test('[REV-39] nodes carry one for each of theirs, and their own classes', () => {
  const suggestion = JSON.stringify(['c1', 'c2'].map((id) => ({ id, operation: 'insert' })))
  const block = schema.node('paragraph', { suggestion, threads: 't1' })
  expect(drawn(block)).toMatchObject({ 'data-threads': 't1', class: 'thread-t1 change-c1 change-c2' })
  expect(drawn(schema.node('paragraph'))).toEqual(drawn(plain.node('paragraph')))
})

test('[REV-39] an id that is no plain word gets none', () => {
  for (const id of ['', 'a b', 'a"]', 'x'.repeat(65), 7, null, undefined]) {
    expect([changeClass(id), threadClass(id)]).toEqual([undefined, undefined])
  }
  expect(drawn(schema.mark('insertion', { id: 'a b' }))).toEqual({ 'data-change': 'a b' })
})

test('[REV-39] the schema is the same', () => {
  expect(Object.keys(schema.marks)).toEqual(Object.keys(plain.marks))
  expect(Object.keys(schema.nodes)).toEqual(Object.keys(plain.nodes))
  for (const name of Object.keys(plain.nodes)) {
    const attrs = (of: typeof schema) => Object.keys(of.nodes[name]?.spec.attrs ?? {})
    expect(attrs(schema)).toEqual(attrs(plain))
  }
})
