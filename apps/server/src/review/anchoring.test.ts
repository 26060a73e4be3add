import { randomUUID } from 'node:crypto'
import { contentName, contentTypes, roomName, roomTypes } from '@copydesk/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { Anchoring } from './anchoring.ts'
import { Changes } from './changes.ts'

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
  await writer.write(contentName(id), { actor: ana.id }, ({ doc }) => Y.applyUpdate(doc, undone))
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
