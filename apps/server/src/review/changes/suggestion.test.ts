import { decideChanges, schema } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { planSuggestion } from './suggestion.ts'

function rangeOf(doc: Node, text: string): { from: number; to: number } {
  let from = -1
  doc.descendants((node, pos) => {
    const at = node.isText ? (node.text ?? '').indexOf(text) : -1
    if (at >= 0 && from < 0) from = pos + at
  })
  return { from, to: from + text.length }
}

function decided(doc: Node, transform: { doc: Node }, decision: 'accept' | 'reject'): Node {
  const result = decideChanges(transform.doc, 'all', decision).doc
  result.check()
  if (decision === 'reject') expect(result.toJSON()).toEqual(doc.toJSON())
  return result
}

test.each([
  ['We saw teh cat.', 'teh', 'the', 'We saw the cat.'],
  ['We saw **teh** cat.', 'teh', 'the', 'We saw the cat.'],
  ['Away with this word.', ' with this', '', 'Away word.'],
  ['One line.', 'One', 'Two\nthree', 'Two\nthree line.'],
  ['```\nlet a = 1\n```', 'a = 1', 'b = 2\nlet c', 'let b = 2\nlet c'],
  ['| a | b |\n| - | - |\n| c | d |', 'c', 'e', 'abed'],
])('[REV-11] in %j %j becomes %j, and rejecting puts it back exactly', (markdown, quote, replaceWith, expected) => {
  const { doc } = parseMarkdown(markdown)
  const plan = planSuggestion(doc, rangeOf(doc, quote), replaceWith, 'change')
  if (!plan.ok) throw new Error(plan.message)
  expect(plan.change).toMatchObject({ id: 'change' })
  plan.transform.doc.check()
  const accepted = decided(doc, plan.transform, 'accept')
  expect(
    accepted.textBetween(0, accepted.content.size, '', (leaf) => (leaf.type.name === 'hardBreak' ? '\n' : '')),
  ).toBe(expected)
  decided(doc, plan.transform, 'reject')
})

test('[REV-11] a selection over several blocks can be replaced and put back', () => {
  const { doc } = parseMarkdown('First one.\n\nSecond one.\n\n- item')
  const range = { from: rangeOf(doc, 'one').from, to: rangeOf(doc, 'item').from + 2 }
  const plan = planSuggestion(doc, range, 'X', 'change')
  if (!plan.ok) throw new Error(plan.message)
  expect(decided(doc, plan.transform, 'accept').textContent).toBe('First Xem')
  decided(doc, plan.transform, 'reject')
})

test('[REV-11] a caret inserts, taking the formatting around it', () => {
  const { doc } = parseMarkdown('A **bold** word')
  const at = rangeOf(doc, 'bold').from + 2
  const plan = planSuggestion(doc, { from: at, to: at }, 'NEW', 'change')
  if (!plan.ok) throw new Error(plan.message)
  const accepted = decided(doc, plan.transform, 'accept')
  expect(accepted.textContent).toBe('A boNEWld word')
  expect(accepted.nodeAt(at)?.marks.map(({ type }) => type.name)).toEqual(['bold'])
})

test('[REV-3] a suggestion that would change nothing, or be between blocks, is refused', () => {
  const { doc } = parseMarkdown('One.\n\nTwo.')
  expect(planSuggestion(doc, rangeOf(doc, 'One'), 'One', 'change')).toMatchObject({ code: 'invalid_input' })
  expect(planSuggestion(doc, { from: 6, to: 6 }, 'between', 'change')).toMatchObject({ code: 'invalid_input' })
  expect(
    planSuggestion(schema.node('doc', null, [schema.node('paragraph')]), { from: 1, to: 1 }, '', 'change').ok,
  ).toBe(false)
})
