import { schema } from '@copydesk/schema'
import { Transform } from '@tiptap/pm/transform'
import type { Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { rebaseBase } from './base-document.ts'

const line = (words: string) => schema.node('paragraph', null, words ? [schema.text(words)] : [])
const documentOf = (...words: string[]) => schema.node('doc', null, words.map(line))
const words = (doc: Node) => doc.children.map((child) => child.textContent)

/** The base after composing `own` and then receiving `theirs`, each applied to the document at that time. */
function rebased(base: Node, own: (transform: Transform) => Transform, theirs: (transform: Transform) => Transform) {
  const current = own(new Transform(base)).doc
  const result = rebaseBase(base, current, theirs(new Transform(current)).doc)
  result.check()
  return words(result)
}

const base = documentOf('one two', 'three', 'four')
const compose = (transform: Transform) => transform.insert(4, schema.text('XY'))

test('[SUG-19] changes in other blocks come into the base', () => {
  expect(rebased(base, compose, (tr) => tr.insert(13, schema.text('!')))).toEqual(['one two', 't!hree', 'four'])
  expect(rebased(base, compose, (tr) => tr.insert(0, line('new')))).toEqual(['new', 'one two', 'three', 'four'])
  expect(rebased(base, compose, (tr) => tr.delete(18, 24))).toEqual(['one two', 'three'])
})

test('[SUG-19] changes in the same block come into the base, before and behind what is composed', () => {
  expect(rebased(base, compose, (tr) => tr.insert(1, schema.text('>')))).toEqual(['>one two', 'three', 'four'])
  expect(rebased(base, compose, (tr) => tr.insert(10, schema.text('<')))).toEqual(['one two<', 'three', 'four'])
})

test('[SUG-19] what was composed over comes back', () => {
  const over = (transform: Transform) => transform.replaceWith(5, 8, schema.text('XY'))
  expect(rebased(base, over, (tr) => tr.insert(1, schema.text('>')))).toEqual(['>one two', 'three', 'four'])
})

test('what nobody can tell apart counts as the others’', () => {
  expect(rebased(base, compose, (tr) => tr.insert(5, schema.text('-')))).toEqual(['oneX-Y two', 'three', 'four'])
})

test('nothing composed, nothing to take out', () => {
  expect(
    rebased(
      base,
      (tr) => tr,
      (tr) => tr.insert(1, schema.text('!')),
    ),
  ).toEqual(['!one two', 'three', 'four'])
})
