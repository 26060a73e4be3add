import { randomUUID } from 'node:crypto'
import { contentName, contentTypes, roomName, roomTypes } from '@copydesk/schema'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { showReopenedChanges } from '../../history/reopened-changes.ts'
import { fragmentOf, textAt } from '../../testing/log-scene.ts'
import { lockFile, openTestStore, type TestStore } from '../../testing/test-store.ts'
import { Anchoring } from './anchoring.ts'
import { RunStore } from '../../runs/run-store.ts'
import { Changes } from '../changes/changes.ts'
import { Threads } from './threads.ts'

const ana = { id: 'ana', name: 'Ana', kind: 'person' as const }

let setup: TestStore
beforeEach(async () => {
  setup = await openTestStore()
})
afterEach(() => setup.dispose())

async function stateOf(name: string): Promise<Y.Doc> {
  const loaded = await setup.log.load(name)
  if (!loaded) throw new Error(`no log ${name}`)
  return loaded.doc
}

test('[REV-17] a suggestion that an undo on the server brings back is open again', async () => {
  const { store, writer, signals, clock, documents } = setup
  const deps = { db: store.db, writer, signals, now: () => clock.now }
  const changes = new Changes(deps)
  const anchoring = new Anchoring(deps)
  const { id } = await documents.create(ana.id, { markdown: 'Some words.' })
  const change = randomUUID()
  await changes.suggest(id, change, { quote: 'words' }, 'phrases', ana)
  const before = await stateOf(contentName(id))
  const undo = new Y.UndoManager(before.getXmlFragment(contentTypes.fragment), {
    trackedOrigins: new Set(['decision']),
  })
  expect(await changes.decide(id, change, 'accept', ana)).toMatchObject({ ok: true })
  expect(await changes.decide(id, change, 'accept', ana)).toMatchObject({ ok: false, code: 'conflict' })

  Y.applyUpdate(before, Y.encodeStateAsUpdate(await stateOf(contentName(id))), 'decision')
  undo.undo()
  const undone = Y.encodeStateAsUpdate(before)
  await writer.writeMany([contentName(id), roomName(id)], { actor: ana.id }, async ({ docs, trx }) => {
    const [content, room] = [docs.get(contentName(id)), docs.get(roomName(id))]
    if (!content || !room) throw new Error('there are both')
    Y.applyUpdate(content, undone)
    await showReopenedChanges(trx, id, content, room)
  })
  await anchoring.settle(id)
  expect(Object.keys((await stateOf(roomName(id))).getMap(roomTypes.changes).toJSON())).toEqual([change])
  expect(await changes.decide(id, change, 'reject', ana)).toMatchObject({ ok: true, change: { id: change } })
  expect((await stateOf(roomName(id))).getMap(roomTypes.changes).toJSON()).toEqual({})
})

test('[REV-6] a document without threads and suggestions is not even read', async () => {
  const { store, writer, clock, documents } = setup
  const { id } = await documents.create(ana.id, { markdown: 'Some words.' })
  let writes = 0
  const watched = Object.assign(Object.create(writer) as typeof writer, { writeMany: () => Promise.reject(writes++) })
  await new Anchoring({ db: store.db, writer: watched, now: () => clock.now }).settle(id)
  expect(writes).toBe(0)
})

/**
 * Appends changes that `write` makes in a client's replica, as the collaboration server does, without settling
 * afterwards.
 */
async function sendLate(document: string, write: (doc: Y.Doc) => void): Promise<void> {
  const copy = await stateOf(contentName(document))
  copy.on('update', (bytes: Uint8Array) => {
    void setup.log.append({ name: contentName(document), bytes, actor: ana.id, run: null, epoch: null })
  })
  write(copy)
  await setup.log.settled()
}

test('[REV-25] a decided suggestion stays decided, no matter who processes its late marks first', async () => {
  const { store, writer, signals, clock, documents } = setup
  const deps = { db: store.db, writer, signals, now: () => clock.now }
  const changes = new Changes(deps)
  const { id } = await documents.create(ana.id, { markdown: 'Some words.' })
  await changes.suggest(id, 'c1', { quote: 'words' }, 'phrases', ana)
  await changes.decide(id, 'c1', 'reject', ana)
  await sendLate(id, (doc) => textAt(doc, 0).format(0, 2, { 'deletion--AAAAAAAA': { id: 'c1' } }))
  await new Anchoring(deps).settle(id)
  expect(await changes.decided(id, ['c1'])).toEqual(['c1'])
  expect(await changes.list(id)).toEqual({ ok: true, changes: [] })
  expect(textAt(await stateOf(contentName(id)), 0).toDelta()).toEqual([{ insert: 'Some words.' }])
  expect((await stateOf(roomName(id))).getMap(roomTypes.changes).size).toBe(0)
})

test('[REV-28] looking at threads and suggestions waits for no lock, until there is something to settle', async () => {
  const { store, writer, signals, clock, documents, notifications, file } = setup
  const now = () => clock.now
  const deps = { db: store.db, writer, signals, now }
  const changes = new Changes(deps)
  const anchoring = new Anchoring(deps)
  const runs = new RunStore({ ...deps, notifications, createId: randomUUID, maxRounds: sql.lit(9) })
  const threads = new Threads({ ...deps, runs, notifications })
  const { id } = await documents.create(ana.id, { markdown: 'Some words.\n\nMore of them.' })
  await changes.suggest(id, 'c1', { quote: 'words' }, 'phrases', ana)
  await threads.start(id, 't1', { quote: 'More' }, { id: 'm1', author: ana, text: 'Why?' })
  await anchoring.settle(id, true)

  await lockFile(file)
  await anchoring.settle(id, true)
  expect(await changes.list(id)).toMatchObject({ ok: true, changes: [{ id: 'c1' }] })
  file.exec('ROLLBACK')

  await sendLate(id, (doc) => fragmentOf(doc).delete(1, 1))
  await anchoring.settle(id, true)
  expect(await threads.find(id, 't1')).toMatchObject({ orphaned: true })
  await lockFile(file)
  await anchoring.settle(id, true)
  file.exec('ROLLBACK')
})

test('[REV-28] a document that was looked after is looked at again only when something has come', async () => {
  const { store, writer, signals, clock, documents, notifications } = setup
  const now = () => clock.now
  const deps = { db: store.db, writer, signals, now }
  const anchoring = new Anchoring(deps)
  const runs = new RunStore({ ...deps, notifications, createId: randomUUID, maxRounds: sql.lit(9) })
  const threads = new Threads({ ...deps, runs, notifications })
  const { id } = await documents.create(ana.id, { markdown: 'Some words.\n\nMore of them.' })
  await threads.start(id, 't1', { quote: 'More' }, { id: 'm1', author: ana, text: 'Why?' })
  await anchoring.settle(id, true)
  await anchoring.settle(id, true)
  // A repair of this row shows whether `settle` ran.
  await store.db.updateTable('threads').set({ orphaned: 1 }).execute()
  await anchoring.settle(id, true)
  expect(await threads.find(id, 't1')).toMatchObject({ orphaned: true })
  await sendLate(id, (doc) => textAt(doc, 0).insert(0, 'New. '))
  await anchoring.settle(id, true)
  expect(await threads.find(id, 't1')).toMatchObject({ orphaned: false })
})

/** A document of one paragraph per word, with a thread that has lost its text for each of `quotes`. */
async function openWithLost(words: readonly string[], quotes: readonly string[]): Promise<string> {
  const { id } = await setup.documents.create(ana.id, { markdown: words.join('\n\n') })
  const given = { document: id, marked: '', prefix: '', suffix: '', resolved: 0, orphaned: 1, created_at: 1 }
  const rows = quotes.map((quote, index) => ({ ...given, id: `t${String(index).padStart(4, '0')}`, quote }))
  for (let at = 0; at < rows.length; at += 500) {
    await setup.store.db
      .insertInto('threads')
      .values(rows.slice(at, at + 500))
      .execute()
  }
  return id
}

async function orphansIn(id: string): Promise<number> {
  const rows = setup.store.db.selectFrom('threads').select('id').where('document', '=', id).where('orphaned', '=', 1)
  return (await rows.execute()).length
}

const telling = (index: number): string => `a telling sentence number ${String(index).padStart(4, '0')}`

test('[REV-37] many threads whose text is back are marked again together, some hundred in one write', async () => {
  const { store, writer, clock } = setup
  const words = Array.from({ length: 300 }, (_, index) => `${telling(index)}.`)
  const id = await openWithLost(words, words)
  const anchoring = new Anchoring({ db: store.db, writer, now: () => clock.now })
  const seqOf = async (): Promise<number> => (await setup.log.updatesOf(contentName(id)))?.seq ?? 0
  const before = await seqOf()
  await anchoring.settle(id)
  expect([await orphansIn(id), (await seqOf()) - before]).toEqual([0, 2])
  expect(JSON.stringify(textAt(await stateOf(contentName(id)), 7).toDelta())).toContain('"threadId":"t0007"')
})

test('[REV-37] thousands of threads that lose their text, or have it back, are written some hundred at a time', async () => {
  const { store, writer, clock } = setup
  const id = await openWithLost(
    ['One word.'],
    Array.from({ length: 1200 }, (_, index) => telling(index)),
  )
  await store.db.updateTable('threads').set({ orphaned: 0 }).where('document', '=', id).execute()
  const anchoring = new Anchoring({ db: store.db, writer, now: () => clock.now })
  const seqOf = async (): Promise<number> => (await setup.log.updatesOf(roomName(id)))?.seq ?? 0
  const before = await seqOf()
  await anchoring.settle(id)
  expect([await orphansIn(id), (await seqOf()) - before]).toEqual([1200, 3])
  expect((await stateOf(roomName(id))).getMap(roomTypes.threads).size).toBe(1200)
})

test('[REV-37] of more lost threads than one look searches for each has its turn', async () => {
  const { store, writer, clock } = setup
  const quotes = Array.from({ length: 1100 }, (_, index) => telling(index))
  const id = await openWithLost([telling(1099)], quotes)
  const anchoring = new Anchoring({ db: store.db, writer, now: () => clock.now })
  for (const left of [1100, 1100, 1099]) {
    await anchoring.settle(id, true)
    expect(await orphansIn(id)).toBe(left)
  }
})
