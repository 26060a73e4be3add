import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { VersionStates } from './version-states.ts'

let context: TestStore
let states: VersionStates

beforeEach(async () => {
  context = await openTestStore()
  states = new VersionStates(context.store.db)
})
afterEach(async () => {
  await states.close()
  await context.dispose()
})

test('[HIST-4] a state that took long to compute is stored', async () => {
  const { id } = await context.documents.create('ana', { markdown: 'Text' })
  const doc = (await context.log.load(id))!.doc
  const updates: Uint8Array[] = []
  doc.on('update', (bytes: Uint8Array) => void updates.push(bytes))
  for (let index = 0; index < 1010; index++) doc.getMap('meta').set('count', index)
  await Promise.all(
    updates.map((bytes) => context.log.append({ name: id, bytes, actor: 'ana', run: null, epoch: null })),
  )
  const stored = () => context.file.prepare('SELECT seq FROM version_states WHERE document = ?').all(id)
  await states.at(id, 1000)
  expect(stored()).toEqual([])
  const state = await states.at(id, 1005)
  expect(stored()).toEqual([{ seq: 1005 }])
  expect(await states.at(id, 1005)).toEqual(state)
  const past = new Y.Doc()
  Y.applyUpdate(past, state)
  expect(past.getMap('meta').get('count')).toBe(1003)
})
