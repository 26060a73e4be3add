import type { FindRunAccess } from '../access.ts'
import type { Signal } from '../signals.ts'
import type { RunRow } from '../store/tables.ts'
import { revokedError } from './run-ending.ts'
import { endIdle, isIdle } from './stop-run.ts'
import type { RunWorkerDeps } from './worker-deps.ts'

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
  const looks = new Map<string, ReturnType<FindRunAccess>>()
  const runAccess: FindRunAccess = (run) => {
    const key = JSON.stringify([run.document, run.invoked_by, run.access_limit, run.api_key])
    const looked = looks.get(key) ?? deps.runAccess(run)
    looks.set(key, looked)
    return looked
  }
  for (const run of await waiting.execute()) await endIfRevoked(run, { ...deps, runAccess })
}

/** Ends one such run, if it waits and may not continue. */
export async function endIfRevoked(run: RunRow | undefined, deps: RunWorkerDeps): Promise<void> {
  if (!run || !isIdle(run) || (await deps.runAccess(run)) !== undefined) return
  await endIdle(run, { status: 'failed', error: revokedError }, deps)
}
