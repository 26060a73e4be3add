import type { Run } from '@copydesk/protocol'
import type { Signals } from '../signals.ts'
import type { RunRow } from '../store/tables.ts'
import type { AgentOutcome } from '@copydesk/agent'
import { endRun, type RunEndingDeps } from './run-ending.ts'
import { RunSuperseded } from './run-lease.ts'
import { saidIn } from './streamed-answer.ts'

const attempts = 5

/**
 * Stops a run. A run without a worker (queued, or waiting for a user) is ended here, with what it had said; for a
 * running one, its worker is signalled. A run that is over is returned unchanged.
 */
export async function stopRun(id: string, deps: RunEndingDeps & { signals: Signals }): Promise<Run | undefined> {
  let run: Run | undefined
  // A worker may claim or leave it at any moment.
  for (let attempt = 0; attempt < attempts; attempt++) {
    const row = await deps.runs.findRow(id)
    if (row && isIdle(row)) await endIdle(row, { status: 'stopped' }, deps)
    run = await deps.runs.requestStop(id)
    if (!run || !isIdle(run)) break
  }
  deps.signals.publish({ kind: 'run-stop', run: id })
  return run
}

/** Whether a run isn't over and no worker has it. */
export function isIdle({ status }: { status: string }): boolean {
  return status === 'queued' || status === 'awaiting_approval'
}

/** Ends a run that no worker has, with what it had said; has no effect if a worker has just claimed it. */
export async function endIdle(
  row: RunRow,
  ending: Pick<AgentOutcome, 'status' | 'error'>,
  deps: RunEndingDeps,
): Promise<void> {
  const said = saidIn(await deps.runs.transcript(row.id))
  const usage = { inputTokens: row.input_tokens, outputTokens: row.output_tokens }
  const hasStarted = row.epoch > 0
  try {
    const outcome = { ...ending, answer: said, rounds: row.rounds, usage }
    await endRun(row, { outcome, said, hasReceipts: hasStarted }, deps)
  } catch (error) {
    // Then `stopRun` signals that worker.
    if (!(error instanceof RunSuperseded)) throw error
  }
}
