import { contentTypes, createBindingMetadata, schema, writeFragment } from '@copydesk/schema'
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { createFragmentReader } from '../document/reader.ts'
import { findExact, findNormalized } from './find.ts'
import { allSegments } from './segments.ts'
import { blocksWith, segmentsWith } from './text-index.ts'

const pieces = [
  'e',
  'e\u0301',
  'é',
  'a',
  'İ',
  'Σ',
  'ς',
  '…',
  '...',
  '“',
  '"',
  ' ',
  '\u00A0',
  '–',
  '👩‍👧',
  '한',
  'ß',
  'x\u0323\u0307',
]
const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
const edit = fc.record({ at: fc.nat(80), remove: fc.nat(3), insert: fc.array(text, { maxLength: 40 }) })

function paragraph(content: string): Node {
  return schema.node('paragraph', null, content === '' ? [] : [schema.text(content)])
}

describe('the index of texts', () => {
  test('skips no block that contains a text, however the document has been changed', () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 60 }),
        fc.array(edit, { maxLength: 6 }),
        text,
        (start, edits, sought) => {
          const doc = new Y.Doc()
          const fragment = doc.getXmlFragment(contentTypes.fragment)
          const texts = [...start]
          const reader = createFragmentReader(doc, fragment)
          for (const { at, remove, insert } of [{ at: 0, remove: 0, insert: [] }, ...edits]) {
            texts.splice(at, remove, ...insert)
            const node = schema.node('doc', null, texts.length > 0 ? texts.map(paragraph) : [paragraph('')])
            writeFragment(fragment, node, createBindingMetadata())
            const read = reader.read()
            if (!read.ok) throw new Error(read.text)
            const { view } = read
            for (const find of [findExact, findNormalized]) {
              const places = (matches: ReturnType<typeof find>['matches']) =>
                matches.map(({ segment, offsets }) => [segment.start, ...offsets])
              const everywhere = find(sought, allSegments(view))
              expect(places(find(sought, segmentsWith(sought, view)).matches)).toEqual(places(everywhere.matches))
            }
          }
          reader.close()
        },
      ),
      { numRuns: 150 },
    )
  })

  test('leaves most of a long document out', () => {
    const doc = new Y.Doc()
    const fragment = doc.getXmlFragment(contentTypes.fragment)
    const node = schema.node(
      'doc',
      null,
      Array.from({ length: 1_000 }, (_, index) => paragraph(`number ${index}.`)),
    )
    writeFragment(fragment, node, createBindingMetadata())
    const reader = createFragmentReader(doc, fragment)
    const read = reader.read()
    if (!read.ok) throw new Error(read.text)
    const found = blocksWith('NUMBER 500.', read.view)
    expect(found.map(({ index }) => index)).toContain(500)
    expect(found.length).toBeLessThan(50)
    expect(blocksWith('nowhere', read.view)).toEqual([])
    expect(blocksWith('', read.view)).toHaveLength(1_000)
    reader.close()
  })
})
