import { type AgentMode, type Access, isFinal, type RunStatus, type User } from '@copydesk/protocol'
import { roomName } from '@copydesk/schema'
import { type Kysely, sql } from 'kysely'
import { RequestError } from '../common/errors.ts'
import { agentIdentity } from '../common/identity.ts'
import type { Signals } from '../common/signals.ts'
import type { DocumentTransactions } from '../store/log/document-transactions.ts'
import type { RunRow, Tables } from '../store/tables.ts'
import type { RunStore } from './run-store.ts'

/**
 * An agent of another program: the person for whom it works and the API key with which it calls, if any. `name` is its
 * name as shown to people.
 */
export type OutsideAgent = { user: Pick<User, 'id' | 'name'>; apiKey: string | null; name: string }

/** The target of an outside agent's calls: a document, the upper limit of its access, and the mode of its changes. */
export type OutsidePlace = { document: string; access: Access; mode: AgentMode }

/** A call of a tool. `begins`: the agent explicitly starts work, also after it was stopped. */
export type OutsideCall = { tool: string; arguments: Record<string, unknown>; begins?: boolean }

/** The state of a call. `ended`: its run has ended without a result; `taken` if the call may have been executed. */
export type CallState =
  | { kind: 'done'; text: string; isError: boolean }
  | { kind: 'waiting'; isHeld: boolean; runWaits: boolean }
  | { kind: 'ended'; status: RunStatus; taken: boolean; error: string | undefined }

/** The maximum number of calls in one run: the room that every client reads contains all steps. */
export const callsOfRun = 100

/** The call that ends an agent's run in a document. */
export const closingTool = 'close_document'

/** Whether the calls of a run are made by an agent of another program. */
export function isFromOutside({ trigger_kind }: Pick<RunRow, 'trigger_kind'>): boolean {
  return trigger_kind === 'api'
}

const openAtMost = { ofKey: 8, ofPerson: 16, all: 64 }
const waitingAtMost = 20
// Twice the size of the longest insertion.
const argumentsAtMost = 400_000

type OutsideRunsDeps = {
  db: Kysely<Tables>
  writer: DocumentTransactions
  runs: RunStore
  signals: Signals
  now: () => number
  createId: () => string
}

/**
 * Runs of outside agents. A call is a row of the agent's open run in the document; the worker that executes the run
 * takes the rows in order and stores the results as for every run.
 */
export class OutsideRuns {
  readonly #deps: OutsideRunsDeps
  constructor(deps: OutsideRunsDeps) {
    this.#deps = deps
  }

  /** The agent's unfinished run in the document. */
  async find(agent: OutsideAgent, document: string): Promise<RunRow | undefined> {
    const run = await this.#latest(agent, document)
    return run?.ended_at === null ? run : undefined
  }

  /**
   * Adds a call to the agent's run in the document, and starts a run if there is none.
   * @throws RequestError `conflict` if a person has stopped the agent, `too_large` or `rate_limited` over a limit.
   */
  async call(agent: OutsideAgent, place: OutsidePlace, call: OutsideCall): Promise<{ run: string; call: string }> {
    const { createId, signals } = this.#deps
    if (JSON.stringify(call.arguments).length > argumentsAtMost) throw tooLarge()
    const run = (await this.#openRun(agent, place)) ?? (await this.#begin(agent, place, call))
    const id = createId()
    await this.#store(run, id, call)
    signals.publish({ kind: 'run-called', run })
    return { run, call: id }
  }

  /** The agent's run in the document that contains a call. */
  async runOf({ user, apiKey }: OutsideAgent, document: string, call: string): Promise<string | undefined> {
    const made = await this.#deps.db
      .selectFrom('run_calls')
      .innerJoin('runs', 'runs.id', 'run_calls.run')
      .select('runs.id')
      .where('run_calls.id', '=', call)
      .where('runs.document', '=', document)
      .where('runs.invoked_by', '=', user.id)
      .where('runs.api_key', apiKey === null ? 'is' : '=', apiKey)
      .executeTakeFirst()
    return made?.id
  }

  /** The current state of a call. */
  async stateOf(run: string, call: string): Promise<CallState> {
    const { db, runs } = this.#deps
    // The run is read before its results: if it has ended by then, all of them are stored.
    const row = await runs.findRow(run)
    const step = await db
      .selectFrom('run_steps')
      .select('status')
      .where('run', '=', run)
      .where('id', '=', call)
      .executeTakeFirst()
    if (step && step.status !== 'running' && step.status !== 'awaiting_approval') {
      const transcript = await runs.transcript(run)
      const result = transcript.find((message) => message.role === 'tool' && message.callId === call)
      if (result?.role === 'tool') return { kind: 'done', text: result.text, isError: result.isError }
    }
    const status = (row?.status ?? 'failed') as RunStatus
    if (!isFinal(status)) {
      return { kind: 'waiting', isHeld: step?.status === 'awaiting_approval', runWaits: status === 'awaiting_approval' }
    }
    const error = row?.error ? (JSON.parse(row.error) as { message: string }).message : undefined
    return { kind: 'ended', status, taken: step !== undefined, error }
  }

  /** The state of a call when it has a result or its run has ended, or when the signal is aborted. */
  async settled(
    { run, call }: { run: string; call: string },
    document: string,
    signal: AbortSignal,
  ): Promise<CallState> {
    const done = Promise.withResolvers<CallState>()
    const look = (): void => {
      this.stateOf(run, call).then((state) => {
        if (state.kind !== 'waiting' || signal.aborted) done.resolve(state)
      }, done.reject)
    }
    const room = roomName(document)
    const unsubscribe = this.#deps.signals.subscribe((each) => {
      if (each.kind === 'log' && each.name === room) look()
    })
    signal.addEventListener('abort', look)
    try {
      look()
      return await done.promise
    } finally {
      unsubscribe()
      signal.removeEventListener('abort', look)
    }
  }

  /** The agent's open run if it may continue under the document's mode. Ends a run with another mode. */
  async #openRun(agent: OutsideAgent, place: OutsidePlace): Promise<string | undefined> {
    const run = await this.find(agent, place.document)
    if (!run || run.stop_requested === 1) return undefined
    // A change that waits for approval stays open after a change of mode.
    if (run.mode === place.mode || run.status === 'awaiting_approval') return run.id
    await this.#store(run.id, this.#deps.createId(), { tool: closingTool, arguments: {} })
    this.#deps.signals.publish({ kind: 'run-called', run: run.id })
    return undefined
  }

  async #begin(agent: OutsideAgent, place: OutsidePlace, { begins = false }: OutsideCall): Promise<string> {
    const { writer, runs, createId, signals } = this.#deps
    const { document, access, mode } = place
    let isNew = false
    const run = await writer.write(roomName(document), { actor: agentIdentity.id }, async (scope) => {
      const last = await this.#latest(agent, document, scope.trx)
      // Another call of the agent may have started a run meanwhile.
      if (last?.ended_at === null && last.mode === mode && last.stop_requested === 0) return last.id
      const isStopped = last?.status === 'stopped' || last?.stop_requested === 1
      if (isStopped && !begins) throw stoppedByPerson()
      await requireRoom(agent, scope.trx)
      isNew = true
      const started = await runs.startIn(scope, {
        document,
        trigger: { kind: 'api', id: createId() },
        instruction: agent.name,
        invokedBy: agent.user,
        credential: { access, apiKey: agent.apiKey },
        mode,
        // The block numbers that the agent already knows stay valid.
        outside: { name: agent.name, maxRounds: callsOfRun + 1, coordinates: last?.coordinates ?? null },
      })
      return started.id
    })
    if (isNew) signals.publish({ kind: 'run-queued', run })
    return run
  }

  async #latest(
    { user, apiKey }: OutsideAgent,
    document: string,
    db: Kysely<Tables> = this.#deps.db,
  ): Promise<RunRow | undefined> {
    return db
      .selectFrom('runs')
      .selectAll()
      .where('document', '=', document)
      .where('trigger_kind', '=', 'api')
      .where('invoked_by', '=', user.id)
      .where('api_key', apiKey === null ? 'is' : '=', apiKey)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  }

  async #store(run: string, id: string, call: OutsideCall): Promise<void> {
    const { db, now } = this.#deps
    const made = sql`(select count(*) from run_calls where run = ${run})`
    const taken = sql`(select count(*) from run_steps where run = ${run})`
    const { numAffectedRows: stored } = await sql`
      insert into run_calls (run, position, id, tool, arguments, at)
      select ${run}, ${made}, ${id}, ${call.tool}, ${JSON.stringify(call.arguments)}, ${now()}
      where ${made} < ${taken} + ${waitingAtMost}
    `.execute(db)
    if (stored === 0n) throw tooMany(`${waitingAtMost} of your calls wait in this document.`, 'Wait for their results.')
  }
}

async function requireRoom({ user, apiKey }: OutsideAgent, db: Kysely<Tables>): Promise<void> {
  const open = await db
    .selectFrom('runs')
    .select(['invoked_by', 'api_key'])
    .where('status', 'in', ['queued', 'running', 'awaiting_approval'])
    .where('trigger_kind', '=', 'api')
    .execute()
  const own = open.filter(({ invoked_by: person }) => person === user.id)
  const ofKey = own.filter(({ api_key: key }) => key === apiKey)
  const hint = 'Close documents that you no longer need with close_document.'
  if (ofKey.length >= openAtMost.ofKey) throw tooMany(`You have ${openAtMost.ofKey} documents open, the maximum.`, hint)
  if (own.length >= openAtMost.ofPerson) {
    throw tooMany(`The agents of ${user.name} have ${openAtMost.ofPerson} documents open, the maximum.`, hint)
  }
  if (open.length >= openAtMost.all) throw tooMany('Too many agents work on this server.', 'Try again in some minutes.')
}

function tooMany(message: string, hint: string): RequestError {
  return new RequestError('rate_limited', message, hint)
}

function tooLarge(): RequestError {
  const message = `The arguments of a call have at most ${argumentsAtMost} characters.`
  return new RequestError('too_large', message, 'Write long texts in several calls.')
}

function stoppedByPerson(): RequestError {
  return new RequestError(
    'conflict',
    'A person has stopped you in this document.',
    'Do not go on by yourself: ask the person for whom you work, and call open_document if they want you to.',
  )
}
