import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRunScene, type RunScene } from '../../testing/run-scene.ts'
import { createOutsideText } from './outside-text.ts'

let scene: RunScene
beforeEach(async () => {
  scene = await openRunScene()
})
afterEach(() => scene.dispose())

test('[INJ-6] what a call has read steers the calls of the next answer, and of a worker that resumes the run', async () => {
  const { db } = scene.services.store
  const run = await scene.ask(await scene.create('Text'), 'Search')
  const outside = await createOutsideText(run, db)
  outside.noteRead()
  expect(outside.mayInfluence).toBe(false)
  outside.answerStarted()
  expect(outside.mayInfluence).toBe(true)
  expect((await createOutsideText(run, db)).mayInfluence).toBe(false)
  const step = { run: run.id, arguments: '{}', status: 'ok', summary: '', started_at: 1, ended_at: 2 }
  await db
    .insertInto('run_steps')
    .values({ ...step, id: 'a', tool: 'read_document', position: 0 })
    .execute()
  await db
    .insertInto('run_steps')
    .values({ ...step, id: 'b', tool: 'search_web', position: 1, status: 'error' })
    .execute()
  expect((await createOutsideText(run, db)).mayInfluence).toBe(false)
  await db
    .insertInto('run_steps')
    .values({ ...step, id: 'c', tool: 'search_web', position: 2 })
    .execute()
  expect((await createOutsideText(run, db)).mayInfluence).toBe(true)
})

test('[INJ-9] what a tool server has answered steers a run that is resumed, errors too', async () => {
  const { db } = scene.services.store
  const run = await scene.ask(await scene.create('Text'), 'Search')
  const step = { run: run.id, tool: 'wiki__find', arguments: '{}', summary: '', started_at: 1, ended_at: 2 }
  // A call that a person rejected, and a call that failed at the tool server.
  const rejected = { ...step, id: 'a', position: 0, status: 'rejected', sent_at: null }
  await db.insertInto('run_steps').values(rejected).execute()
  expect((await createOutsideText(run, db)).mayInfluence).toBe(false)
  await db
    .insertInto('run_steps')
    .values({ ...step, id: 'b', position: 1, status: 'error', sent_at: 2 })
    .execute()
  expect((await createOutsideText(run, db)).mayInfluence).toBe(true)
})

test('[INJ-6] a document that a guest has entered may hold text of theirs anywhere; one of members does not', async () => {
  const { people, links, store } = scene.services
  const [own, open] = [await scene.create('Text'), await scene.create('Text')]
  const steers = async (document: string): Promise<boolean> =>
    (await createOutsideText(await scene.ask(document, 'Search'), store.db)).mayInfluence
  const { link } = await links.create(open, { role: 'viewer', expiresAt: null }, scene.ana)
  const guest = await people.create('Mallory', true)
  await store.db.insertInto('link_visits').values({ link: link.id, person: scene.ana.id, first_at: 1 }).execute()
  expect(await steers(open)).toBe(false)
  await store.db.insertInto('link_visits').values({ link: link.id, person: guest.id, first_at: 1 }).execute()
  expect([await steers(open), await steers(own)]).toEqual([true, false])
})
