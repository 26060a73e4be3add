import { decideChanges, schema, trackChanges } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { expect, test } from 'vitest'
import { readProposal } from './proposal-state.ts'

const doc = parseMarkdown('We saw **teh** cat today.').doc
// “teh cat”
const anchor = { from: 8, to: 15 }
const thread = { quote: 'teh cat' }
const comment = { replacement: 'the cat', suggested: 'c1' }

const replaced = (node: Node, from: number, to: number, text: string): Node =>
  new Transform(node).replaceWith(from, to, schema.text(text)).doc

test('[REV-40] a proposal fits while its text is what the comment quotes', () => {
  expect(readProposal(thread, comment, doc, anchor, () => false)).toBe('fits')
  expect(readProposal(thread, comment, replaced(doc, 8, 11, 'one'), anchor, () => false)).toBe('changed')
  expect(readProposal(thread, comment, replaced(doc, 8, 11, 'the'), anchor, () => false)).toBe('applied')
  expect(readProposal(thread, comment, doc, undefined, () => false)).toBe('changed')
  expect(readProposal(thread, comment, doc, anchor, (id) => id === 'c1')).toBe('suggested')
})

test('[REV-40] an open suggestion by another user counts as accepted', () => {
  const tracked = trackChanges(doc, replaced(doc, 8, 11, 'one'), { idAt: () => 'c2', isOwn: () => false }).doc
  const grown = { from: anchor.from, to: anchor.to + tracked.content.size - doc.content.size }
  expect(readProposal(thread, comment, tracked, grown, () => false)).toBe('changed')
  const rejected = decideChanges(tracked, 'all', 'reject').doc
  expect(readProposal(thread, comment, rejected, anchor, () => false)).toBe('fits')
})

test('[REV-40] whether a text with a formula fits is left to the server', () => {
  const formula = parseMarkdown('We saw $x^2$ today.').doc
  expect(readProposal({ quote: '$x^2$ today' }, comment, formula, { from: 8, to: 15 }, () => false)).toBe('fits')
})
