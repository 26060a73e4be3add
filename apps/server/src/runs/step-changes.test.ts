import { contentName } from '@copydesk/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentIdentity } from '../common/identity.ts'
import { openTestStore, type TestStore } from '../testing/test-store.ts'
import { changedBlocksOf, closeStepChanges, noteStepChanges } from './step-changes.ts'
import { readParts } from '../history/undo-state.ts'

let context: TestStore
let document: string

beforeEach(async () => {
  context = await openTestStore()
  document = (await context.documents.create('ana', { markdown: 'text' })).id
  await context.store.db
    .insertInto('runs')
    .values({
      id: 'r',
      document,
      status: 'running',
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
})
afterEach(() => context.dispose())

async function addStep(id: string, position: number): Promise<void> {
  const step = { run: 'r', tool: 't', arguments: '{}', status: 'running', summary: '', started_at: position }
  await context.store.db
    .insertInto('run_steps')
    .values({ ...step, id, position })
    .execute()
}

/** Writes into the content: as the run, as a user if `run` is null, or as a user's decision about the run. */
async function write(run: string | null = 'r', actor: string = agentIdentity.id): Promise<void> {
  await context.writer.write(
    contentName(document),
    run === null ? { actor: 'ana' } : { actor, run },
    ({ doc }) => void doc.getMap('meta').set('title', String(Math.random())),
  )
}

function finish(step: string, ok = true, details: unknown = {}): Promise<void> {
  return context.store.db
    .transaction()
    .execute((trx) => noteStepChanges(trx, { document, run: 'r', step, ok, details }))
}

async function steps() {
  return context.store.db.selectFrom('run_steps').selectAll().orderBy('position').execute()
}

test('[UNDO-3] a step ends with the newest row that its run has written; people’s rows and steps that only read change nothing', async () => {
  for (const [position, id] of ['read', 'edit', 'look'].entries()) await addStep(id, position)
  await write(null)
  await finish('read')
  // Text may appear while the model is still writing the call; it belongs to the step that ends next.
  await write()
  await write(null)
  await write()
  await finish('edit', true, { blocks: [{ before: 'a', after: 'b' }] })
  await write(null)
  await finish('look')
  expect(await steps()).toMatchObject([
    { id: 'read', last_seq: 0, changed: 0, blocks: null },
    { id: 'edit', last_seq: 5, changed: 1, blocks: '[{"before":"a","after":"b"}]' },
    { id: 'look', last_seq: 5, changed: 0, blocks: null },
  ])
  const parts = await readParts(context.store.db, document)
  expect(parts.steps.map(({ step }) => step)[0]).toBe('edit')
})

test('[UNDO-5] a step that ends after a person’s decision on what the run has suggested has not written the decision', async () => {
  for (const [position, id] of ['suggest', 'look'].entries()) await addStep(id, position)
  await write()
  await finish('suggest')
  await write('r', 'ana')
  await finish('look')
  expect(await steps()).toMatchObject([
    { id: 'suggest', last_seq: 2, changed: 1 },
    { id: 'look', last_seq: 2, changed: 0 },
  ])
})

test('[UNDO-3] a failed call changed nothing; one that was cut off changed what it had written', async () => {
  await addStep('failed', 0)
  await addStep('cut-off', 1)
  await write()
  await finish('failed', false)
  await write()
  await context.store.db.transaction().execute((trx) => closeStepChanges(trx, document, 'r'))
  expect(await steps()).toMatchObject([
    { last_seq: 2, changed: 0 },
    { last_seq: 3, changed: 1 },
  ])
})

test('[UNDO-3] a run that continues after its undo is no longer undone', async () => {
  await addStep('edit', 0)
  await context.store.db.updateTable('runs').set({ undone: 1 }).execute()
  await write()
  await finish('edit')
  expect(await context.store.db.selectFrom('runs').select('undone').execute()).toEqual([{ undone: 0 }])
})

test('[UNDO-12] changed blocks: the text before the first change and after the last, each block once', () => {
  const blocks = (...pairs: [string, string][]) => ({
    blocks: JSON.stringify(pairs.map(([before, after]) => ({ before, after }))),
  })
  expect(
    changedBlocksOf([
      blocks(['one', 'ONE'], ['', 'new']),
      { blocks: null },
      blocks(['ONE', 'One!'], ['new', 'newer'], ['gone', '']),
      blocks(['', 'another'], ['same', 'other']),
      blocks(['other', 'same']),
    ]),
  ).toEqual([
    { before: 'one', after: 'One!' },
    { before: '', after: 'newer' },
    { before: 'gone', after: '' },
    { before: '', after: 'another' },
  ])
  const many = Array.from({ length: 300 }, (_, index): [string, string] => [`a${index}`, `b${index}`])
  expect(changedBlocksOf([blocks(...many)])).toHaveLength(200)
})
