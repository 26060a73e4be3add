import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { schema } from '../extensions.ts'
import { contentTypes } from '../names.ts'
import { documentFrom, draws, randomFrom } from '../review/testing/documents.ts'
import { readIdSpans } from './id-spans.ts'
import { createBindingMetadata, writeFragment } from './write-fragment.ts'

test('[AUTHOR-1] spans are where a reader of the fragment has their text, whatever was rewritten', () => {
  fc.assert(
    fc.property(draws, draws, (first, second) => {
      const doc = new Y.Doc()
      const fragment = doc.getXmlFragment(contentTypes.fragment)
      const metadata = createBindingMetadata()
      writeFragment(fragment, documentFrom(randomFrom(first)), metadata)
      const shown = documentFrom(randomFrom(second))
      writeFragment(fragment, shown, metadata)
      const { spans, size } = readIdSpans(fragment, schema)
      expect(size).toBe(shown.content.size)
      let inline = 0
      for (const { from, to, client, clock } of spans) {
        inline += to - from
        const item = Y.getItem(doc.store, Y.createID(client, clock)) as Y.Item
        if (!(item.content instanceof Y.ContentString)) expect(shown.nodeAt(from)?.isLeaf).toBe(true)
        else {
          const text = item.content.str.slice(clock - item.id.clock, clock - item.id.clock + to - from)
          expect(shown.textBetween(from, to)).toBe(text)
        }
      }
      let expected = 0
      shown.descendants((node) => {
        if (node.isLeaf) expected += node.nodeSize
      })
      expect(inline).toBe(expected)
    }),
    { numRuns: 60 },
  )
})
