import { afterEach, beforeEach, expect, test } from 'vitest'
import { firstMigrations } from '../store/migrations/0001-to-0012.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { Visits } from './visits.ts'

let setup: TestStore
let document: string

beforeEach(async () => {
  setup = await openTestStore()
  const people = ['Ana', 'Ben'].map((name) => ({ id: name.toLowerCase(), name, color: '#1d4ed8', created_at: 1 }))
  await setup.store.db.insertInto('people').values(people).execute()
  document = (await setup.documents.create('ana', { markdown: 'Words.' })).id
})
afterEach(() => setup.dispose())

test('[NOTE-7] the latest visitor is first, and a visit is stored at most every ten minutes', async () => {
  const { store, clock } = setup
  const visits = new Visits({ db: store.db, now: () => clock.now })
  const seen = async () =>
    (await visits.people(document)).map(({ id, lastSeenAt }) => [id, Date.parse(lastSeenAt) - clock.now])
  await visits.note(document, 'ana')
  clock.now += 60_000
  await visits.note(document, 'ben')
  await visits.note(document, 'ana')
  expect(await seen()).toEqual([
    ['ben', 0],
    ['ana', -60_000],
  ])
  clock.now += 600_000
  await visits.note(document, 'ana')
  expect(await seen()).toEqual([
    ['ana', 0],
    ['ben', -600_000],
  ])
})

test('[NOTE-7] people who wrote before visits were stored can be mentioned too', async () => {
  const { store, clock } = setup
  const { db } = store
  for (const table of ['notifications', 'document_visits']) await db.schema.dropTable(table).execute()
  for (const table of ['comments', 'messages']) await db.schema.alterTable(table).dropColumn('mentions').execute()
  await firstMigrations['0008_notifications']?.up(db)
  const people = await new Visits({ db, now: () => clock.now }).people(document)
  expect(people.map(({ id }) => id)).toEqual(['ana'])
})
