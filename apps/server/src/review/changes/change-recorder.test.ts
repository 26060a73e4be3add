import { contentName, roomName, roomTypes } from '@copydesk/schema'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import type { UpdateEffects } from '../../collaboration/admission/candidate-document.ts'
import type { Sender } from '../../common/identity.ts'
import { textAt } from '../../testing/log-scene.ts'
import { openTestStore, type TestStore } from '../../testing/test-store.ts'
import { Anchoring } from '../threads/anchoring.ts'
import { createChangeRecorder } from './change-recorder.ts'
import { Changes } from './changes.ts'

let context: TestStore
let changes: Changes
let id: string
let editor: Y.Doc

beforeEach(async () => {
  context = await openTestStore()
  changes = new Changes({ ...context, db: context.store.db, now: () => context.clock.now })
  id = (await context.documents.create('ana', { markdown: 'We pay.' })).id
  editor = (await loaded(contentName(id))) ?? new Y.Doc()
})
afterEach(() => context.dispose())

const ana: Sender = { actor: 'ana', run: null, epoch: null }
const mallory: Sender = { actor: 'mallory', run: null, epoch: null }

async function loaded(name: string): Promise<Y.Doc | undefined> {
  return (await context.log.load(name))?.doc
}

/** A change recorder as after a server start, with nothing in memory. */
function started() {
  return createChangeRecorder(
    { store: context.store, changes, now: () => context.clock.now++ },
    pino({ level: 'silent' }),
  )(id)
}

type Recorder = ReturnType<typeof started>

/**
 * Stores text of `sender` at the end of the text under the mark of `change`; without `isShown` the server is killed
 * immediately after that.
 */
async function write(recorder: Recorder, sender: Sender, change: string, isShown = true): Promise<number> {
  const before = Y.encodeStateVector(editor)
  const text = textAt(editor, 0)
  text.insert(text.length, ' word', { insertion: { id: change } })
  const effects: UpdateEffects = { mentions: [], people: [], changes: [change], written: [change] }
  const { statements, stored } = recorder(effects, sender)
  const bytes = Y.encodeStateAsUpdate(editor, before)
  const result = await context.log.append({
    name: contentName(id),
    bytes,
    actor: sender.actor,
    run: null,
    epoch: null,
    also: statements,
  })
  expect(result.ok).toBe(true)
  if (isShown) stored()
  return statements.length
}

async function shown(change: string): Promise<unknown> {
  return (await loaded(roomName(id)))?.getMap(roomTypes.changes).get(change)
}

async function contributorsOf(change: string): Promise<string[]> {
  const rows = await context.store.db.selectFrom('change_contributors').selectAll().orderBy('at').execute()
  return rows.flatMap((row) => (row.change === change ? `${row.author_name}, ${row.writer}` : []))
}

test('[REV-31] recorded contributors are read once, also by a restarted server', async () => {
  const first = started()
  expect(await write(first, ana, 'one')).toBe(2)
  expect(await write(first, ana, 'one')).toBe(0)
  expect(await write(first, mallory, 'one')).toBe(1)
  expect(await write(first, mallory, 'one')).toBe(0)
  const second = started()
  for (const sender of [ana, mallory, ana]) await write(second, sender, 'one')
  expect(await write(second, mallory, 'one')).toBe(0)
  expect(await contributorsOf('one')).toEqual(['Unknown person, mallory'])
  expect((await changes.authors(id)).get('one')).toMatchObject({ id: 'ana', alsoBy: [{ id: 'mallory' }] })
})

test('[REV-30] the agent is named by its run; a run in its own suggestion is not', async () => {
  const recorder = started()
  const run = (name: string): Sender => ({ actor: 'agent', run: name, epoch: null })
  await write(recorder, ana, 'one')
  await write(recorder, run('r1'), 'one')
  await write(recorder, run('r1'), 'two')
  await write(recorder, run('r1'), 'two')
  await write(recorder, run('r2'), 'two')
  await write(recorder, ana, 'two')
  expect(await contributorsOf('one')).toEqual(['Agent, run:r1'])
  expect(await contributorsOf('two')).toEqual(['Agent, run:r2', 'Unknown person, ana'])
})

test('[REV-30] the name is the one that the person had then', async () => {
  const recorder = started()
  const { db } = context.store
  const person = { id: 'mallory', name: 'Mallory', color: '#112233', created_at: 0 }
  await db.insertInto('people').values(person).execute()
  await write(recorder, ana, 'one')
  await write(recorder, mallory, 'one')
  await db.updateTable('people').set({ name: 'Ana' }).where('id', '=', 'mallory').execute()
  expect(await contributorsOf('one')).toEqual(['Mallory, mallory'])
})

test('[REV-30] what a server that was killed has recorded and not shown is shown at the next look', async () => {
  const recorder = started()
  await write(recorder, ana, 'one')
  await until(async () => (await shown('one')) !== undefined, 'the room shows Ana’s')
  await write(recorder, mallory, 'one', false)
  expect(await shown('one')).not.toHaveProperty('alsoBy')
  const anchoring = new Anchoring({ ...context, db: context.store.db, now: () => context.clock.now })
  await anchoring.settle(id)
  expect(await shown('one')).toMatchObject({ author: { id: 'ana' }, alsoBy: [{ id: 'mallory', kind: 'person' }] })
  const rows = async () => (await context.log.rowsAfter(roomName(id), 0)).length
  const before = await rows()
  await anchoring.settle(id)
  expect(await rows()).toBe(before)
})

test('[REV-30] twenty are shown, all are kept', async () => {
  const recorder = started()
  await write(recorder, ana, 'one')
  for (let index = 0; index < 25; index++) await write(recorder, { ...mallory, actor: `m${index}` }, 'one')
  expect((await changes.authors(id)).get('one')?.alsoBy).toHaveLength(20)
  expect(await contributorsOf('one')).toHaveLength(25)
})

test('[REV-35] ten thousand suggested changes of one update are recorded in two statements, each with its author', async () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => `c${index}`)
  const suggest = async (sender: Sender): Promise<number> => {
    const { statements } = started()({ mentions: [], people: [], changes: ids, written: ids }, sender)
    const row = { name: contentName(id), bytes: Uint8Array.of(0, 0), actor: sender.actor, run: null, epoch: null }
    expect(await context.log.append({ ...row, also: statements })).toMatchObject({ ok: true })
    return statements.length
  }
  const seq = (await context.log.updatesOf(contentName(id)))?.seq ?? 0
  expect(await suggest(ana)).toBe(2)
  expect(await suggest(mallory)).toBe(2)
  const count = (sql: string): unknown => context.file.prepare(sql).get()
  expect(count(`SELECT count(*) AS found, min(seq) AS seq FROM changes WHERE author_id = 'ana'`)).toMatchObject({
    found: 10_000,
    seq: seq + 1,
  })
  expect(count(`SELECT count(*) AS found FROM change_contributors WHERE writer = 'mallory'`)).toMatchObject({
    found: 10_000,
  })
  expect(count(`SELECT count(*) AS found FROM change_contributors WHERE writer = 'ana'`)).toMatchObject({ found: 0 })
})
