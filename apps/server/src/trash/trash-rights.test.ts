import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PersonCaller } from '../auth/callers.ts'
import { Moves } from '../rights/moves.ts'
import { Roles } from '../rights/roles.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { FolderTrash } from './folder-trash.ts'
import { Trash } from './trash.ts'

let context: TestStore

beforeEach(async () => {
  context = await openTestStore()
})
afterEach(() => context.dispose())

const caller = { kind: 'person', user: { id: 'ana', name: 'Ana', color: '#000' } } as PersonCaller

test('[RIGHT-6] who stops owning a folder while their request waits neither moves it to the trash nor brings it back', async () => {
  const { store, signals, clock } = context
  const { db } = store
  const now = (): number => clock.now
  const roles = new Roles({ db, now, isOpen: true })
  const moves = new Moves({ db, roles, signals, checkTarget: async () => undefined })
  const trash = new FolderTrash({ db, roles, moves, now, folderAccess: () => Promise.resolve('write') })
  await db
    .insertInto('folders')
    .values(['live', 'old'].map((id) => ({ id, name: id, parent: null, created_by: 'ana', created_at: 1 })))
    .execute()
  await db.updateTable('folders').set({ trashed_at: 1 }).where('id', '=', 'old').execute()
  await expect(trash.trash('live', caller)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(trash.restore('old', caller)).rejects.toMatchObject({ code: 'forbidden' })
  const rows = await db.selectFrom('folders').select(['id', 'trashed_at']).orderBy('id').execute()
  expect(rows).toEqual([
    { id: 'live', trashed_at: null },
    { id: 'old', trashed_at: 1 },
  ])
})

test('[RIGHT-6] [TRASH-5] emptying the trash spares a document that the caller has just stopped owning', async () => {
  const { store, signals, clock, documents } = context
  const [kept, gone] = [await documents.create('ana', {}), await documents.create('ana', {})]
  for (const { id } of [kept, gone]) await documents.setTrashed(id, true)
  const now = (): number => clock.now
  const roles = new Roles({ db: store.db, now, isOpen: false })
  const rolesIn = roles.rolesIn.bind(roles)
  roles.rolesIn = async (kind, person, items, db) => {
    const known = await rolesIn(kind, person, items, db)
    // The role ends after the first read.
    await (db ?? store.db).deleteFrom('members').where('item', '=', kept.id).execute()
    return known
  }
  const trash = new Trash({
    db: store.db,
    roles,
    signals,
    images: { removeAll: async () => undefined },
    copyImages: async () => undefined,
    now,
    trashMs: undefined,
    onError: (error) => expect.fail(String(error)),
  })
  expect(await trash.empty({ person: 'ana', address: '::1' })).toBe(1)
  await trash.close()
  const deleted = await store.db.selectFrom('audit').select('document').execute()
  expect(deleted).toEqual([{ document: gone.id }])
})
