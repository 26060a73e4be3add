import type { Run } from '@copydesk/protocol'
import { describeProblem } from './run-problem.ts'

/** A run's description for users: its activity or result, and whether it can be stopped. */
export type RunView = {
  tone: 'going' | 'good' | 'problem' | 'quiet'
  headline: string
  rounds: string | null
  problem: string | null
  canStop: boolean
}

/** Describes a run. `queuedBehindOwn`: whether another run of the same user is still active. */
export function viewRun(run: Run, queuedBehindOwn: boolean): RunView {
  const rounds = `round ${Math.min(run.rounds + 1, run.maxRounds)} of ${run.maxRounds}`
  const base = { rounds: null, problem: null, canStop: false }
  switch (run.status) {
    case 'queued': {
      const waiting = queuedBehindOwn ? 'Waiting for your other request' : 'Waiting to start'
      return { ...base, tone: 'going', headline: waiting, canStop: true }
    }
    case 'running':
      return { ...base, tone: 'going', headline: doing(run), rounds, canStop: true }
    case 'awaiting_approval':
      return {
        ...base,
        tone: 'going',
        headline: 'Waiting for approval',
        rounds: `round ${run.rounds} of ${run.maxRounds}`,
        canStop: true,
      }
    case 'completed':
      return { ...base, tone: 'good', headline: 'Done' }
    case 'stopped':
      return { ...base, tone: 'quiet', headline: 'Stopped' }
    case 'failed':
      return {
        ...base,
        tone: 'problem',
        headline: 'Failed',
        problem: describeProblem(run.error),
      }
    case 'limit_reached':
      return {
        ...base,
        tone: 'problem',
        headline: 'Stopped at its limit',
        problem: run.error?.message ?? `It used all ${run.maxRounds} rounds. Continue to give it as many again.`,
      }
  }
}

function doing({ steps }: Run): string {
  const last = steps.at(-1)
  return last?.status === 'running' && last.summary !== '' ? last.summary : 'Thinking…'
}

/** Whether the run is queued while another one of the same user in this document is active. */
export function isBehindOwn(run: Run, runs: Iterable<Run>): boolean {
  if (run.status !== 'queued') return false
  for (const other of runs) {
    const going = other.status === 'running' || other.status === 'awaiting_approval' || other.status === 'queued'
    const earlier = other.id !== run.id && other.createdAt <= run.createdAt
    if (going && earlier && other.invokedBy.id === run.invokedBy.id) return true
  }
  return false
}
