import { localizable } from '@copydesk/tools/localizable'
import type { AgentHere, AgentTrigger, CreateAgent, NamedAgent, PatchAgent } from '@copydesk/protocol'
import { Cron } from 'croner'
import type { Kysely, Transaction } from 'kysely'
import { noSuch, RequestError } from '../common/errors.ts'
import type { AgentRow, Tables } from '../store/tables.ts'
import { findCallableAgents, toAgentHere, toNamedAgent, triggerColumns } from './agent-rows.ts'

export type AgentsDeps = { db: Kysely<Tables>; now: () => number; createId: () => string }

const agentsAtMost = 50

/** The named agents of the server, which operators create. */
export class Agents {
  readonly #deps: AgentsDeps
  constructor(deps: AgentsDeps) {
    this.#deps = deps
  }

  /** All agents by their handles. */
  async list(): Promise<NamedAgent[]> {
    const rows = await this.#existing().orderBy('handle').execute()
    return Promise.all(rows.map((row) => this.#show(row)))
  }

  /** An agent that was not deleted, by its id. */
  async find(id: string): Promise<AgentRow | undefined> {
    return this.#existing().where('id', '=', id).executeTakeFirst()
  }

  /** The agents that can be called in a document, and those that have worked there before. */
  async ofDocument(document: string): Promise<AgentHere[]> {
    const { db } = this.#deps
    const here = await findCallableAgents(db, document)
    const former = await db
      .selectFrom('agents')
      .selectAll()
      .where(
        'id',
        'in',
        db.selectFrom('runs').select('agent').where('document', '=', document).$narrowType<{ agent: string }>(),
      )
      .execute()
    const ids = new Set(here.map(({ id }) => id))
    return [
      ...here.map((row) => toAgentHere(row, true)),
      ...former.filter(({ id }) => !ids.has(id)).map((row) => toAgentHere(row, false)),
    ]
  }

  /**
   * Adds an agent; its triggers have the rights of the operator who adds them.
   * @throws RequestError `conflict` if the handle is taken or there are 50 agents, `invalid_input` for an invalid
   * schedule.
   */
  async create(given: CreateAgent, by: string): Promise<NamedAgent> {
    const { db, now, createId } = this.#deps
    const id = createId()
    await db.transaction().execute(async (trx) => {
      await requireFree(trx, given.handle, id)
      const { count } = await trx
        .selectFrom('agents')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      if (count >= agentsAtMost) {
        throw new RequestError('conflict', localizable`There are ${agentsAtMost} agents already.`, 'Delete one first.')
      }
      const values = { ...unlimited, ...columnsOf(given), handle: given.handle, name: given.name, color: given.color }
      const at = now()
      await trx
        .insertInto('agents')
        .values({ ...values, id, created_by: by, created_at: at, updated_at: at })
        .execute()
      await this.#setTriggers(trx, id, given.triggers ?? [], by)
    })
    return this.#shown(id)
  }

  /**
   * Changes an agent. A changed trigger has the rights of the operator who changed it. Enabling the agent resets the
   * failures of its triggers; disabling it drops its waiting events.
   * @throws RequestError `not_found`, or as `create`.
   */
  async change(id: string, given: PatchAgent, by: string): Promise<NamedAgent> {
    const { db, now } = this.#deps
    await db.transaction().execute(async (trx) => {
      if (given.handle !== undefined) await requireFree(trx, given.handle, id)
      const { numUpdatedRows } = await trx
        .updateTable('agents')
        .set({ ...columnsOf(given), updated_at: now() })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw noSuch('agent')
      if (given.triggers) await this.#setTriggers(trx, id, given.triggers, by)
      if (given.enabled === false) await dropEvents(trx, id)
      if (given.enabled === true) await this.#renewTriggers(trx, id)
    })
    return this.#shown(id)
  }

  /** Deletes an agent with its triggers. Its text keeps the agent's name and colour. @throws RequestError. */
  async delete(id: string): Promise<void> {
    const { db, now } = this.#deps
    await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('agents')
        .set({ deleted_at: now(), enabled: 0, instructions: '' })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw noSuch('agent')
      await dropEvents(trx, id)
      await trx.deleteFrom('agent_triggers').where('agent', '=', id).execute()
    })
  }

  async #setTriggers(trx: Transaction<Tables>, agent: string, triggers: readonly AgentTrigger[], owner: string) {
    const { createId } = this.#deps
    const before = await trx.selectFrom('agent_triggers').selectAll().where('agent', '=', agent).execute()
    const rows = triggers.map((trigger, position) => {
      const columns = triggerColumns(trigger)
      const known = before.find(({ id }) => id === trigger.id)
      const names = Object.keys(columns) as (keyof typeof columns)[]
      if (known && names.every((name) => known[name] === columns[name])) return { ...known, position }
      return { ...columns, id: known?.id ?? createId(), agent, position, owner, next_at: this.#firstTime(trigger) }
    })
    const kept = new Set(rows.map(({ id }) => id))
    const gone = before.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
    if (gone.length > 0) await trx.deleteFrom('agent_events').where('trigger', 'in', gone).execute()
    await trx.deleteFrom('agent_triggers').where('agent', '=', agent).execute()
    if (rows.length > 0) await trx.insertInto('agent_triggers').values(rows).execute()
  }

  /** Scheduled times that passed while the agent was off are skipped. */
  async #renewTriggers(trx: Transaction<Tables>, agent: string): Promise<void> {
    const rows = await trx.selectFrom('agent_triggers').selectAll().where('agent', '=', agent).execute()
    for (const { id, cron, zone } of rows) {
      const next_at = cron === null ? null : nextTime(cron, zone ?? 'UTC', this.#deps.now())
      await trx
        .updateTable('agent_triggers')
        .set({ failures: 0, problem: null, next_at })
        .where('id', '=', id)
        .execute()
    }
  }

  #firstTime(trigger: AgentTrigger): number | null {
    if (trigger.kind !== 'schedule') return null
    const next = nextTime(trigger.cron, trigger.zone, this.#deps.now())
    if (next !== null) return next
    const hint = 'Give five fields, such as 0 9 * * 1 for Mondays at nine, and a time zone such as Europe/Berlin.'
    throw new RequestError('invalid_input', 'This is no time at which an agent can begin.', hint)
  }

  async #shown(id: string): Promise<NamedAgent> {
    const row = await this.find(id)
    if (!row) throw noSuch('agent')
    return this.#show(row)
  }

  async #show(row: AgentRow): Promise<NamedAgent> {
    const { db } = this.#deps
    const triggers = await db
      .selectFrom('agent_triggers')
      .selectAll()
      .where('agent', '=', row.id)
      .orderBy('position')
      .execute()
    const last = await db
      .selectFrom('runs')
      .select(['document', 'created_at', 'status'])
      .where('agent', '=', row.id)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return toNamedAgent(row, triggers, last)
  }

  #existing() {
    return this.#deps.db.selectFrom('agents').selectAll().where('deleted_at', 'is', null)
  }
}

const unlimited = {
  description: '',
  picture: null,
  instructions: '',
  model: null,
  tools: null,
  mode: null,
  daily_tokens: null,
  max_rounds: null,
  folders: null,
  enabled: 1,
}

function columnsOf(given: PatchAgent) {
  const { dailyTokens, maxRounds, tools, folders, enabled, triggers: _, ...rest } = given
  const json = (list: readonly string[] | null) => (list === null ? null : JSON.stringify(list))
  return {
    ...rest,
    ...(dailyTokens === undefined ? {} : { daily_tokens: dailyTokens }),
    ...(maxRounds === undefined ? {} : { max_rounds: maxRounds }),
    ...(tools === undefined ? {} : { tools: json(tools) }),
    ...(folders === undefined ? {} : { folders: json(folders) }),
    ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
  }
}

async function requireFree(trx: Transaction<Tables>, handle: string, id: string): Promise<void> {
  const taken = await trx
    .selectFrom('agents')
    .select('id')
    .where('handle', '=', handle)
    .where('deleted_at', 'is', null)
    .where('id', '!=', id)
    .executeTakeFirst()
  if (taken)
    throw new RequestError('conflict', localizable`Another agent is called @${handle}.`, 'Choose another handle.')
}

async function dropEvents(trx: Transaction<Tables>, agent: string): Promise<void> {
  const own = trx.selectFrom('agent_triggers').select('id').where('agent', '=', agent)
  await trx.deleteFrom('agent_events').where('trigger', 'in', own).execute()
}

/**
 * The first time after `after` that matches a cron expression of five fields in a time zone, in milliseconds since
 * 1970; null if the expression or the zone is invalid, or if there is no such time.
 */
export function nextTime(cron: string, zone: string, after: number): number | null {
  // The library would also accept seconds, years and nicknames, which could start agents more often than intended.
  if (cron.trim().split(/\s+/).length !== 5) return null
  try {
    return new Cron(cron, { timezone: zone, paused: true, mode: '5-part' }).nextRun(new Date(after))?.getTime() ?? null
  } catch {
    return null
  }
}
