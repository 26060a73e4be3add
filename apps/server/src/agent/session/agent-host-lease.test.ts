import { randomUUID } from 'node:crypto'
import { contentName, roomName } from '@copydesk/schema'
import { caretAt } from '@copydesk/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../services/config.ts'
import { RunSuperseded } from '../../runs/run-lease.ts'
import { createServices, type Services } from '../../services/services.ts'
import type { RunRow } from '../../store/tables.ts'
import { openTestStore, type TestStore } from '../../testing/test-store.ts'
import { type AgentHost, createAgentHost } from './agent-host.ts'
import { readContent } from '../../review/content.ts'

const ana = { id: 'ana', name: 'Ana', color: '#123456' }
const author = { id: ana.id, name: ana.name, kind: 'person' as const }

let setup: TestStore
let services: Services
beforeEach(async () => {
  setup = await openTestStore()
  const config = readConfig({ DATA_DIR: setup.directory, SECRET: 'a secret for tests that is long enough' })
  services = createServices(setup.store, setup.signals, config)
})
afterEach(async () => {
  await services.converter.close()
  await setup.dispose()
})

/** A document with one run; `hostOf` makes the host of a worker that holds the given lease epoch. */
async function openRun(): Promise<{ id: string; hostOf: (epoch: number) => AgentHost }> {
  const { db } = services.store
  await db
    .insertInto('people')
    .values({ ...ana, created_at: 1 })
    .execute()
  const { id } = await services.documents.create(ana.id, { markdown: 'Some words, and more.' })
  const what = { id: randomUUID(), document: id, status: 'running', trigger_kind: 'chat', trigger_id: 'm' }
  const caller = { instruction: 'go on', invoked_by: ana.id, invoked_by_name: ana.name, mode: 'edit' as const }
  const count = { max_rounds: 9, epoch: 2, rounds: 0, input_tokens: 0, output_tokens: 0, stop_requested: 0 }
  await db
    .insertInto('runs')
    .values({ ...what, ...caller, ...count, created_at: 1 })
    .execute()
  const row = await db.selectFrom('runs').selectAll().where('id', '=', what.id).executeTakeFirstOrThrow()
  const deps = {
    ...services,
    db,
    project: undefined,
    flushed: async () => undefined,
    showScrollTarget: () => undefined,
  }
  return { id, hostOf: (epoch) => createAgentHost({ ...row, epoch } satisfies RunRow, ana, deps) }
}

async function rangeIn(id: string) {
  const doc = (await services.log.load(contentName(id)))?.doc
  const content = doc && readContent(doc)
  if (!content?.ok) throw new Error('it can be read')
  const at = (position: number) => caretAt(position, content.view, content.fragment, content.reader)
  return { anchor: at(1).anchor, head: at(5).head }
}

test('[REV-29] a worker whose run another has taken up writes no comment, decision or highlight', async () => {
  const { id, hostOf } = await openRun()
  await services.changes.suggest(id, 'c1', { quote: 'more' }, 'less', author)
  await services.changes.suggest(id, 'c2', { quote: 'Some' }, 'Few', author)
  await services.threads.start(id, 't1', { quote: 'words' }, { id: 'm1', author, text: 'Which?' })
  const range = await rangeIn(id)
  const heads = () => services.store.db.selectFrom('logs').select(['name', 'seq']).orderBy('name').execute()
  const before = await heads()
  const late = hostOf(1)
  const update = { operation: 'append' }
  const writes = [
    () => late.addThread({ id: 't2', comment: 'm2', quote: 'Some', text: 'And?', range }),
    () => late.reply('t1', { id: 'm3', text: 'These.' }),
    () => late.setResolved('t1', true),
    () => late.decide(['c1'], 'accept'),
    () => late.decide(['c1', 'c2'], 'accept'),
    () => late.highlight({ id: 'h1', range, color: 'green' }),
    () => late.noteResult({ ok: true, text: '', summary: '', details: { changeIds: ['c1'], update } }),
  ]
  for (const write of writes) await expect(write()).rejects.toBeInstanceOf(RunSuperseded)
  expect(await heads()).toEqual(before)
  expect(await services.threads.list(id)).toMatchObject([{ id: 't1', resolved: false, comments: [{ id: 'm1' }] }])
  const rows = await services.store.db.selectFrom('changes').select(['decision', 'update_json']).execute()
  expect(rows).toEqual([1, 2].map(() => ({ decision: null, update_json: null })))

  const current = hostOf(2)
  expect(await current.reply('t1', { id: 'm3', text: 'These.' })).toEqual({ ok: true })
  expect(await current.highlight({ id: 'h1', range, color: 'green' })).toEqual({
    ok: true,
    remove: expect.any(Function),
  })
  expect((await services.log.load(roomName(id)))?.doc.getMap('highlights').has('h1')).toBe(true)
})

test('[REV-23] a decision that is made again, since its worker was killed before it could say so, is done', async () => {
  const { id, hostOf } = await openRun()
  await services.changes.suggest(id, 'c1', { quote: 'more' }, 'less', author)
  await services.changes.suggest(id, 'c2', { quote: 'Some' }, 'Few', author)
  const host = hostOf(2)
  expect(await host.decide(['c1'], 'accept')).toEqual({ ok: true })
  expect(await host.decide(['c1'], 'accept')).toEqual({ ok: true })
  expect(await host.decide(['c1'], 'reject')).toMatchObject({ ok: false, code: 'stale' })
  expect(await host.decide(['c1', 'c2'], 'accept')).toEqual({ ok: true })
  expect(await services.changes.decided(id, ['c1', 'c2'])).toEqual(['c1', 'c2'])
  expect(await host.decide(['unknown'], 'accept')).toMatchObject({ ok: false, code: 'not_found' })
})
