import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { openTestStore, type TestStore } from '../../testing/test-store.ts'
import { ChunkedLoader } from './chunked-loader.ts'
import { Snapshots } from './snapshots.ts'

let context: TestStore
let loading: ChunkedLoader
let troubles: unknown[]
let id: string

beforeEach(async () => {
  context = await openTestStore()
  troubles = []
  loading = new ChunkedLoader(context.log, (error) => void troubles.push(error))
  id = (await context.documents.create('ana', { markdown: 'first' })).id
})
afterEach(async () => {
  await loading.close()
  await context.dispose()
})

function append(bytes: Uint8Array) {
  return context.log.append({ name: id, bytes, actor: 'ana', run: null, epoch: null })
}

async function appendLarge(): Promise<void> {
  const { doc } = (await context.log.load(id))!
  const before = Y.encodeStateVector(doc)
  for (let block = 0; block < 1500; block++) {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText(`${block} `.repeat(80))])
    doc.getXmlFragment('default').insert(block % 7, [paragraph])
  }
  await append(Y.encodeStateAsUpdate(doc, before))
}

async function loadBoth() {
  const copy = new Y.Doc()
  const loaded = (await loading.load(id, copy))!
  expect(Y.equalSnapshots(Y.snapshot(copy), Y.snapshot(loaded.doc))).toBe(true)
  return { ...loaded, text: copy.getXmlFragment('default').toString() }
}

test('[LOG-33] a document is loaded in turns as it is at once, from rows and from a snapshot', async () => {
  expect(await loading.load('nothing', new Y.Doc())).toBeUndefined()
  const small = await loadBoth()
  expect(small.text).toContain('first')
  await appendLarge()
  const whole = (await context.log.load(id))!
  const text = whole.doc.getXmlFragment('default').toString()
  expect(await loadBoth()).toMatchObject({ seq: 2, quarantined: [], text })
  const snapshots = new Snapshots(context.store, context.log, () => 0)
  await snapshots.refresh(id, { always: true })
  await snapshots.close()
  expect(await loadBoth()).toMatchObject({ seq: 2, quarantined: [], text })
  expect(troubles).toEqual([])
})

test('[LOG-33] a row whose cuts can’t be trusted is applied at once, as Yjs does', async () => {
  await appendLarge()
  const [large] = (await context.log.rowsAfter(id, 1)).map(({ bytes }) => bytes) as [Uint8Array]
  const other = new Y.Doc()
  other.clientID = 7
  other.getMap('meta').set('hidden', true)
  const hidden = Y.encodeStateAsUpdate(other).subarray(1, -1)
  // Of the two blocks of client id 7, Yjs applies the last, which is empty.
  await append(Buffer.concat([Uint8Array.of(3), hidden, Uint8Array.of(0, 7, 0), large.subarray(1)]))
  const loaded = await loadBoth()
  expect(loaded.doc.getMap('meta').toJSON()).toEqual((await context.log.load(id))!.doc.getMap('meta').toJSON())
  expect(loaded.doc.getMap('meta').has('hidden')).toBe(false)
  expect(troubles).toHaveLength(1)
})

test('[LOG-33] closing waits for what is being loaded', async () => {
  await appendLarge()
  const going = loading.load(id, new Y.Doc())
  await loading.close()
  expect(await Promise.race([going, Promise.resolve('still going')])).toMatchObject({ seq: 2 })
})

test('[LOG-9] [LOG-33] a row that can’t be applied is left out, told once, and the rest loads', async () => {
  await appendLarge()
  await append(Uint8Array.of(1, 2, 3))
  const first = await loadBoth()
  expect(first).toMatchObject({ seq: 3, quarantined: [3] })
  expect(troubles).toHaveLength(1)
  expect(await loadBoth()).toMatchObject({ seq: 3, quarantined: [], text: first.text })
})
