import { randomUUID } from 'node:crypto'
import { contentName, contentTypes } from '@copydesk/schema'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as Y from 'yjs'
import { agentIdentity } from '../common/identity.ts'
import { RunStore } from '../runs/run-store.ts'
import { StoreError, transactionExpired } from '../store/sqlite/sqlite-link.ts'
import { fragmentOf, paragraph } from '../testing/log-scene.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { ThreadTimeoutError, ThreadWorker } from '../threads/thread-worker.ts'
import { LogReplay } from './log-replay.ts'
import { RunUndo } from './run-undo.ts'
import type { UndoRequest, UndoResponse } from './undo-requests.ts'

/** The real thread, recording its requests; fails for plans if configured. */
class WatchedThread extends ThreadWorker<UndoRequest, UndoResponse> {
  readonly asked: UndoRequest[] = []
  planFailure: Error | undefined

  constructor() {
    super(new URL('./undo-thread.ts', import.meta.url))
  }

  override ask(body: UndoRequest, timeoutMs?: number): Promise<UndoResponse> {
    this.asked.push(body)
    if (body.kind === 'plan' && this.planFailure) return Promise.reject(this.planFailure)
    return super.ask(body, timeoutMs)
  }

  get kinds(): string[] {
    return this.asked.map(({ kind }) => kind)
  }
}

const ana = { id: 'ana', name: 'Ana', color: '#000000' }
const prefix = 'r.'

let context: TestStore
let thread: WatchedThread
let replay: LogReplay
let undo: RunUndo

beforeEach(async () => {
  context = await openTestStore()
  thread = new WatchedThread()
  const { store, writer, documents, clock } = context
  const common = { db: store.db, writer, now: () => clock.now, createId: randomUUID }
  replay = new LogReplay({ ...common, thread })
  const runs = new RunStore({ ...common, notifications: context.notifications, maxRounds: sql.lit(8) })
  undo = new RunUndo({ ...common, runs, documents, replay })
})
afterEach(async () => {
  await replay.close()
  await context.dispose()
})

/**
 * A document in which a run has added one block, in one step that has ended; with `goesOn`, the run is still running
 * and has written nothing.
 */
async function createRun(id: string, { goesOn = false } = {}): Promise<string> {
  const document = (await context.documents.create('ana', { markdown: 'text' })).id
  const { db } = context.store
  await db
    .insertInto('runs')
    .values({
      id,
      document,
      status: goesOn ? 'running' : 'completed',
      trigger_kind: 'chat',
      trigger_id: 'm',
      instruction: 'do',
      invoked_by: 'ana',
      invoked_by_name: 'Ana',
      mode: 'edit',
      max_rounds: 8,
      rounds: 0,
      input_tokens: 0,
      output_tokens: 0,
      epoch: 0,
      stop_requested: 0,
      created_at: 1,
    })
    .execute()
  if (goesOn) return document
  await write(document, `by ${id}`, { actor: agentIdentity.id, run: id })
  const step = { id: 'a', run: id, position: 0, tool: 't', arguments: '{}', status: 'ok', summary: '', started_at: 1 }
  await db
    .insertInto('run_steps')
    .values({ ...step, last_seq: 2, changed: 1 })
    .execute()
  return document
}

async function write(
  document: string,
  text: string,
  author: { actor: string; run?: string },
  receipts: Record<string, number> = {},
): Promise<void> {
  await context.writer.write(contentName(document), author, ({ doc }) => {
    doc.transact(() => {
      fragmentOf(doc).insert(fragmentOf(doc).length, [paragraph(text)])
      for (const [key, value] of Object.entries(receipts)) doc.getMap(contentTypes.receipts).set(key, value)
    })
  })
}

async function shown(document: string): Promise<{ texts: string[]; receipts: string[] }> {
  const loaded = await context.log.load(contentName(document))
  const doc = loaded?.doc ?? new Y.Doc()
  const texts = fragmentOf(doc)
    .toArray()
    .map((block) => String((block as Y.XmlElement).get(0)))
  return { texts, receipts: [...doc.getMap(contentTypes.receipts).keys()] }
}

test("[UNDO-14] a plan does not wait for another's replay: one undo at a time has the thread", async () => {
  const documents = await Promise.all(['r1', 'r2', 'r3'].map((id) => createRun(id)))
  await Promise.all(documents.map((document, index) => undo.change(document, `r${index + 1}`, { kind: 'undo' }, ana)))
  const one = ['load', 'plan', 'drop']
  expect(thread.kinds).toEqual([...one, ...one, ...one])
  for (const document of documents) expect((await shown(document)).texts).toEqual(['text'])
})

test('[UNDO-14] an undo that takes too long is refused, changes nothing, and can be asked for again', async () => {
  const document = await createRun('r')
  const ask = () => undo.change(document, 'r', { kind: 'undo' }, ana)
  for (const failure of [
    new ThreadTimeoutError('it took too long'),
    new StoreError('rolled back', transactionExpired),
  ]) {
    thread.planFailure = failure
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable', status: 503, cause: failure })
  }
  thread.planFailure = undefined
  expect((await shown(document)).texts).toEqual(['text', 'by r'])
  await ask()
  expect((await shown(document)).texts).toEqual(['text'])
})

test('[UNDO-15] what was shown of a call that was never finished is taken back; the thread looks for it, once', async () => {
  const document = await createRun('r', { goesOn: true })
  const agent = { actor: agentIdentity.id, run: 'r' }
  await write(document, 'a whole call', agent, { 'r.one': 1 })
  await write(document, 'half a', agent, { 'r.two': 0 })
  await write(document, 'by Ana', { actor: 'ana' })
  await write(document, 'decided by Ana', { actor: 'ana', run: 'r' })
  await write(document, ' call', agent)
  const check = () => Promise.resolve()
  await undo.revertOpenCalls({ id: 'r', document }, prefix, check)
  expect(await shown(document)).toEqual({
    texts: ['text', 'a whole call', 'by Ana', 'decided by Ana'],
    receipts: ['r.one'],
  })
  expect(thread.asked).toMatchObject([{ kind: 'load', cut: { run: 'r', prefix } }, { kind: 'plan' }, { kind: 'drop' }])
  await undo.revertOpenCalls({ id: 'r', document }, prefix, check)
  expect(thread.asked).toHaveLength(3)
})

test('[UNDO-15] a worker that may not write any more takes nothing back', async () => {
  const document = await createRun('r', { goesOn: true })
  await write(document, 'half a call', { actor: agentIdentity.id, run: 'r' }, { 'r.one': 0 })
  const superseded = new Error('another worker has this run')
  const check = () => Promise.reject(superseded)
  await expect(undo.revertOpenCalls({ id: 'r', document }, prefix, check)).rejects.toBe(superseded)
  expect(await shown(document)).toEqual({ texts: ['text', 'half a call'], receipts: ['r.one'] })
  expect(await context.store.db.selectFrom('cut_rows').selectAll().execute()).toEqual([])
})
