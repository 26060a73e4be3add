import { decideChanges, readChanges, schema } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import { CellSelection, tableEditing } from '@tiptap/pm/tables'
import type { Node } from 'prosemirror-model'
import { EditorState, type Plugin, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { describe, expect, test } from 'vitest'
import { createStore } from '../../../common/store.ts'
import type { EditingMode } from '../../suggesting/editing-mode.ts'
import { createOwnChanges } from '../../suggesting/own-changes.ts'
import { createSuggestingPlugin } from '../../suggesting/suggesting.ts'
import * as tools from '../../suggesting/tracker.ts'
import { moveLines, stepOf } from './move-lines.ts'

const source = '| a0 | b0 | c0 |\n| - | - | - |\n| a1 | b1 | c1 |\n| a2 | b2 | c2 |'

function open(plugins: Plugin[] = []) {
  const { doc } = parseMarkdown(source)
  const marked = EditorState.create({ doc })
  const at = placeOf(doc, 'b1')
  const commented = marked.tr.addMark(at, at + 2, schema.mark('comment', { threadId: 't' })).doc
  let state = EditorState.create({ doc: commented, plugins: [tableEditing(), ...plugins] })
  const view = {
    get state() {
      return state
    },
    dispatch: (transaction: EditorState['tr']) => void (state = state.apply(transaction)),
  }
  return view as unknown as EditorView
}

function placeOf(doc: Node, text: string): number {
  let found = -1
  doc.descendants((node, position) => {
    if (node.isText && node.text === text) found = position
  })
  return found
}

function selectCell(view: EditorView, text: string): void {
  const $cell = view.state.doc.resolve(view.state.doc.resolve(placeOf(view.state.doc, text)).before(-1))
  view.dispatch(view.state.tr.setSelection(new CellSelection($cell)))
}

const rows = (doc: Node) =>
  doc.firstChild?.children.map((row) => row.children.map(({ textContent }) => textContent).join(' '))
const selected = ({ state: { selection, doc } }: EditorView) => doc.textBetween(selection.from, selection.to)
const plain = { carets: () => [], isSuggesting: () => false }

const expected = { row: ['a0 b0 c0', 'a2 b2 c2', 'a1 b1 c1'], column: ['a0 c0 b0', 'a1 c1 b1', 'a2 c2 b2'] }

describe('moves of rows and columns', () => {
  test('[TABLE-5] comments and the selection move along', () => {
    const view = open()
    selectCell(view, 'b1')
    moveLines(view, stepOf(view.state, 'row', 1)!, plain)
    expect(rows(view.state.doc)).toEqual(['a0 b0 c0', 'a2 b2 c2', 'a1 b1 c1'])
    expect(selected(view)).toBe('b1')
    moveLines(view, stepOf(view.state, 'column', -1)!, plain)
    expect(rows(view.state.doc)).toEqual(['b0 a0 c0', 'b2 a2 c2', 'b1 a1 c1'])
    expect(selected(view)).toBe('b1')
    const text = view.state.doc.nodeAt(placeOf(view.state.doc, 'b1'))
    expect(text?.marks.map(({ attrs }): unknown => attrs.threadId)).toEqual(['t'])
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, placeOf(view.state.doc, 'c2') + 1)))
    moveLines(view, stepOf(view.state, 'column', -1)!, plain)
    expect(view.state.selection.$head.parent.textContent).toBe('c2')
    expect(view.state.selection.$head.parentOffset).toBe(1)
  })

  test('[TABLE-5] a line in which a peer is writing stays the same, and others are moved around it', () => {
    for (const axis of ['row', 'column'] as const) {
      const view = open()
      selectCell(view, 'b1')
      const written: string[] = []
      const dispatch = view.dispatch.bind(view)
      view.dispatch = (transaction) => {
        written.push(JSON.stringify(transaction.steps.map((step): unknown => step.toJSON())))
        dispatch(transaction)
      }
      const context = { ...plain, carets: () => [placeOf(view.state.doc, 'b1')] }
      moveLines(view, stepOf(view.state, axis, 1)!, context)
      expect(rows(view.state.doc)).toEqual(expected[axis])
      expect(written.join('')).toContain('"c')
      expect(written.join('')).not.toContain('"b1"')
      expect(selected(view)).toBe('b1')
    }
  })

  test('[TABLE-7] while suggesting, a move is one change; accepted it is the move, rejected nothing', () => {
    for (const axis of ['row', 'column'] as const) {
      let count = 0
      const mode = { ...createStore<EditingMode>('suggesting'), tools: () => tools }
      const own = createOwnChanges(
        () => `own${count++}`,
        () => false,
      )
      const view = open([createSuggestingPlugin({ mode, own })])
      selectCell(view, 'b1')
      moveLines(view, stepOf(view.state, axis, 1)!, { ...plain, isSuggesting: () => true })
      expect(new Set(readChanges(view.state.doc).map(({ id }) => id)).size).toBe(1)
      expect(selected(view)).toBe('b1')
      const decided = (decision: 'accept' | 'reject') => rows(decideChanges(view.state.doc, 'all', decision).doc)
      expect(decided('accept')).toEqual(expected[axis])
      expect(decided('reject')).toEqual(['a0 b0 c0', 'a1 b1 c1', 'a2 b2 c2'])
    }
  })
})
