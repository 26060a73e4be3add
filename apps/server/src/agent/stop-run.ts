import { setTimeout } from 'node:timers/promises'
import { isFinal, type Run } from '@copydesk/protocol'
import type { AgentOutcome } from '@copydesk/agent'
import type { Signal, Signals } from '../common/signals.ts'
import { roomName } from '@copydesk/schema'
import type { RunRow } from '../store/tables.ts'
import { RunSuperseded } from '../runs/run-lease.ts'
import type { FindRunAccess } from '../rights/access.ts'
import { endRun, revokedError, type RunEndingDeps } from './run-ending.ts'
import { answerTextOf } from './streamed-answer.ts'
import type { RunWorkerDeps } from './worker-deps.ts'

const attempts = 5

/**
 * Stops a run. A run without a worker (queued, or waiting for a user) is ended here, with its answer so far; for a
 * running one, its worker is signalled. A run that has ended is returned unchanged.
 */
export async function stopRun(id: string, deps: RunEndingDeps & { signals: Signals }): Promise<Run | undefined> {
  let run: Run | undefined
  // A worker may claim or leave the run at any moment.
  for (let attempt = 0; attempt < attempts; attempt++) {
    const row = await deps.runs.findRow(id)
    if (row && isIdle(row)) await endIdle(row, { status: 'stopped' }, deps)
    run = await deps.runs.requestStop(id)
    if (!run || !isIdle(run)) break
  }
  deps.signals.publish({ kind: 'run-stop', run: id })
  return run
}

/** Longer than any worker needs to end a run, unless its process has died: then the lease of the run must end first. */
const longestWaitMs = 5_000

/**
 * Stops a run and returns it after its end. If its worker doesn't end it within five seconds, returns the run in its
 * current state; it ends later.
 */
export async function stopAndWait(
  { id, documentId }: Pick<Run, 'id' | 'documentId'>,
  deps: RunEndingDeps & { signals: Signals },
): Promise<Run | undefined> {
  const ended = Promise.withResolvers<Run>()
  // A read may fail while no caller awaits the promise: before the race, or after it.
  ended.promise.catch(() => undefined)
  const look = async (): Promise<void> => {
    const run = await deps.runs.find(id)
    if (run && isFinal(run.status)) ended.resolve(run)
  }
  const room = roomName(documentId)
  const unsubscribe = deps.signals.subscribe((signal) => {
    if (signal.kind === 'log' && signal.name === room) look().catch(ended.reject)
  })
  try {
    const run = await stopRun(id, deps)
    if (!run || isFinal(run.status)) return run
    await look()
    return await Promise.race([ended.promise, setTimeout(longestWaitMs, run, { ref: false })])
  } finally {
    unsubscribe()
  }
}

/** Whether a run has not ended and has no worker. */
function isIdle({ status }: { status: string }): boolean {
  return status === 'queued' || status === 'awaiting_approval'
}

/** Ends a run without a worker, with its answer so far; has no effect if a worker has just claimed it. */
async function endIdle(row: RunRow, ending: Pick<AgentOutcome, 'status' | 'error'>, deps: RunEndingDeps) {
  const said = answerTextOf(await deps.runs.transcript(row.id))
  const usage = { inputTokens: row.input_tokens, outputTokens: row.output_tokens }
  const hasStarted = row.epoch > 0
  try {
    const outcome = { ...ending, answer: said, rounds: row.rounds, usage }
    await endRun(row, { outcome, said, hasReceipts: hasStarted }, deps)
  } catch (error) {
    // `stopRun` then signals that worker.
    if (!(error instanceof RunSuperseded)) throw error
  }
}

/**
 * Ends runs that wait, in the queue or for users, and may not continue after a change of rights. Running runs check
 * that themselves (`followCallerRight`).
 */
export async function endRevokedRuns(
  { person, document }: Extract<Signal, { kind: 'rights' }>,
  deps: RunWorkerDeps,
): Promise<void> {
  let waiting = deps.db.selectFrom('runs').selectAll().where('status', 'in', ['queued', 'awaiting_approval'])
  if (person !== undefined) waiting = waiting.where('invoked_by', '=', person)
  if (document !== undefined) waiting = waiting.where('document', '=', document)
  // One user and key may have many runs in one document.
  const cache = new Map<string, ReturnType<FindRunAccess>>()
  const runAccess: FindRunAccess = (run) => {
    const key = JSON.stringify([run.document, run.invoked_by, run.access_limit, run.api_key, run.trigger_kind])
    const access = cache.get(key) ?? deps.runAccess(run)
    cache.set(key, access)
    return access
  }
  for (const run of await waiting.execute()) await endIfRevoked(run, { ...deps, runAccess })
}

/** Ends one such run, if it waits and may not continue. */
export async function endIfRevoked(run: RunRow | undefined, deps: RunWorkerDeps): Promise<void> {
  if (!run || !isIdle(run) || (await deps.runAccess(run)) !== undefined) return
  await endIdle(run, { status: 'failed', error: revokedError }, deps)
}
