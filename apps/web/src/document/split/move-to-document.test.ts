import { schema } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { TextSelection } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { planSplit, type SplitPlan } from './move-to-document.ts'

const line = (text: string) => schema.node('paragraph', null, text === '' ? [] : [schema.text(text)])
const list = schema.node('bulletList', null, [
  schema.node('listItem', null, [line('item')]),
  schema.node('listItem', null, [line('other')]),
])

function plan(blocks: Node[], anchor: number, head = anchor): SplitPlan | null {
  const doc = schema.node('doc', null, blocks)
  return planSplit(doc, TextSelection.create(doc, anchor, head))
}

test('[WRITE-16] without a selection everything from the block with the caret on moves', () => {
  const blocks = [line('one'), line('two'), line('three')]
  expect(plan(blocks, 8)).toEqual({ from: 5, to: 17, blocks: 2, title: 'two' })
  expect(plan(blocks, 1)).toMatchObject({ from: 0, to: 17, blocks: 3 })
})

test('[WRITE-16] with one the blocks that it reaches into, also where it ends at the start of the next', () => {
  const blocks = [line('one'), line('two'), line('three')]
  expect(plan(blocks, 2, 7)).toMatchObject({ from: 0, to: 10, blocks: 2 })
  expect(plan(blocks, 7, 2)).toMatchObject({ from: 0, to: 10, blocks: 2 })
})

test('[WRITE-16] a block within others moves with them, and the first words become the title', () => {
  expect(plan([line('one'), line(''), list], 6)).toMatchObject({ from: 5, blocks: 2, title: 'item other' })
  expect(plan([line('one'), list], 16)).toMatchObject({ from: 5, blocks: 1, title: 'item other' })
})

test('[WRITE-16] there is nothing to move in empty blocks', () => {
  expect(plan([line('one'), line(''), line('')], 6)).toBeNull()
})
