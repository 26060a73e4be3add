import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../services/config.ts'
import { Roles } from '../rights/roles.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { Trash } from './trash.ts'
import { purgeFolders } from './purge.ts'

const dayMs = 24 * 60 * 60_000
let context: TestStore

beforeEach(async () => {
  context = await openTestStore()
})
afterEach(() => context.dispose())

function trashOf(days: number | undefined): Trash {
  const { store, signals, clock } = context
  const now = (): number => clock.now
  return new Trash({
    db: store.db,
    roles: new Roles({ db: store.db, now, isOpen: true }),
    signals,
    images: { removeAll: async () => undefined },
    copyImages: async () => undefined,
    now,
    trashMs: days === undefined ? undefined : days * dayMs,
    onError: (error) => expect.fail(String(error)),
  })
}

test('[TRASH-6] what has been in the trash long enough is deleted, the rest and all else stays', async () => {
  const { documents, clock, store } = context
  const [old, young, live] = await Promise.all(
    ['old', 'young', 'live'].map(async (title) => (await documents.create('ana', { title })).id),
  )
  await documents.setTrashed(old ?? '', true)
  clock.now += dayMs
  await documents.setTrashed(young ?? '', true)
  // Moving it to the trash again doesn't extend its time there.
  await documents.setTrashed(old ?? '', true)
  const [forever, trash] = [trashOf(undefined), trashOf(30)]
  clock.now += 29 * dayMs - 1
  expect(await trash.expire()).toBe(0)
  clock.now += 1
  expect([await forever.expire(), await trash.expire(), await trash.expire()]).toEqual([0, 1, 0])
  await trash.settled()
  const rows = await store.db.selectFrom('documents').select('id').execute()
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([young, live]))
  const audit = await store.db.selectFrom('audit').selectAll().execute()
  expect(audit).toMatchObject([{ action: 'document-deleted', actor: null, document: old }])
  await trash.close()
})

test('[TRASH-7] a deletion that was interrupted is completed by the next server', async () => {
  const { documents, store } = context
  const { id } = await documents.create('ana', { title: 'one' })
  await store.db.updateTable('documents').set({ trashed_at: 1, deleted_at: 1 }).where('id', '=', id).execute()
  await store.db.deleteFrom('document_updates').execute()
  expect(await documents.find(id, 'ana')).toBeUndefined()
  const trash = trashOf(30)
  trash.start()
  await trash.settled()
  expect(await store.db.selectFrom('logs').selectAll().execute()).toEqual([])
  await trash.close()
  await trash.close()
})

test('[TRASH-8] a folder in the trash is deleted once it has been empty there for a day, from the innermost out', async () => {
  const { db } = context.store
  const folder = (id: string, parent: string | null, trashed_at: number | null) => ({
    id,
    parent,
    trashed_at,
    name: id,
    created_by: 'ana',
    created_at: 0,
  })
  await db
    .insertInto('folders')
    .values([
      folder('a', null, 5),
      folder('b', 'a', 5),
      folder('c', 'b', 9),
      folder('d', null, null),
      folder('e', null, 5),
    ])
    .execute()
  const { id } = await context.documents.create('ana', { title: 'one' })
  await db.updateTable('documents').set({ folder: 'e' }).where('id', '=', id).execute()
  await purgeFolders(db, 8)
  const left = async () => (await db.selectFrom('folders').select('id').orderBy('id').execute()).map((row) => row.id)
  expect(await left()).toEqual(['a', 'b', 'c', 'd', 'e'])
  await purgeFolders(db, 10)
  expect(await left()).toEqual(['d', 'e'])
})

test('[TRASH-9] [CONF-1] TRASH_DAYS is 30 by default, 0 for ever, and a bad one gives one line', () => {
  expect(readConfig({ DATA_DIR: context.directory }).TRASH_DAYS).toBe(30)
  expect(readConfig({ DATA_DIR: context.directory, TRASH_DAYS: '0' }).TRASH_DAYS).toBe(0)
  for (const wrong of ['-1', '1.5', 'never', '36501']) {
    const message = `TRASH_DAYS is "${wrong}". Allowed: a whole number from 0 to 36500 (days); 0: the trash is kept forever.`
    expect(() => readConfig({ DATA_DIR: context.directory, TRASH_DAYS: wrong })).toThrow(message)
  }
})
