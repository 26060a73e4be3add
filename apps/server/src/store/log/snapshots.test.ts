import { createBindingMetadata, schema, writeFragment } from '@copydesk/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { openTestStore, type TestStore } from '../../testing/test-store.ts'
import { purgeRows } from '../../trash/purge.ts'
import { Snapshots } from './snapshots.ts'

let context: TestStore
let snapshots: Snapshots
let id: string
let doc: Y.Doc

beforeEach(async () => {
  context = await openTestStore()
  snapshots = new Snapshots(context.store, context.log, () => context.clock.now)
  id = (
    await context.documents.create('ana', {
      markdown: '# Ärger im STRASSENBAU\n\n- Ünits\n\n![](/a.png "Ein Bagger")\n\n| ﬁne |\n| --- |\n| x |',
    })
  ).id
  doc = (await context.log.load(id))!.doc
})
afterEach(async () => {
  await snapshots.close()
  await context.dispose()
})

async function append(change: () => void): Promise<void> {
  const before = Y.encodeStateVector(doc)
  change()
  const bytes = Y.encodeStateAsUpdate(doc, before)
  await context.log.append({ name: id, bytes, actor: 'ana', run: null, epoch: null })
}

function setField(index: number): Promise<void> {
  return append(() => doc.getMap('meta').set(`field-${index}`, index))
}

function stored() {
  return context.file.prepare('SELECT seq, text FROM document_snapshots WHERE name = ?').all(id)
}

test('[SNAP-1] loading from a snapshot and its tail gives what the log alone gives', async () => {
  for (let index = 0; index < 10; index++) await setField(index)
  await snapshots.refresh(id)
  expect(stored()).toMatchObject([{ seq: 11 }])
  for (let index = 10; index < 20; index++) await setField(index)
  await append(() => doc.getXmlFragment('default').delete(0, 1))
  const loaded = (await context.log.load(id))!
  const alone = new Y.Doc()
  for (const { bytes } of await context.log.rowsAfter(id, 0)) Y.applyUpdate(alone, bytes)
  expect(loaded.seq).toBe(22)
  expect(Y.equalSnapshots(Y.snapshot(loaded.doc), Y.snapshot(alone))).toBe(true)
  expect(loaded.doc.getMap('meta').toJSON()).toEqual(alone.getMap('meta').toJSON())
})

test('[SNAP-2] a snapshot replaces the one before, and the log keeps its rows', async () => {
  await snapshots.refresh(id)
  await setField(1)
  await snapshots.refresh(id)
  expect(stored()).toMatchObject([{ seq: 2 }])
  expect(await context.log.rowsAfter(id, 0)).toHaveLength(2)
})

test('[SNAP-3] nothing new makes no snapshot; two at once make one', async () => {
  await Promise.all([snapshots.refresh(id), snapshots.refresh(id)])
  context.clock.now++
  await snapshots.refresh(id, { always: true })
  expect(context.file.prepare('SELECT at FROM document_snapshots').all()).toEqual([{ at: context.clock.now - 1 }])
})

test('[SNAP-4] a row that was set aside is not folded in, and the rest is', async () => {
  await setField(1)
  await context.log.append({ name: id, bytes: Uint8Array.of(1, 2, 3), actor: 'ana', run: null, epoch: null })
  await setField(2)
  expect((await context.log.load(id))?.quarantined).toEqual([3])
  await snapshots.refresh(id)
  expect(stored()).toMatchObject([{ seq: 4 }])
  const loaded = await context.log.load(id)
  expect(loaded).toMatchObject({ seq: 4, quarantined: [] })
  expect(loaded?.doc.getMap('meta').toJSON()).toMatchObject({ 'field-1': 1, 'field-2': 2 })
})

test('[SNAP-5] a fold that fails is reported, stores nothing and may be tried again', async () => {
  await context.log.append({ name: id, bytes: Uint8Array.of(1, 2, 3), actor: 'ana', run: null, epoch: null })
  const before = stored()
  await expect(snapshots.refresh(id)).rejects.toThrow(/./)
  expect(stored()).toEqual(before)
  // Loading quarantines the bad row.
  await context.log.load(id)
  await setField(1)
  await snapshots.refresh(id)
  expect(stored()).toMatchObject([{ seq: 3 }])
})

test('[SNAP-5] one that fails when the server starts keeps none of the others back', async () => {
  const other = (await context.documents.create('ana', { markdown: 'Another' })).id
  const loaded = (await context.log.load(other))!
  loaded.doc.getMap('meta').set('field', 1)
  for (const [name, bytes] of [
    [id, Uint8Array.of(1, 2, 3)] as const,
    [other, Y.encodeStateAsUpdate(loaded.doc)] as const,
  ])
    await context.log.append({ name, bytes, actor: 'ana', run: null, epoch: null })
  const troubles: string[] = []
  await snapshots.refreshAll((_error, name) => void troubles.push(name))
  expect(troubles).toEqual([id])
  const newest = context.file.prepare('SELECT max(seq) AS seq FROM document_snapshots WHERE name = ?')
  expect([newest.get(id), newest.get(other)]).toMatchObject([{ seq: 1 }, { seq: 2 }])
})

test('[SNAP-6] the text for search holds all blocks and captions, in compatibility form and lower case', async () => {
  await snapshots.refresh(id)
  const [{ text } = {}] = stored()
  for (const word of ['ärger im strassenbau', 'ünits', '\nein bagger\n', 'fine']) expect(String(text)).toContain(word)
})

test('[LIST-2] neither the two texts of a suggested replacement nor two lines of a paragraph join', async () => {
  const text = (words: string, ...marks: string[]) =>
    schema.text(
      words,
      marks.map((name) => schema.mark(name, { id: 'c' })),
    )
  const line = schema.node('paragraph', null, [
    text('Back '),
    text('within minutes', 'deletion'),
    text('by ten past', 'insertion'),
    text(' or '),
    text('late ', 'deletion'),
    text('soon', 'insertion'),
    text('er'),
    schema.node('hardBreak'),
    text('Or not'),
  ])
  await append(() => {
    const fragment = doc.getXmlFragment('default')
    fragment.delete(0, fragment.length)
    writeFragment(fragment, schema.node('doc', null, [line]), createBindingMetadata())
  })
  await snapshots.refresh(id, { always: true })
  expect(stored()).toMatchObject([{ text: 'back within minutes by ten past or late sooner or not' }])
})

test('[SNAP-7] an update that arrives while a snapshot is being made is in the log’s tail', async () => {
  const refreshing = snapshots.refresh(id)
  const appending = setField(1)
  await Promise.all([refreshing, appending])
  expect((await context.log.load(id))?.doc.getMap('meta').get('field-1')).toBe(1)
})

test('[SNAP-8] a document that is deleted for good while its snapshot is being made gets none', async () => {
  const { store, log, clock } = context
  await setField(1)
  const rowsAfter = async (name: string, seq: number) => {
    const rows = await log.rowsAfter(name, seq)
    await purgeRows(store.db, id, new AbortController().signal)
    return rows
  }
  const late = new Snapshots(store, { rowsAfter }, () => clock.now)
  await late.refresh(id)
  expect(stored()).toEqual([])
  await late.close()
})
