import { schema } from '@copydesk/schema'
import { expect, test } from 'vitest'
import { findBlock } from './positions.ts'

const paragraph = (text: string) => schema.node('paragraph', null, text ? [schema.text(text)] : [])
const doc = schema.node('doc', null, [paragraph(''), paragraph('one two'), paragraph('two')])

test('finds the block with a text, else one that holds it', () => {
  expect(findBlock(doc, 'two')).toBe(12)
  expect(findBlock(doc, 'one')).toBe(3)
  expect(findBlock(doc, 'one two\nthree')).toBe(3)
  expect(findBlock(doc, 'four')).toBeUndefined()
  expect(findBlock(doc, ' ')).toBeUndefined()
})
