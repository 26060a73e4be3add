import type { Access, AgentMode, User } from '@copydesk/protocol'
import { contentName, roomName } from '@copydesk/schema'
import type { Kysely, Transaction } from 'kysely'
import { findCallableAgent, isInside } from '../agents/agent-rows.ts'
import { nextTime } from '../agents/agents.ts'
import type { People } from '../auth/people.ts'
import { type ErrorText, RequestError } from '../common/errors.ts'
import { allows } from '../common/identity.ts'
import type { Signals } from '../common/signals.ts'
import { Repetition } from '../common/repetition.ts'
import { selectionOf } from '../review/threads/quoted-text.ts'
import type { FindAccess } from '../rights/access.ts'
import type { NewRun } from '../runs/new-runs.ts'
import type { RunStore } from '../runs/run-store.ts'
import type { DocumentTransactions, WriteManyScope } from '../store/log/document-transactions.ts'
import type { AgentRow, AgentTriggerRow, Tables } from '../store/tables.ts'

export type AgentStarterDeps = {
  db: Kysely<Tables>
  writer: DocumentTransactions
  runs: RunStore
  people: Pick<People, 'find'>
  access: FindAccess
  signals: Signals
  now: () => number
  onError: (error: unknown) => void
}

/** The cause of a triggered run: its due time, or the waiting event. */
type StartEvent = { document: string; key: string; comment?: string | undefined }

/** The agent to start, and the person for whom it works with their access. */
type Start = { agent: AgentRow; owner: User; access: Access }

/**
 * The reason for not starting an agent. `skip`: the event isn't for this agent; `wait`: later; `problem`: for
 * operators.
 */
type Refused = { skip: true } | { wait: true } | { problem: string }

type RunProblem = { message: string; localizable?: ErrorText }

const everyMs = 1000
const hourMs = 3_600_000
/** The maximum number of an agent's runs in the last hour, including requested ones, for another triggered run. */
const runsInHour = 60
const tooMany = 'It had 60 runs in the last hour, the maximum. It goes on later.'
// The pause after a failure doubles up to a day.
const pauseMs = { first: 60_000, longest: 24 * hourMs }
// An event that fails to start a run this often is dropped, and the next one is tried.
const attemptsAtMost = 5

/**
 * Starts agents that are due by schedule or have a waiting event. The run's row, the next due time and the end of the
 * event are stored in one transaction, so that two processes start one run. If several scheduled times passed while the
 * server was down, one run is started. A trigger has one run at a time.
 */
export class AgentStarter extends Repetition {
  readonly #deps: AgentStarterDeps

  constructor(deps: AgentStarterDeps) {
    super({ every: everyMs, longest: everyMs, work: () => this.startDue(), onError: deps.onError })
    this.#deps = deps
  }

  /** Starts all due runs, at most one for each trigger. */
  async startDue(): Promise<void> {
    for (const trigger of await this.#due()) {
      if (this.signal.aborted) return
      if (await this.#finishPreviousRun(trigger)) await this.#begin(trigger)
    }
  }

  #due(): Promise<AgentTriggerRow[]> {
    const { db, now } = this.#deps
    return db
      .selectFrom('agent_triggers')
      .innerJoin('agents', 'agents.id', 'agent_triggers.agent')
      .selectAll('agent_triggers')
      .where('agents.enabled', '=', 1)
      .where((eb) =>
        eb.or([
          eb('last_run', 'is not', null),
          eb('next_at', '<=', now()),
          eb.and([
            eb('next_at', 'is', null),
            eb.exists(eb.selectFrom('agent_events').select('seq').whereRef('trigger', '=', 'agent_triggers.id')),
          ]),
        ]),
      )
      .execute()
  }

  /** Records how the latest run of a trigger has ended. False if it is still running, or if the trigger has to wait. */
  async #finishPreviousRun(trigger: AgentTriggerRow): Promise<boolean> {
    const { db, now, runs } = this.#deps
    if (trigger.last_run !== null) {
      const run = await runs.findRow(trigger.last_run)
      // A run that waits for approval may wait for days.
      if (run?.status === 'queued' || run?.status === 'running') return false
      if (run?.status === 'failed') {
        const { message, localizable } = JSON.parse(run.error ?? '{"message":""}') as RunProblem
        await this.#fail(trigger, localizable ?? message)
        return false
      }
      const changed = { last_run: null, failures: 0, problem: null }
      await db.updateTable('agent_triggers').set(changed).where('id', '=', trigger.id).execute()
    }
    return trigger.next_at === null ? trigger.cron === null : trigger.next_at <= now()
  }

  async #begin(trigger: AgentTriggerRow): Promise<void> {
    const event = await this.#nextEvent(trigger)
    if (!event) return
    const start = await this.#mayStart(trigger, event)
    if ('skip' in start) return this.#drop(trigger, event)
    if ('wait' in start) return
    if ('problem' in start) return this.#fail(trigger, start.problem)
    try {
      const run = await this.#store(trigger, event, start)
      if (run !== undefined) this.#deps.signals.publish({ kind: 'run-queued', run })
    } catch (error) {
      if (!(error instanceof RequestError)) this.#deps.onError(error)
      await this.#fail(trigger, error instanceof RequestError ? error.text : 'Something went wrong on the server.')
    }
  }

  async #nextEvent({ id, document, next_at }: AgentTriggerRow): Promise<StartEvent | undefined> {
    if (document !== null) return { document, key: `${id}/${next_at}` }
    const event = await this.#deps.db
      .selectFrom('agent_events')
      .selectAll()
      .where('trigger', '=', id)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst()
    if (!event) return undefined
    const comment = event.source === event.document ? undefined : event.source
    return { document: event.document, key: `${id}/${event.seq}`, comment }
  }

  async #mayStart(trigger: AgentTriggerRow, { document }: StartEvent): Promise<Start | Refused> {
    const { db, people, access: find, now } = this.#deps
    const isEvent = trigger.cron === null
    const refuse = (problem: string): Refused => (isEvent ? { skip: true } : { problem })
    const agent = await findCallableAgent(db, trigger.agent, document)
    if (!agent) return refuse('It may not work in the folder of this document.')
    if (trigger.folder !== null && !(await isInside(db, document, trigger.folder))) return { skip: true }
    const owner = await people.find(trigger.owner)
    if (!owner) return { problem: 'The account of the operator who set this up is closed.' }
    const access = await find({ kind: 'person', user: owner }, document)
    if (!access || !allows(access, 'comment'))
      return refuse('The operator who set this up may not call an agent in this document.')
    const { count } = await db
      .selectFrom('runs')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('agent', '=', agent.id)
      .where('created_at', '>', now() - hourMs)
      .executeTakeFirstOrThrow()
    if (count < runsInHour) return { agent, owner, access }
    await this.#setProblem(trigger, tooMany)
    return { wait: true }
  }

  /** Stores the run, unless another process has already started it. */
  #store(trigger: AgentTriggerRow, event: StartEvent, start: Start): Promise<string | undefined> {
    const { writer, runs, now } = this.#deps
    const { document, comment } = event
    const names = [roomName(document), ...(comment === undefined ? [] : [contentName(document)])]
    return writer.writeMany(names, { actor: start.owner.id }, async (scope) => {
      const { trx } = scope
      if (!(await this.#consumeEvent(trx, trigger, event))) return undefined
      const run = await describeRun(scope, trigger, event, start)
      const doc = scope.docs.get(roomName(document))
      if (!run || !doc) return undefined
      const { id } = await runs.startIn({ doc, trx }, run)
      const changed = { last_run: id, last_at: now(), problem: null }
      await trx.updateTable('agent_triggers').set(changed).where('id', '=', trigger.id).execute()
      return id
    })
  }

  async #consumeEvent(trx: Transaction<Tables>, { id, cron, zone, next_at }: AgentTriggerRow, { key }: StartEvent) {
    if (cron === null) {
      const seq = Number(key.slice(id.length + 1))
      const { numDeletedRows } = await trx.deleteFrom('agent_events').where('seq', '=', seq).executeTakeFirst()
      return numDeletedRows > 0n
    }
    const { numUpdatedRows } = await trx
      .updateTable('agent_triggers')
      .set({ next_at: nextTime(cron, zone ?? 'UTC', this.#deps.now()) })
      .where('id', '=', id)
      .where('next_at', '=', next_at)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async #fail(trigger: AgentTriggerRow, text: ErrorText): Promise<void> {
    const { db, now } = this.#deps
    const problem = typeof text === 'string' ? text : JSON.stringify(text)
    const { id, cron, zone } = trigger
    const failures = trigger.failures + 1
    const until = now() + Math.min(pauseMs.first * 2 ** trigger.failures, pauseMs.longest)
    const next_at = cron === null ? until : nextTime(cron, zone ?? 'UTC', until)
    await db
      .updateTable('agent_triggers')
      .set({ failures, problem, next_at, last_run: null })
      .where('id', '=', id)
      .execute()
    if (failures % attemptsAtMost > 0 || trigger.last_run !== null) return
    const event = cron === null ? await this.#nextEvent(trigger) : undefined
    if (event) await this.#drop(trigger, event)
  }

  async #drop(trigger: AgentTriggerRow, event: StartEvent): Promise<void> {
    await this.#deps.db.transaction().execute((trx) => this.#consumeEvent(trx, trigger, event))
  }

  async #setProblem({ id, problem: said }: AgentTriggerRow, problem: string): Promise<void> {
    if (said !== problem)
      await this.#deps.db.updateTable('agent_triggers').set({ problem }).where('id', '=', id).execute()
  }
}

/** The run that a trigger starts; undefined if its comment was deleted. */
async function describeRun(
  { docs, trx }: WriteManyScope,
  { kind, instruction }: AgentTriggerRow,
  { document, key, comment: id }: StartEvent,
  { agent, owner, access }: Start,
): Promise<NewRun | undefined> {
  const run = {
    document,
    instruction,
    invokedBy: owner,
    credential: { access, apiKey: null },
    mode: allows(access, 'write') ? await modeOf(trx, document) : ('suggest' as const),
    agent,
  }
  if (kind !== 'comment' || id === undefined) return { ...run, trigger: { kind, id: key } }
  const comment = await trx
    .selectFrom('comments')
    .select(['thread', 'text', 'author_name'])
    .where('document', '=', document)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!comment) return undefined
  const selection = selectionOf(docs.get(contentName(document)), comment.thread)
  return {
    ...run,
    trigger: { kind: 'comment', id },
    context: `${comment.author_name}: ${comment.text}`,
    ...(selection ? { selection } : {}),
  }
}

async function modeOf(trx: Transaction<Tables>, document: string): Promise<AgentMode> {
  const row = await trx.selectFrom('documents').select('agent_mode').where('id', '=', document).executeTakeFirst()
  return row?.agent_mode ?? 'edit'
}
