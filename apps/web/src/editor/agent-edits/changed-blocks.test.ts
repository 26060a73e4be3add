import { schema } from '@copydesk/schema'
import { expect, test } from 'vitest'
import { findChanged } from './changed-blocks.ts'

const paragraph = (text: string) => schema.node('paragraph', null, schema.text(text))
const doc = schema.node('doc', null, [paragraph('one'), paragraph('two!'), paragraph('three')])

test('finds the blocks that a run has changed, in the order of the document; what is gone is left out', () => {
  const changedBlocks = [
    { before: 'thre', after: 'three' },
    { before: 'gone', after: '' },
    { before: '', after: 'one' },
    { before: 'o', after: 'nowhere' },
  ]
  expect(findChanged(doc, { changedBlocks })).toEqual([0, 11])
  expect(findChanged(doc, { changedBlocks: [{ before: 'two!', after: 'zwei' }], undone: true })).toEqual([5])
})
