import { type AuditEvent, recordAuditEvent } from '../audit/audit.ts'
import { sleep } from '../common/time.ts'
import type { RunRow } from '../store/tables.ts'
import { isFromOutside } from '../runs/outside-runs.ts'
import type { Signal } from '../common/signals.ts'
import { endRevokedRuns } from './stop-run.ts'
import { executeRun } from './run-executor.ts'
import type { RunWorkerDeps } from './worker-deps.ts'
import type { AbortReason } from './session/peer.ts'

type Candidate = Pick<RunRow, 'id' | 'document' | 'invoked_by' | 'agent' | 'stop_requested' | 'trigger_kind'>

type Active = { controller: AbortController; done: Promise<void>; run: Candidate }

// Limits per user and per document leave capacity for others.
const concurrentRuns = { all: 8, ofPerson: 4, inDocument: 6 }
const retryMs = 5000
const closeWithinMs = 2000

/**
 * Takes runs from the store and executes them in the order in which they were requested. Eight run concurrently, at
 * most four of one user and six in one document, but never two of one user in one document. Runs of a worker that has
 * ended are resumed at their current step. Runs of outside agents don't count.
 */
export class RunWorker {
  readonly #deps: RunWorkerDeps
  readonly #active = new Map<string, Active>()
  #unsubscribe: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> = Promise.resolve()
  #ending: Promise<void> = Promise.resolve()
  #isCheckScheduled = false
  #closed = false

  constructor(deps: RunWorkerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#unsubscribe = this.#deps.signals.subscribe((signal) => {
      if (signal.kind === 'run-queued') this.#scheduleCheck()
      if (signal.kind === 'rights') this.#endRevoked(signal)
      if (signal.kind === 'run-stop') this.#active.get(signal.run)?.controller.abort('stop' satisfies AbortReason)
    })
    // Signals may be lost (a worker that just started, a store that just failed); the store is authoritative.
    this.#timer = setInterval(() => this.#scheduleCheck(), retryMs)
    this.#scheduleCheck()
  }

  /** Stops the worker without ending its runs: the next worker to start resumes them. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    this.#unsubscribe?.()
    for (const { controller } of this.#active.values()) controller.abort('shutdown' satisfies AbortReason)
    await Promise.all([this.#checking, this.#ending])
    await Promise.race([Promise.allSettled([...this.#active.values()].map(({ done }) => done)), sleep(closeWithinMs)])
  }

  #endRevoked(signal: Extract<Signal, { kind: 'rights' }>): void {
    this.#ending = this.#ending
      .then(() => (this.#closed ? undefined : endRevokedRuns(signal, this.#deps)))
      .catch((error: unknown) => {
        // The refusal is then reported by the worker that resumes the runs, or to the user who decides on them.
        this.#deps.logger.error({ err: error }, 'runs without rights could not be ended')
      })
  }

  #scheduleCheck(): void {
    // A pending look will read everything that is stored so far.
    if (this.#isCheckScheduled) return
    this.#isCheckScheduled = true
    this.#checking = this.#checking
      .then(() => {
        this.#isCheckScheduled = false
        return this.#startQueuedRuns()
      })
      .catch((error: unknown) => this.#deps.logger.error({ err: error }, 'could not read the queue of runs'))
  }

  async #startQueuedRuns(): Promise<void> {
    if (this.#closed) return
    const candidates = await this.#deps.db
      .selectFrom('runs')
      .select(['id', 'document', 'invoked_by', 'agent', 'stop_requested', 'trigger_kind'])
      .where('status', 'in', ['queued', 'running'])
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    // An older run that has waited for approval doesn't start while another run of its lane is being executed.
    const busy = new Set(candidates.filter(({ id }) => this.#active.has(id)).map(laneOf))
    for (const candidate of candidates) {
      const active = this.#active.get(candidate.id)
      // The stop signal may have been missed; the row has the request.
      if (candidate.stop_requested) active?.controller.abort('stop' satisfies AbortReason)
      if (active) continue
      const isFree = !busy.has(laneOf(candidate))
      busy.add(laneOf(candidate))
      if (isFree && this.#hasPlaceFor(candidate)) await this.#startRun(candidate)
    }
  }

  #hasPlaceFor(candidate: Candidate): boolean {
    // `OutsideRuns` limits these runs when they begin; they mostly wait for their next call.
    if (isFromOutside(candidate)) return true
    const { document, invoked_by: person } = candidate
    const runs = [...this.#active.values()].map(({ run }) => run).filter((run) => !isFromOutside(run))
    return (
      runs.length < concurrentRuns.all &&
      runs.filter((run) => run.invoked_by === person).length < concurrentRuns.ofPerson &&
      runs.filter((run) => run.document === document).length < concurrentRuns.inDocument
    )
  }

  async #startRun(candidate: Candidate): Promise<void> {
    const { id } = candidate
    const run = await this.#claim(id).catch((error: unknown) => {
      // A run that can't be claimed must not block the others.
      this.#deps.logger.error({ err: error, run: id }, 'a run could not be claimed')
      return undefined
    })
    if (!run || this.#closed) return
    const controller = new AbortController()
    const done = executeRun(run, controller, this.#deps)
      .then(async () => {
        // The next attempt may be refused immediately for the same reason.
        if (controller.signal.reason === ('refused' satisfies AbortReason)) await sleep(retryMs)
      })
      .catch(async (error: unknown) => {
        this.#deps.logger.error({ err: error, run: id }, 'a run could not be executed; it will be retried')
        await sleep(retryMs)
      })
      .finally(() => {
        this.#active.delete(id)
        this.#scheduleCheck()
      })
    this.#active.set(id, { controller, done, run: candidate })
  }

  /** Raises the lease epoch: from now on the log refuses updates from earlier workers of this run. */
  async #claim(id: string): Promise<RunRow | undefined> {
    let claimed: RunRow | undefined
    await this.#deps.runs.show(id, async ({ trx }) => {
      claimed = await trx
        .updateTable('runs')
        .set((eb) => ({ status: 'running', epoch: eb('epoch', '+', 1), idle_claims: eb('idle_claims', '+', 1) }))
        .where('id', '=', id)
        .where('status', 'in', ['queued', 'running'])
        .returningAll()
        .executeTakeFirst()
      if (claimed?.epoch === 1) await recordAuditEvent(trx, startOf(claimed, this.#deps.now()))
    })
    return claimed
  }
}

/** The audit event of a run's first claim, with its caller. */
function startOf({ id, document, invoked_by, trigger_kind, mode, api_key }: RunRow, at: number): AuditEvent {
  return {
    at,
    actor: invoked_by,
    action: 'run-started',
    document,
    target: id,
    details: { trigger: trigger_kind, mode, ...(api_key === null ? {} : { key: api_key }) },
  }
}

/**
 * Runs with the same lane are executed one after the other: those of one user in one document. A user's requests to
 * different agents outside of the chat are independent and run concurrently.
 */
function laneOf({ id, document, invoked_by: person, agent, trigger_kind: kind }: Candidate): string {
  if (isFromOutside({ trigger_kind: kind })) return id
  return `${document} ${person} ${kind === 'chat' ? '' : (agent ?? '')}`
}
