import { DOCUMENT_LIMITS } from '@copydesk/protocol'
import { blockLimits, checkAttributes, schema } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { addColumnAfter } from '@tiptap/pm/tables'
import { expect, test } from 'vitest'
import { ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'
import { createKeepLimits } from './keep-limits.ts'

const paragraph = (...content: Node[]) => schema.node('paragraph', null, content)
const words = (text: string) => schema.text(text)
const longAddress = `https://example.org/${'x'.repeat(blockLimits.address)}`

type Edited = { doc: Node; said: string[]; isDone: boolean }

/** Makes an edit of a document with these blocks in an editor that keeps the limits. */
function edit(blocks: Node[], change: (state: EditorState) => Transaction, content = new Y.Doc()): Edited {
  const said: string[] = []
  const extension = createKeepLimits({
    content,
    say: (text) => void said.push(text),
    askToSplit: () => {},
  })
  const plugins = extension.config.addProseMirrorPlugins?.call({} as never) ?? []
  const state = EditorState.create({ doc: schema.node('doc', null, blocks), plugins })
  const { state: after, transactions } = state.applyTransaction(change(state))
  return { doc: after.doc, said, isDone: transactions.length > 0 }
}

function isSound(doc: Node): boolean {
  doc.descendants((node) => {
    checkAttributes(node.type.name, node.attrs)
    for (const mark of node.marks) checkAttributes(mark.type.name, mark.attrs)
  })
  return true
}

test('[WRITE-14] numbers out of their range are put right in the same step', () => {
  const list = schema.node('orderedList', { start: 1e12 }, schema.node('listItem', null, paragraph(words('x'))))
  const { doc, said } = edit([paragraph()], ({ tr }) => tr.insert(0, list))
  expect(doc.firstChild?.attrs.start).toBe(999_999_999)
  expect(isSound(doc)).toBe(true)
  expect(said).toEqual([])
})

test('[WRITE-14] so is what an attribute can have in part, or not at all', () => {
  const image = schema.node('image', { src: '/x.png', alt: 'x'.repeat(9000), width: 1e9 })
  const { doc } = edit([paragraph()], ({ tr }) => tr.insert(0, image))
  expect(doc.firstChild?.attrs).toMatchObject({ src: '/x.png', width: null })
  expect(doc.firstChild?.attrs.alt).toHaveLength(4000)
})

test.each<[string, (state: EditorState) => Transaction, RegExp]>([
  [
    'a formula that is too long',
    ({ tr }) => tr.insert(0, schema.node('blockMath', { latex: 'x'.repeat(10_001) })),
    /A formula has at most 10,000 characters\. Nothing was changed\./,
  ],
  [
    'a link to too long an address',
    ({ tr }) => tr.addMark(1, 3, schema.mark('link', { href: longAddress })),
    /An address has at most 8,192 characters/,
  ],
  [
    'more text than a block holds',
    ({ tr }) => tr.insertText('x'.repeat(200_001), 1),
    /A block has at most 200,000 characters/,
  ],
])('[WRITE-14] %s is not done, and a message says so', (_name, change, said) => {
  const before = [paragraph(words('words'))]
  const edited = edit(before, change)
  expect(edited.isDone).toBe(false)
  expect(edited.said).toEqual([expect.stringMatching(said)])
  expect(edited.doc.textContent).toBe('words')
})

test('[WRITE-14] a table gets no more than 200 columns, by whatever command', () => {
  const cells = Array.from({ length: 200 }, () => schema.node('tableCell', null, paragraph()))
  const table = schema.node('table', null, [schema.node('tableRow', null, cells)])
  const edited = edit([table], (state) => {
    const inside = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 4)))
    let added: Transaction = state.tr
    addColumnAfter(inside, (transaction) => (added = transaction))
    return added
  })
  expect(edited.isDone).toBe(false)
  expect(edited.said).toEqual([expect.stringMatching(/at most 200 columns/)])
})

test('[WRITE-14] older content of a document can be deleted and written next to, and is not changed by other edits', () => {
  const formula = schema.node('blockMath', { latex: 'x'.repeat(440_000) })
  const long = paragraph(words('lorem '.repeat(60_000)))
  const blocks = [paragraph(words('words')), formula, long]
  expect(edit(blocks, ({ tr }) => tr.insertText('more ', 1)).isDone).toBe(true)
  expect(edit(blocks, ({ tr }) => tr.delete(7, 8)).isDone).toBe(true)
  expect(edit(blocks, ({ tr }) => tr.delete(10, 20)).isDone).toBe(true)
  // A move writes the node again.
  expect(edit(blocks, ({ tr }) => tr.delete(7, 8).insert(0, formula)).isDone).toBe(false)
  const others = edit(blocks, ({ tr }) => tr.insert(0, formula).setMeta(ySyncPluginKey, { isChangeOrigin: true }))
  expect(others).toMatchObject({ isDone: true, said: [] })
  expect(others.doc.firstChild?.attrs.latex).toHaveLength(440_000)
})

test('[WRITE-14] many changes at once are looked through in one go, and what was there before stays', () => {
  const formula = schema.node('blockMath', { latex: 'x'.repeat(440_000) })
  const lines = Array.from({ length: 3000 }, () => paragraph(words('a a')))
  const { doc, isDone } = edit([...lines, formula, ...lines], (state) => {
    const { tr } = state
    const places: number[] = []
    state.doc.descendants((node, position) => void (node.isText && places.push(position)))
    for (const position of places.toReversed()) tr.insertText('b', position, position + 1)
    return tr
  })
  expect(isDone).toBe(true)
  expect(doc.firstChild?.textContent).toBe('b a')
})

/** A shared content of this many pieces, as typing at scattered positions creates them. */
function contentOf(pieces: number): Y.Doc {
  const content = new Y.Doc()
  const text = content.getText()
  content.transact(() => {
    for (let index = 0; index < pieces; index++) text.insert(0, 'x')
  })
  return content
}

test('[WRITE-15] a full document takes nothing more, says so, and loses nothing by deleting', () => {
  const blocks = [paragraph(words('words'))]
  const full = contentOf(DOCUMENT_LIMITS.pieces)
  const typed = edit(blocks, ({ tr }) => tr.insertText('x', 1), full)
  expect(typed).toMatchObject({ isDone: false, said: [expect.stringMatching(/^This document is full/)] })
  expect(edit(blocks, ({ tr }) => tr.delete(1, 3), full).doc.textContent).toBe('rds')
  expect(edit(blocks, ({ tr }) => tr.addMark(1, 3, schema.mark('bold')), full).isDone).toBe(true)
  const others = ({ tr }: EditorState) => tr.insertText('x', 1).setMeta(ySyncPluginKey, { isChangeOrigin: true })
  expect(edit(blocks, others, full).isDone).toBe(true)
})

test('[WRITE-15] what would fill it is not begun', () => {
  const nearly = contentOf(DOCUMENT_LIMITS.pieces - 100)
  const blocks = [paragraph(words('words'))]
  expect(edit(blocks, ({ tr }) => tr.insertText('x', 1), nearly).isDone).toBe(true)
  const lines = Array.from({ length: 100 }, () => paragraph(words('line')))
  expect(edit(blocks, ({ tr }) => tr.insert(0, lines), nearly).isDone).toBe(false)
  const long = Array.from({ length: 30 }, () => paragraph(words('x'.repeat(190_000))))
  expect(edit(blocks, ({ tr }) => tr.insert(0, long)).isDone).toBe(false)
})
