import { schema } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { EditorState, NodeSelection, Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import { ySyncPluginKey } from 'y-prosemirror'
import { describe, expect, test } from 'vitest'
import { placeCaretBehind } from './caret-behind-blocks.ts'

const paragraph = (text: string) => schema.node('paragraph', null, text === '' ? [] : [schema.text(text)])
const image = schema.node('image', { src: '/cat.png' })
const plugins = [new Plugin({ appendTransaction: placeCaretBehind })]

function start(...blocks: Node[]): EditorState {
  return EditorState.create({ doc: schema.node('doc', null, blocks), plugins })
}

function insertSelected(state: EditorState, from: number, to: number, node = image): Transaction {
  const transaction = state.tr.replaceWith(from, to, node)
  return transaction.setSelection(NodeSelection.create(transaction.doc, from))
}

function typed(state: EditorState): Node {
  return state.apply(state.tr.insertText('x')).doc
}

const texts = (doc: Node) =>
  doc.content.content.map((block) => (block.isTextblock ? block.textContent : block.type.name))

describe('placeCaretBehind', () => {
  test('goes into the text that follows', () => {
    const state = start(paragraph(''), paragraph('below'))
    expect(texts(typed(state.apply(insertSelected(state, 0, 2))))).toEqual(['image', 'xbelow'])
  })

  test('adds a paragraph at the end and before what is no text', () => {
    const end = start(paragraph(''))
    expect(texts(typed(end.apply(insertSelected(end, 0, 2))))).toEqual(['image', 'x'])
    const rule = start(paragraph(''), schema.node('horizontalRule'))
    const formula = schema.node('blockMath', { latex: 'a' })
    expect(texts(typed(rule.apply(insertSelected(rule, 0, 2, formula))))).toEqual(['blockMath', 'x', 'horizontalRule'])
  })

  test('leaves what others insert, a click and a changed address alone', () => {
    const state = start(paragraph('above'), image, paragraph(''))
    const clicked = state.apply(state.tr.setSelection(NodeSelection.create(state.doc, 7)))
    expect(clicked.selection).toBeInstanceOf(NodeSelection)
    const changed = clicked.tr.setNodeMarkup(7, undefined, { src: '/dog.png' })
    expect(clicked.apply(changed.setSelection(NodeSelection.create(changed.doc, 7))).selection.from).toBe(7)
    const remote = insertSelected(state, 8, 10).setMeta(ySyncPluginKey, { isChangeOrigin: true })
    expect(state.apply(remote).selection).toBeInstanceOf(NodeSelection)
  })

  test('lets Backspace in an empty paragraph select the image before it', () => {
    const state = start(image, paragraph(''))
    const inParagraph = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 2)))
    const joined = inParagraph.tr.delete(1, 3)
    const after = inParagraph.apply(joined.setSelection(NodeSelection.create(joined.doc, 0)))
    expect(after.selection).toBeInstanceOf(NodeSelection)
    expect(texts(after.doc)).toEqual(['image'])
  })
})
