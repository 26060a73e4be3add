import { contentTypes } from '@copydesk/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { openTestStore, type TestStore } from '../../testing/test-store.ts'
import { withoutForeignRoots } from './foreign-roots.ts'
import { ChunkedLoader } from './chunked-loader.ts'
import { Snapshots } from './snapshots.ts'
import { createVerbatimDoc } from '../updates/verbatim-doc.ts'

let context: TestStore
let id: string

beforeEach(async () => {
  context = await openTestStore()
  id = (await context.documents.create('ana', { markdown: 'Some text.' })).id
})

afterEach(() => context.dispose())

/** Data of an older server: text, and this many root types with content in each. */
function withRoots(count: number): Uint8Array {
  const doc = new Y.Doc()
  doc.transact(() => {
    for (let root = 0; root < count; root++) {
      const type = doc.getXmlFragment(`root ${root}`)
      type.insert(0, [new Y.XmlElement('paragraph'), new Y.XmlElement('paragraph')])
    }
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText('written among them')])
    doc.getXmlFragment(contentTypes.fragment).insert(0, [paragraph])
  })
  return Y.encodeStateAsUpdate(doc)
}

test('[LOG-34] a document with root types that none has opens without them; the log keeps them', async () => {
  const bytes = withRoots(5000)
  await context.log.append({ name: id, bytes, actor: 'ana', run: null, epoch: null })
  const loading = new ChunkedLoader(context.log, (error) => {
    throw error
  })
  const live = createVerbatimDoc()
  const loaded = await loading.load(id, live)
  for (const doc of [loaded!.doc, live]) {
    expect([...doc.share.keys()].filter((root) => root.startsWith('root'))).toEqual([])
    expect(doc.getXmlFragment(contentTypes.fragment).toString()).toContain('written among them')
    expect(doc.store.pendingStructs).toBeNull()
  }
  await loading.close()
  const snapshots = new Snapshots(context.store, context.log, () => 1)
  await snapshots.refresh(id, { always: true })
  await snapshots.close()
  const again = await context.log.load(id)
  expect(again?.doc.getXmlFragment(contentTypes.fragment).toString()).toContain('written among them')
  const rows = context.file.prepare('SELECT bytes FROM document_updates WHERE name = ?').all(id)
  expect(rows.some((row) => Buffer.from(row['bytes'] as Uint8Array).equals(Buffer.from(bytes)))).toBe(true)
})

test('[LOG-34] what has none is answered as it is, and so is what is no update', () => {
  for (const update of [withRoots(0), Uint8Array.of(1, 2, 3), Uint8Array.of()]) {
    expect(withoutForeignRoots('a document', update)).toBe(update)
  }
})
