import { schema } from '@copydesk/schema'
import { Node, Slice } from 'prosemirror-model'
import { EditorState, Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { describe, expect, test } from 'vitest'
import { blockAround } from './block-at.ts'
import { moveBlocks, planMove, planOppositeMove, stepTarget } from './move-blocks.ts'

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const list = (...items: object[]) => ({
  type: 'bulletList',
  content: items.map((item) => ({ type: 'listItem', content: [item].flat() })),
})
const make = (...content: object[]) => Node.fromJSON(schema, { type: 'doc', content })

function find(doc: Node, text: string) {
  let found = -1
  doc.descendants((node, position) => {
    if (node.isText && node.text === text) found = position
  })
  return blockAround(doc.resolve(found))!
}

// The document after a plan, as the text of its blocks.
function apply(doc: Node, plan: ReturnType<typeof planMove>): string {
  if (!plan) return 'no'
  const { source, target, content } = plan
  const shift = target <= source.from ? content.size : 0
  const withCopy = doc.replace(target, target, new Slice(content, 0, 0))
  return withCopy.replace(source.from + shift, source.to + shift, Slice.empty).toString()
}

describe('planMove', () => {
  test('a block goes up and down past its neighbours', () => {
    const doc = make(paragraph('one'), paragraph('two'), paragraph('three'))
    const two = find(doc, 'two')
    expect(apply(doc, planMove(doc, two, 0))).toBe('doc(paragraph("two"), paragraph("one"), paragraph("three"))')
    expect(apply(doc, planMove(doc, two, doc.content.size))).toBe(
      'doc(paragraph("one"), paragraph("three"), paragraph("two"))',
    )
  })

  test('goes nowhere where it is already, nor into itself', () => {
    const doc = make(list([paragraph('outer'), list(paragraph('inner'))]), paragraph('after'))
    const outer = find(doc, 'outer')
    expect(planMove(doc, outer, outer.from)).toBeNull()
    expect(planMove(doc, outer, outer.to)).toBeNull()
    expect(planMove(doc, outer, find(doc, 'inner').from)).toBeNull()
  })

  test('an item that leaves its list gets a list of its own, or joins an adjacent list of its kind', () => {
    const doc = make(paragraph('before'), list(paragraph('a'), paragraph('b')), paragraph('after'))
    const b = find(doc, 'b')
    expect(planMove(doc, b, 0)).toMatchObject({ target: 0, frames: 1 })
    const beforeList = find(doc, 'before').to
    expect(planMove(doc, b, beforeList)).toMatchObject({ target: beforeList + 1, frames: 0 })
    expect(planMove(doc, find(doc, 'before'), b.from)).toBeNull()
  })

  test('what is passed can go the other way, with the same result', () => {
    const doc = make(paragraph('one'), paragraph('two'), paragraph('three'))
    const plan = planMove(doc, find(doc, 'three'), 0)!
    const other = planOppositeMove(doc, plan)!
    expect(apply(doc, other)).toBe(apply(doc, plan))
    expect(other.content.childCount).toBe(2)
  })
})

describe('stepTarget', () => {
  const doc = make(paragraph('one'), list([paragraph('outer'), list(paragraph('inner'))], paragraph('last')))

  test('passes a neighbour', () => {
    const last = find(doc, 'last')
    expect(stepTarget(doc, last, 'up')).toBe(find(doc, 'outer').from)
  })

  test('leaves a list at its edge, and stops at the edge of the document', () => {
    expect(stepTarget(doc, find(doc, 'inner'), 'up')).toBe(find(doc, 'outer').from)
    expect(stepTarget(doc, find(doc, 'inner'), 'down')).toBe(find(doc, 'outer').to)
    expect(stepTarget(doc, find(doc, 'outer'), 'up')).toBe(0)
    expect(stepTarget(doc, find(doc, 'last'), 'down')).toBeNull()
    expect(stepTarget(doc, find(doc, 'one'), 'up')).toBeNull()
  })
})

test('a move whose copy is refused, as in a full document, deletes nothing', () => {
  const doc = make(paragraph('one'), paragraph('two'))
  const isSmall = new Plugin({ filterTransaction: (transaction) => transaction.doc.content.size <= doc.content.size })
  let state = EditorState.create({ doc, plugins: [isSmall] })
  const view = {
    get state() {
      return state
    },
    dispatch: (transaction: EditorState['tr']) => (state = state.apply(transaction)),
  }
  expect(moveBlocks(view as unknown as EditorView, find(doc, 'two'), 0, { carets: () => [] })).toBe(false)
  expect(state.doc.eq(doc)).toBe(true)
})
