import { schema } from '@copydesk/schema'
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { Outline } from './outline.ts'

const child = fc.constantFrom<() => Node>(
  () => schema.node('paragraph', null, [schema.text('some words')]),
  () => schema.node('paragraph'),
  () => schema.node('horizontalRule'),
  () => {
    const item = () => schema.node('listItem', null, [schema.node('paragraph', null, [schema.text('item')])])
    return schema.node('bulletList', null, [item(), item(), item()])
  },
)

type Pair = { node: Node; type: Y.XmlElement }

// The blocks of the outline: content, positions and types.
function shape(outline: Outline): unknown[] {
  return outline.blocks.map(({ node, pos, index, kind }) => [node, pos, index, kind])
}

function createType(root: Y.XmlFragment): Y.XmlElement {
  const type = new Y.XmlElement('paragraph')
  root.insert(root.length, [type])
  return type
}

describe('Outline', () => {
  test('after any changes it lists the same as a new one', () => {
    const change = fc.record({
      at: fc.nat(30),
      remove: fc.nat(4),
      insert: fc.array(child, { maxLength: 4 }),
      keep: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(child, { minLength: 1, maxLength: 20 }),
        fc.array(change, { maxLength: 8 }),
        (start, changes) => {
          const root = new Y.Doc().getXmlFragment('root')
          const pairs: Pair[] = start.map((make) => ({ node: make(), type: createType(root) }))
          const outline = new Outline()
          let types = pairs.map(({ type }) => type)
          for (const { at, remove, insert, keep } of [{ at: 0, remove: 0, insert: [], keep: true }, ...changes]) {
            const place = Math.min(at, pairs.length)
            const gone = keep ? pairs.slice(place, place + insert.length) : []
            const made = insert.map((make, index) => ({ node: make(), type: gone[index]?.type ?? createType(root) }))
            pairs.splice(place, keep ? insert.length : remove, ...made)
            if (pairs.length === 0) pairs.push({ node: schema.node('paragraph'), type: createType(root) })
            const now = pairs.map(({ type }) => type)
            // A change of text leaves the list of types unchanged.
            if (now.length !== types.length || now.some((type, index) => type !== types[index])) types = now
            const doc = schema.node(
              'doc',
              null,
              pairs.map(({ node }) => node),
            )
            outline.update(doc, types)
            const fresh = new Outline()
            fresh.update(doc, types)
            expect(shape(outline)).toEqual(shape(fresh))
            expect(outline.starts).toEqual(fresh.starts)
            pairs.forEach(({ type }, index) => {
              expect(outline.indexOf(type)).toBe(index)
              expect(outline.childAt(outline.starts[index] ?? 0)).toEqual({ index, position: outline.starts[index] })
              expect(outline.blocksOf(index, index + 1)).toEqual(fresh.blocksOf(index, index + 1))
            })
            expect(outline.childAt(doc.content.size)).toBeUndefined()
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  test('blocks that have not changed stay the same and move', () => {
    const root = new Y.Doc().getXmlFragment('root')
    const texts = ['one', 'two', 'three'].map((text) => schema.node('paragraph', null, [schema.text(text)]))
    const types = texts.map(() => createType(root))
    const outline = new Outline()
    outline.update(schema.node('doc', null, texts), types)
    const last = outline.blocks[2]
    const longer = schema.node('paragraph', null, [schema.text('one and a half')])
    outline.update(schema.node('doc', null, [longer, ...texts.slice(1)]), types)
    expect(outline.blocks[2]).toBe(last)
    expect(last?.pos).toBe(longer.nodeSize + 5)
  })
})
