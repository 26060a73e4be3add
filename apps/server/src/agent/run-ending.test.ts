import { setImmediate } from 'node:timers/promises'
import { isFinal, type Run } from '@copydesk/protocol'
import { localizable } from '@copydesk/tools'
import { roomName } from '@copydesk/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { Budgets, type Ceilings } from '../budgets/budgets.ts'
import { recordUsage } from '../budgets/usage.ts'
import { RequestError } from '../common/errors.ts'
import { createThreadSignals } from '../common/signals.ts'
import type { RunRow } from '../store/tables.ts'
import { openRunScene, type RunScene } from '../testing/run-scene.ts'
import { idleClaimLimit } from './run-ending.ts'
import { executeRun } from './run-executor.ts'
import { RunRecorder } from './run-recorder.ts'
import { RunWorker } from './run-worker.ts'
import { stopAndWait, stopRun } from './stop-run.ts'
import type { RunWorkerDeps } from './worker-deps.ts'

let scene: RunScene
let document: string

beforeEach(async () => {
  scene = await openRunScene()
  document = await scene.create('Start here.')
})
afterEach(() => scene.dispose())

/** A run that a worker left in the middle of a call, claimed again. */
async function takenUp(row: Partial<RunRow> = {}): Promise<RunRow> {
  const run = await scene.ask(document, 'write', { status: 'running', epoch: 2, ...row })
  await scene.leaveOpenCall(run)
  return run
}

function budgetsOf(ceilings: Ceilings): Budgets {
  return new Budgets({ db: scene.services.store.db, now: Date.now, ceilings })
}

const clean = { blocks: ['Start here.'], receipts: {} }
const unusable = (): Promise<never> => Promise.reject(new Error('the store is busy'))

/** A worker whose undo has this `revertOpenCalls`. */
function undoWith(revertOpenCalls: () => Promise<void>): RunWorkerDeps['undo'] {
  return { revertOpenCalls } as unknown as RunWorkerDeps['undo']
}

type Ending = { row?: Partial<RunRow>; deps?: () => Partial<RunWorkerDeps>; status: string; error?: string }
const endings: Record<string, Ending> = {
  'somebody has stopped it': { row: { stop_requested: 1 }, status: 'stopped' },
  'its time is used up': { row: { used_ms: 60_000 }, status: 'failed', error: 'timeout' },
  'its person may not open the document any more': {
    deps: () => ({ runAccess: () => Promise.resolve(undefined) }),
    status: 'failed',
    error: 'forbidden',
  },
  'its person has used up the day': {
    deps: () => ({ budgets: budgetsOf({ run: 1000, person: 0 }) }),
    status: 'failed',
    error: 'budget_exceeded',
  },
  'it can not join the document': {
    deps: () => ({ tokens: { ...scene.deps.tokens, issue: unusable } }),
    status: 'failed',
    error: 'internal',
  },
}

test.each(Object.entries(endings))(
  '[STREAM-8] half-written text is taken back when a run that is taken up again ends because %s',
  async (_, { row = {}, deps = () => ({}), status, error }) => {
    const run = await takenUp(row)
    expect((await scene.content(document)).blocks).toEqual(['Start here.', 'Half of a', 'sentence that'])
    const controller = new AbortController()
    await executeRun(run, controller, { ...scene.deps, ...deps() })
    expect(await scene.services.runs.find(run.id)).toMatchObject({
      status,
      ...(error ? { error: { code: error } } : {}),
    })
    expect(await scene.content(document)).toEqual(clean)
  },
)

test('[STREAM-8] half-written text is taken back when a run that waits is stopped', async () => {
  const run = await takenUp({ status: 'awaiting_approval' })
  expect(await stopRun(run.id, scene.services)).toMatchObject({ status: 'stopped' })
  expect(await scene.content(document)).toEqual(clean)
})

test('[STREAM-8] a run ends only after its text was taken back, if need be at a later try', async () => {
  const run = await takenUp({ stop_requested: 1 })
  const recorder = new RunRecorder(run, { ...scene.deps, undo: undoWith(unusable) })
  const outcome = { status: 'stopped' as const, answer: '', rounds: 0, usage: { inputTokens: 0, outputTokens: 0 } }
  await expect(recorder.finish(outcome, '', true)).rejects.toThrow('the store is busy')
  expect(isFinal((await scene.services.runs.find(run.id))?.status ?? 'completed')).toBe(false)
  await new RunRecorder(run, scene.deps).finish(outcome, '', true)
  expect(await scene.content(document)).toEqual(clean)
})

test('[STREAM-8] what can not be taken back stays, and the run says so', async () => {
  const refuse = (): Promise<never> =>
    Promise.reject(new RequestError('conflict', 'The document would not hold together.'))
  const run = await takenUp()
  const recorder = new RunRecorder(run, { ...scene.deps, undo: undoWith(refuse) })
  const outcome = { status: 'stopped' as const, answer: '', rounds: 0, usage: { inputTokens: 0, outputTokens: 0 } }
  await recorder.finish(outcome, '', true)
  const ended = await scene.services.runs.find(run.id)
  expect(ended).toMatchObject({ status: 'stopped' })
  expect(ended?.notice).toContain('could not be removed')
  expect((await scene.content(document)).receipts).toEqual({})
})

test('[RATE-6] guests by one link share the tokens of a day; people with accounts have their own', async () => {
  const { people, links, store } = scene.services
  const { link } = await links.create(document, { role: 'commenter', expiresAt: null }, scene.ana)
  const [one, two] = [await people.create('One', true), await people.create('Two', true)]
  for (const { id } of [one, two, scene.ana]) await links.visit({ id: link.id, document }, id)
  const spent = await scene.ask(document, 'spends', { invoked_by: one.id })
  const usage = { inputTokens: 90, outputTokens: 20 }
  await store.db.transaction().execute((trx) => recordUsage(trx, spent.id, { rounds: 1, usage }, Date.now()))
  const budgets = budgetsOf({ run: 1000, person: 100 })
  const endOf = async (invokedBy: string) => {
    const run = await scene.ask(document, 'write', { status: 'running', epoch: 1, invoked_by: invokedBy })
    await executeRun(run, new AbortController(), { ...scene.deps, budgets })
    return (await scene.services.runs.find(run.id))?.error?.code
  }
  expect(await endOf(two.id)).toBe('budget_exceeded')
  // The model was called, although it must not be.
  expect(await endOf(scene.ana.id)).toBe('invalid_response')
})

test('[RUN-14] a run that ends every worker that takes it is given up, and its text is taken back', async () => {
  const run = await scene.ask(document, 'write')
  await scene.leaveOpenCall(run)
  for (let claims = 1; claims <= idleClaimLimit; claims++) {
    // A worker whose thread has ended has no further effect.
    const worker = new RunWorker({ ...scene.deps, runs: scene.runsReading(() => new Promise(() => undefined)) })
    worker.start()
    await until(async () => (await scene.row(run.id)).idle_claims === claims, `it is taken up ${claims} times`)
    void worker.close()
  }
  const worker = new RunWorker(scene.deps)
  worker.start()
  await until(async () => (await scene.row(run.id)).ended_at !== null, 'it has ended')
  await worker.close()
  expect(await scene.services.runs.find(run.id)).toMatchObject({
    status: 'failed',
    error: { code: 'internal', message: expect.stringContaining('without progress') },
  })
  expect(await scene.content(document)).toEqual(clean)
})

test('[RUN-14] a run that gets further is not given up; starting the same step again is no progress', async () => {
  const run = await scene.ask(document, 'write', { status: 'running', epoch: 3, idle_claims: 3 })
  const idleClaims = async (): Promise<number> => (await scene.row(run.id)).idle_claims
  const claimAgain = (): Promise<unknown> =>
    scene.deps.db.updateTable('runs').set({ idle_claims: 3 }).where('id', '=', run.id).execute()
  const recorder = new RunRecorder(run, scene.deps)
  const call = { id: 'call-1', name: 'read_document', arguments: {} }
  await recorder.saveStepStarted(call, localizable`Reading…`)
  expect(await idleClaims()).toBe(0)
  await claimAgain()
  await recorder.saveStepStarted(call, localizable`Reading…`)
  expect(await idleClaims()).toBe(3)
  await recorder.saveStepFinished(call, { ok: true, text: 'text', summary: 'Read it' }, {})
  expect(await idleClaims()).toBe(0)
})

test('[RUN-15] a worker that leaves a run counts its time but not the claim', async () => {
  const run = await scene.ask(document, 'write', { status: 'running', epoch: 1, idle_claims: 1, used_ms: 100 })
  const controller = new AbortController()
  controller.abort('shutdown')
  let clock = 1000
  await executeRun(run, controller, { ...scene.deps, elapsed: () => (clock += 50) })
  const left = await scene.row(run.id)
  expect(left).toMatchObject({ status: 'running', idle_claims: 0 })
  expect(left.used_ms).toBeGreaterThan(100)
  // A run that another worker has claimed stays unchanged.
  await scene.services.runs.releaseClaim({ id: run.id, epoch: 0 }, 5000)
  expect((await scene.row(run.id)).used_ms).toBe(left.used_ms)
})

test('[APP-4] a call that is held again waits with the arguments that it is proposed with', async () => {
  const run = await scene.ask(document, 'write', { status: 'running', epoch: 1 })
  const recorder = new RunRecorder(run, scene.deps)
  const call = { id: 'call-1', name: 'edit_document', arguments: { find: 'a', replace: 'b' } }
  await recorder.saveStepStarted(call, localizable`Editing…`)
  await scene.deps.db
    .updateTable('run_steps')
    .set({ approved_arguments: JSON.stringify({ find: 'a', replace: 'c' }), approval: '{}' })
    .where('run', '=', run.id)
    .execute()
  await recorder.saveStepHeld(call, { ok: false, text: '', summary: 'Waits', held: [{ before: 'a', after: 'b' }] }, {})
  const [step] = await scene.services.runs.steps(run.id)
  expect(step).toMatchObject({ status: 'awaiting_approval', approval: null, approved_arguments: null })
})

test('[RUN-8] a look at a stopped run that fails while nobody waits for it is no unhandled rejection', async () => {
  const run = await scene.ask(document, 'write', { status: 'running', epoch: 1 })
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  const { runs } = scene.deps
  const signals = createThreadSignals('test')
  const failing = Object.assign(Object.create(runs) as typeof runs, {
    find: unusable,
    requestStop: async () => {
      signals.publish({ kind: 'log', name: roomName(document), seq: 1, update: new Uint8Array() })
      // An unhandled rejection is reported after the microtasks.
      await setImmediate()
      return { id: run.id, status: 'stopped' } as Run
    },
    findRow: () => Promise.resolve(run),
  })
  try {
    expect(
      await stopAndWait({ id: run.id, documentId: document }, { ...scene.deps, signals, runs: failing }),
    ).toMatchObject({
      status: 'stopped',
    })
  } finally {
    process.off('unhandledRejection', note)
  }
  expect(unhandled).toEqual([])
})
