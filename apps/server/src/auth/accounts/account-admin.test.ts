import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../../testing/test-store.ts'
import { AuthLinks } from './auth-links.ts'
import { AccountAdmin } from './account-admin.ts'

let context: TestStore
let admin: AccountAdmin

beforeEach(async () => {
  context = await openTestStore()
  const { db } = context.store
  const now = (): number => context.clock.now
  const { signals } = context
  admin = new AccountAdmin({ db, links: new AuthLinks({ db, now }), signals, publicUrl: 'http://localhost', now })
  const person = { color: '#000000', email_verified: 1, operator: 1, created_at: now(), updated_at: now() }
  const people = ['ana', 'ben'].map((id) => ({ ...person, id, name: id, email: `${id}@example.org` }))
  await db.insertInto('people').values(people).execute()
})
afterEach(() => context.dispose())

test('[ACC-13] of two operators who take each other’s place at once one is left', async () => {
  const wishes = [admin.change('ana', 'ben', { operator: false }), admin.change('ben', 'ana', { active: false })]
  const outcomes = await Promise.all(wishes)
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  expect(outcomes.find(({ ok }) => !ok)).toMatchObject({ code: 'forbidden' })
  expect((await admin.list()).filter(({ operator, active }) => operator && active)).toHaveLength(1)
})
