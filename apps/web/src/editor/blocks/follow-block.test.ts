import { schema } from '@copydesk/schema'
import { Node } from 'prosemirror-model'
import { EditorState, TextSelection } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { placeCaret } from './follow-block.ts'

const paragraph = (text: string) =>
  Node.fromJSON(schema, { type: 'paragraph', ...(text ? { content: [{ type: 'text', text }] } : {}) })

// Unchanged blocks are the same objects before and after, as the binding keeps them.
const kept = ['one', 'two', 'three'].map(paragraph)

function place(before: Node[], after: Node[], caret: number): string | undefined {
  const doc = schema.node('doc', null, before)
  const state = EditorState.create({ doc, selection: TextSelection.create(doc, caret) })
  const moved = placeCaret(state, EditorState.create({ doc: schema.node('doc', null, after) }))
  if (!moved) return undefined
  const { $head } = moved.selection
  return `${$head.parent.textContent.slice(0, $head.parentOffset)}|${$head.parent.textContent.slice($head.parentOffset)}`
}

test('[WRITE-4] the caret goes along with a block that others move', () => {
  const before = [paragraph('hello world'), ...kept]
  expect(place(before, [...kept, paragraph('hello world')], 6)).toBe('hello| world')
})

test('what was typed in the last moment doesn’t hinder that', () => {
  expect(place([paragraph('hello wo'), ...kept], [...kept, paragraph('hello')], 9)).toBe('hello|')
  expect(place([paragraph('hello'), ...kept], [...kept, paragraph('oh hello')], 6)).toBe('oh hello|')
  expect(place([paragraph('hi, and a lot more'), ...kept], [...kept, paragraph('hi')], 12)).toBe('hi|')
})

test('where the block is gone the caret stays at its place', () => {
  const [one, two, three] = kept as [Node, Node, Node]
  expect(place([one, paragraph('gone for good'), two, three], [one, two, three], 9)).toBe('|two')
  expect(place([paragraph(''), one], [one, paragraph('something else')], 1)).toBe('|one')
})
