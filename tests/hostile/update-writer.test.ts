import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { addBlock, addSingles, paragraphs, updateOf } from './blocks.ts'
import {
  any,
  binary,
  deleted,
  element,
  embed,
  format,
  json,
  subDocument,
  text,
  type,
  UpdateWriter,
} from './update-writer.ts'

function docOf(...updates: Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  expect([doc.store.pendingStructs, doc.store.pendingDs]).toEqual([null, null])
  return doc
}

test('[HOSTILE-4] paragraphs that are written by hand are those that Yjs reads', () => {
  const doc = docOf(paragraphs(3, (index) => `Line ${index}`))
  const line = (index: number): string => `<paragraph>Line ${index}</paragraph>`
  expect(doc.getXmlFragment('default').toString()).toBe([0, 1, 2].map(line).join(''))
})

test('[HOSTILE-4] marks, attributes, deletions and all kinds of content arrive', () => {
  const update = updateOf((to, writer) => {
    const paragraph = addBlock(to, [format('bold', {}), text('ab'), format('bold', null), text('c')])
    to.add(any('t1', 't2'), { parent: paragraph, key: 'threads' })
    let left
    for (const content of [
      json(1, 2),
      binary(Uint8Array.of(7)),
      embed({ x: 1 }),
      subDocument('sub'),
      deleted(3),
      type('map'),
    ]) {
      left = to.add(content, left ? { left } : { parent: 'list' })
    }
    to.gc(5)
    to.add(element('paragraph'), { left: paragraph })
    writer.delete(to.client, 3, 1)
  })
  const doc = docOf(update)
  expect(doc.getXmlFragment('default').toString()).toBe(
    '<paragraph threads="t2"><bold>b</bold>c</paragraph><paragraph></paragraph>',
  )
  expect(doc.getArray('list').length).toBe(6)
  expect(Y.decodeUpdate(update).structs).toHaveLength(15)
})

test('[HOSTILE-4] characters that are each an item of their own stay so', () => {
  const doc = docOf(updateOf((to) => addSingles(to, 50, to.add(type('xmlText'), { parent: addBlock(to, []) }))))
  expect(doc.store.clients.get(1_000_000)).toHaveLength(52)
})

test('[HOSTILE-4] several blocks of a client id, empty ones and gaps are written as they are asked for', () => {
  const writer = new UpdateWriter()
  writer.block(1)
  writer.block(2).skip(3)
  writer.block(2, 3).gc(1)
  expect([...writer.bytes('as asked for')]).toEqual([3, 0, 1, 0, 1, 2, 0, 10, 3, 1, 2, 3, 0, 1, 0])
  expect([...writer.bytes()]).toEqual([3, 1, 2, 0, 10, 3, 1, 2, 3, 0, 1, 0, 1, 0, 0])
})
