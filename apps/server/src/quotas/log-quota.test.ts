import { randomUUID } from 'node:crypto'
import { contentName, roomName } from '@copydesk/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { logBytes, rowOverhead } from './log-sizes.ts'
import { mebibyte, type Quotas } from './quotas.ts'
import { createStorageQuotas, type StorageQuotas } from './storage.ts'

const day = 24 * 60 * 60_000
const half = mebibyte / 2

let context: TestStore
let document: string
let storage: StorageQuotas
beforeEach(async () => {
  context = await openTestStore()
  document = (await context.documents.create('ana', { markdown: 'start' })).id
})
afterEach(async () => {
  await storage.logs.close()
  await context.dispose()
})

/** Quotas as in a new process. */
async function open(quotas: Partial<Quotas>): Promise<StorageQuotas> {
  storage = createStorageQuotas(context.store.db, () => context.clock.now, quotas)
  // `room` waits until the stored counts are loaded, so that the first update sees them.
  await storage.logs.room(document, ana)
  return storage
}

const ana = { actor: 'ana', run: null }
const ben = { actor: 'ben', run: null }
const refused = (quota: string) => ({ ok: false, code: 'quota_exceeded', hint: expect.stringContaining(quota) })

async function addGuest(id: string, link: string): Promise<void> {
  const { db } = context.store
  await db.insertInto('people').values({ id, name: id, color: '#000', created_at: 1, guest: 1 }).execute()
  const made = { id: link, document, role: 'editor', token_hash: link, created_by: 'ana', created_at: 1 } as const
  await db
    .insertInto('links')
    .values({ ...made, expires_at: null, revoked_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db.insertInto('link_visits').values({ link, person: id, first_at: 1 }).execute()
}

test('[QUOTA-1] a document’s log is limited to its quota, no matter who writes; other documents continue', async () => {
  const other = (await context.documents.create('ana', { markdown: 'other' })).id
  const { logs } = await open({ logMiBPerDocument: 1 })
  expect(logs.admit(document, ana, half)).toEqual({ ok: true })
  expect(logs.admit(document, ben, half)).toMatchObject(refused('logMiBPerDocument'))
  expect(logs.admit(document, ben, 1000)).toEqual({ ok: true })
  expect(await logs.room(other, ben)).toEqual({ ok: true })
  expect(logs.admit(other, ben, half)).toEqual({ ok: true })
})

test('[QUOTA-1] what the log of a document has from before counts, its room’s too, also when it was added up already', async () => {
  const { log, store } = context
  const row = (name: string) => ({ name, bytes: new Uint8Array(half), actor: 'ana', run: null, epoch: null })
  await log.append(row(contentName(document)))
  await log.append(row(roomName(document)))
  expect((await open({ logMiBPerDocument: 1 })).logs.admit(document, ben, 1)).toMatchObject(
    refused('logMiBPerDocument'),
  )

  const typed = Array.from({ length: 1200 }, () =>
    log.append({ ...row(contentName(document)), bytes: new Uint8Array(20) }),
  )
  await Promise.all(typed)
  const [name] = [contentName(document)]
  const { bytes } = context.file
    .prepare('SELECT sum(length(bytes)) + 128 * count(*) AS bytes FROM document_updates WHERE name = ?')
    .get(name) as { bytes: number }
  expect(await logBytes(store.db, name)).toBe(bytes)
  expect(await store.db.selectFrom('log_usage').selectAll().execute()).toEqual([{ name, bytes, seq: 1202 }])
  await log.append(row(name))
  expect(await logBytes(store.db, name)).toBe(bytes + half + rowOverhead)
})

test('[QUOTA-2] a person’s day is used up in all documents together, and the next day begins with nothing', async () => {
  const other = (await context.documents.create('ana', { markdown: 'other' })).id
  const { logs } = await open({ logMiBPerPersonAndDay: 1 })
  expect(logs.admit(document, ana, half)).toEqual({ ok: true })
  expect(logs.admit(other, ana, half)).toMatchObject(refused('logMiBPerPersonAndDay'))
  expect(await logs.room(other, ben)).toEqual({ ok: true })
  expect(logs.admit(other, ben, half)).toEqual({ ok: true })
  context.clock.now += day
  expect(logs.admit(other, ana, half)).toEqual({ ok: true })
})

test('[QUOTA-2] what was written today is remembered over a restart', async () => {
  const first = await open({ logMiBPerPersonAndDay: 1 })
  first.logs.admit(document, ana, half)
  await first.logs.close()
  const second = await open({ logMiBPerPersonAndDay: 1 })
  expect(second.logs.admit(document, ana, half)).toMatchObject(refused('logMiBPerPersonAndDay'))
  expect(second.logs.admit(document, ana, 1000)).toEqual({ ok: true })
  await second.logs.close()
  const rows = await context.store.db.selectFrom('log_days').selectAll().execute()
  const today = Math.floor(context.clock.now / day)
  expect(rows).toEqual([{ account: 'person:ana', day: today, bytes: half + 1000 + 2 * rowOverhead }])
})

test('[QUOTA-2] what comes before the count is read has room, and counts', async () => {
  const before = await open({ logMiBPerPersonAndDay: 1 })
  before.logs.admit(document, ana, half)
  await before.logs.close()
  storage = createStorageQuotas(context.store.db, () => context.clock.now, { logMiBPerPersonAndDay: 1 })
  expect(storage.logs.admit(document, ana, half)).toEqual({ ok: true })
  await until(() => !storage.logs.admit(document, ana, 0).ok, 'what was stored is read')
})

test('[QUOTA-3] all guests by one link count together, and so do the runs that they start', async () => {
  await addGuest('guest-1', 'link')
  await addGuest('guest-2', 'link')
  await addGuest('guest-3', 'other link')
  const asked = {
    id: 'run',
    document,
    status: 'running',
    trigger_kind: 'chat',
    trigger_id: 'm',
    instruction: '',
  } as const
  await context.store.db
    .insertInto('runs')
    .values({ ...asked, ...noProgress, invoked_by: 'guest-2', invoked_by_name: 'G' })
    .execute()
  const { logs } = await open({ logMiBPerLinkAndDay: 1 })
  const writers = [
    ...['guest-1', 'guest-2', 'guest-3'].map((actor) => ({ actor, run: null })),
    { actor: 'agent', run: 'run' },
  ]
  for (const writer of writers) expect(await logs.room(document, writer)).toEqual({ ok: true })
  const [first, second, third, run] = writers.map((writer) => () => logs.admit(document, writer, half))
  expect(first?.()).toEqual({ ok: true })
  expect(second?.()).toMatchObject(refused('logMiBPerLinkAndDay'))
  expect(run?.()).toMatchObject(refused('logMiBPerLinkAndDay'))
  expect(third?.()).toEqual({ ok: true })
})

test('[QUOTA-4] the database takes what it may and no more', async () => {
  const { logs } = await open({ databaseMiBOfServer: 1 })
  expect(logs.admit(document, ana, 1000)).toEqual({ ok: true })
  expect(logs.admit(document, ana, mebibyte)).toMatchObject(refused('databaseMiBOfServer'))
  const none = await open({ databaseMiBOfServer: 0 })
  expect(none.logs.admit(document, ana, 1)).toMatchObject(refused('databaseMiBOfServer'))
})

test('[QUOTA-5] what the server writes for a person counts and is never refused', async () => {
  const { logs } = await open({ logMiBPerPersonAndDay: 1 })
  logs.follow(context.signals)
  const large = 'x'.repeat(mebibyte)
  const write = (author: { actor: string; run?: string }) =>
    context.writer.write(
      contentName(document),
      author,
      ({ doc }) => void doc.getMap('receipts').set(randomUUID(), large),
    )
  await write({ actor: 'ana' })
  await write({ actor: 'ana' })
  expect(logs.admit(document, ana, 1)).toMatchObject(refused('logMiBPerPersonAndDay'))
  expect(logs.admit(document, ben, 1)).toEqual({ ok: true })
  const doc = new Y.Doc()
  for (const { bytes } of await context.log.rowsAfter(contentName(document), 0)) Y.applyUpdate(doc, bytes)
  expect(doc.getMap('receipts').size).toBe(2)
})

test('[QUOTA-5] what puts something right finds room until twice as much is used', async () => {
  const { logs } = await open({ logMiBPerPersonAndDay: 1 })
  logs.note(document, ana, mebibyte)
  expect(await logs.room(document, ana)).toMatchObject(refused('logMiBPerPersonAndDay'))
  expect(await logs.room(document, ana, true)).toEqual({ ok: true })
  logs.note(document, ana, mebibyte)
  expect(await logs.room(document, ana, true)).toMatchObject(refused('logMiBPerPersonAndDay'))
})

test('[QUOTA-6] a refusal says in a close frame’s 120 bytes which quota is used up, and whom to ask', async () => {
  const { logs } = await open({ logMiBPerDocument: 0, logMiBPerPersonAndDay: 0 })
  const answer = logs.admit(document, ana, 1)
  if (answer.ok) throw new Error('it was admitted')
  expect(`${answer.code}: ${answer.message}`.length).toBeLessThanOrEqual(120)
  expect(answer.hint).toMatch(/operator.*QUOTAS/)
})

const noProgress = {
  mode: 'edit',
  selection: null,
  rounds: 0,
  max_rounds: 8,
  input_tokens: 0,
  output_tokens: 0,
  answer: null,
  notice: null,
  error: null,
  epoch: 1,
  stop_requested: 0,
  coordinates: null,
  created_at: 1,
  ended_at: null,
} as const
