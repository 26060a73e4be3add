import { schema } from '@copydesk/schema'
import { EditorState, NodeSelection, TextSelection } from 'prosemirror-state'
import { describe, expect, test } from 'vitest'
import { anchorsOf } from './anchors.ts'
import { reviewAtCaret } from './at-caret.ts'

const mark = (name: string, attributes: Record<string, unknown>) => schema.mark(name, attributes)
const suggestion = (id: string, operation: string) => JSON.stringify([{ id, operation }])

const doc = schema.node('doc', null, [
  schema.node('paragraph', null, [
    schema.text('teh', [mark('deletion', { id: 'c1' })]),
    schema.text('the', [mark('insertion', { id: 'c1' })]),
    schema.text(' end', [mark('comment', { threadId: 't1' })]),
  ]),
  schema.node('image', { src: '/cat.png', suggestion: suggestion('c2', 'delete'), threads: 't2 t1' }),
  schema.node('bulletList', null, [
    schema.node('listItem', { suggestion: suggestion('c3', 'insert') }, [
      schema.node('paragraph', null, [schema.text('new')]),
    ]),
  ]),
])

describe('anchorsOf', () => {
  test('finds marks and attributes in document order, with all that belongs to an id', () => {
    const { changes, threads } = anchorsOf(doc)
    expect([...changes]).toEqual([
      ['c1', { from: 1, to: 7 }],
      ['c2', { from: 12, to: 13 }],
      ['c3', { from: 14, to: 21 }],
    ])
    expect([...threads]).toEqual([
      ['t1', { from: 7, to: 13 }],
      ['t2', { from: 12, to: 13 }],
    ])
  })

  test('names the nodes that draw themselves', () => {
    const attributes = { 'data-suggestion': suggestion('c2', 'delete'), 'data-threads': 't2 t1' }
    const classes = 'change-c2 thread-t2 thread-t1'
    expect(anchorsOf(doc).boxes).toEqual([{ from: 12, to: 13, attributes: { ...attributes, class: classes } }])
  })

  test('moves with the text above', () => {
    const longer = EditorState.create({ doc }).tr.insertText('A line.', 1).doc
    expect(anchorsOf(longer).changes.get('c3')).toEqual({ from: 21, to: 28 })
  })
})

test('anchors that are mapped through many edits are those of the document read again', () => {
  let seed = 7
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below
  const plain = () => schema.node('paragraph', null, [schema.text(`plain ${random(1000)}`)])
  const blocks = [...Array.from({ length: 12 }, plain), ...doc.content.content]
  let state = EditorState.create({ doc: schema.node('doc', null, blocks) })
  for (let edit = 0; edit < 200; edit++) {
    const { tr } = state
    const index = random(state.doc.childCount)
    const node = state.doc.child(index)
    const from = state.doc.content.content.slice(0, index).reduce((sum, { nodeSize }) => sum + nodeSize, 0)
    const action = random(5)
    if (action === 0 && state.doc.childCount > 4) tr.delete(from, from + node.nodeSize)
    else if (action === 1) tr.insert(from, blocks[random(blocks.length)] ?? plain())
    else if (action === 2) tr.insert(from, [plain(), plain()])
    else if (node.isTextblock) tr.insertText('x', from + 1)
    if (action === 3 && node.isTextblock)
      tr.addMark(from + 1, from + node.content.size, mark('comment', { threadId: `t${edit}` }))
    state = state.apply(tr)
    expect(anchorsOf(state.doc), `edit ${edit}`).toEqual(anchorsOf(schema.nodeFromJSON(state.doc.toJSON())))
    // The next read reuses blocks from this one.
    anchorsOf(state.apply(state.tr.insert(random(2) === 0 ? 0 : state.doc.content.size, plain())).doc)
  }
})

describe('reviewAtCaret', () => {
  const at = (position: number, head = position) =>
    reviewAtCaret(EditorState.create({ doc, selection: TextSelection.create(doc, position, head) }))

  test('sees what is next to the caret and around it', () => {
    expect(at(4)).toEqual({ changes: ['c1'], threads: [] })
    expect(at(7)).toEqual({ changes: ['c1'], threads: ['t1'] })
    expect(at(17).changes).toEqual(['c3'])
  })

  test('sees a selected node, and nothing in a selected text', () => {
    const state = EditorState.create({ doc, selection: NodeSelection.create(doc, 12) })
    expect(reviewAtCaret(state)).toEqual({ changes: ['c2'], threads: ['t2', 't1'] })
    expect(at(2, 5)).toEqual({ changes: [], threads: [] })
  })
})
