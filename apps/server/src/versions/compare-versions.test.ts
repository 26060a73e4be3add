import { resolveChanges, schema } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { compareVersions, countChanged } from './compare-versions.ts'
import { planRestore } from './restore.ts'

const read = (markdown: string): Node => parseMarkdown(markdown).doc

function changed(before: string, after: string): string[] {
  const [old, now] = [read(before), read(after)]
  const { doc, changes } = compareVersions(old, now)
  doc.check()
  expect(resolveChanges(doc, 'original').eq(old)).toBe(true)
  expect(resolveChanges(doc, 'accepted').eq(now)).toBe(true)
  return changes.map(({ type, before: was, after: is }) => `${type}: ${was} > ${is}`)
}

test('[HIST-13] the paragraphs that differ are counted, a move once', () => {
  const count = (before: string, after: string) => countChanged(compareVersions(read(before), read(after)).doc)
  expect(count('One two.\n\nStays.\n\n- a\n- b', 'One 2 and 3.\n\nStays.\n\n- a\n- b\n- c')).toBe(2)
  expect(count('A\n\nB', 'A\n\nB')).toBe(0)
  expect(count('A\n\nB\n\nC is moved', 'C is moved\n\nA\n\nB')).toBe(1)
  expect(count('A', 'A\n\n| a | b |\n| - | - |\n| c | d |')).toBe(4)
  expect(count('A **b** c', 'A b c')).toBe(1)
})

test('[HIST-6] words within blocks, blocks that came or went, formatting', () => {
  expect(changed('One two three.\n\nStays.', 'One 2 three.\n\nStays.')).toEqual(['replacement: two > 2'])
  const { doc } = compareVersions(read('Bring teh bread, 読みます。'), read('Bring the bread, 書きます。'))
  const pieces: string[] = []
  doc.descendants((node) => void (node.isText && node.marks.length > 0 && pieces.push(node.text ?? '')))
  expect(pieces).toEqual(['teh', 'the', '読み', '書き'])
  expect(changed('A\n\nB', 'A\n\nNew here\n\nB')).toEqual(['block:  > New here'])
  expect(changed('A\n\nGone now\n\nB', 'A\n\nB')).toEqual(['block: Gone now > '])
  expect(changed('a word here', 'a **word** here')).toEqual(['formatting: plain “word” > bold “word”'])
  expect(changed('Same.\n\n- a\n- b', 'Same.\n\n- a\n- b')).toEqual([])
})

test('[HIST-6] a moved block is one change', () => {
  const blocks = ['The first paragraph.', 'Something in the middle.', 'Another one follows.', 'And this is the last.']
  const [first = '', ...rest] = blocks
  expect(changed(blocks.join('\n\n'), [...rest, first].join('\n\n'))).toEqual([`move: ${first} > ${first}`])
})

test('[HIST-8] to restore takes as few steps as there are differences, and comments stay on what stays', () => {
  const comment = schema.mark('comment', { threadId: 't' })
  const commented = schema.text('Kept with a comment', [comment])
  const present = schema.node('doc', null, [
    schema.node('paragraph', null, commented),
    schema.node('paragraph', null, schema.text('Changed text')),
    schema.node('paragraph', { threads: 't' }, schema.text('Also kept')),
  ])
  const transform = planRestore(present, read('Kept with a comment\n\nOld text\n\nAlso kept'), new Set(), [])
  expect(transform.steps).toHaveLength(1)
  expect(transform.doc.child(0)).toBe(present.child(0))
  expect(transform.doc.child(2)).toBe(present.child(2))
  expect(transform.doc.child(1).textContent).toBe('Old text')
})

test('[HIST-9] what was suggested then is suggested again only while nobody has decided on it', () => {
  const suggested = (id: string) => schema.text(id, [schema.mark('insertion', { id })])
  const version = schema.node('doc', null, [
    schema.node('paragraph', null, [schema.text('text '), suggested('open'), schema.text(' and '), suggested('gone')]),
  ])
  const restored = planRestore(read('other'), version, new Set(['open']), ['open', 'gone']).doc
  expect(restored.textContent).toBe('text open and ')
  expect(resolveChanges(restored, 'original').textContent).toBe('text  and ')
})
