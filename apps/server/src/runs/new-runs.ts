import type { Access, AgentMode, Run, User } from '@copydesk/protocol'
import { localizable } from '@copydesk/tools/localizable'
import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Kysely,
  type RawBuilder,
  sql,
  type SqlBool,
  type Transaction,
} from 'kysely'
import { displayName, stricterMode, worksIn } from '../agents/agent-rows.ts'
import { RequestError } from '../common/errors.ts'
import type { Sender } from '../common/identity.ts'
import { toStatement } from '../store/sqlite/sqlite-dialect.ts'
import type { Statement } from '../store/sqlite/sqlite-protocol.ts'
import type { AgentRow, RunRow, Tables } from '../store/tables.ts'

/**
 * The credential with which a user calls the agent: their access to the document, and the id of the API key if a
 * program calls on their behalf.
 */
export type RunCredential = { access: Access; apiKey: string | null }

/** A run to start; `invokedBy` is the caller. */
export type NewRun = {
  document: string
  trigger: Run['trigger']
  instruction: string
  invokedBy: Pick<User, 'id' | 'name'>
  credential: RunCredential
  mode: AgentMode
  selection?: { anchor: string; head: string }
  /** The conversation of a chat message; by default the first conversation of the document. */
  conversation?: string
  /** Text by other people that the run is about: information, not a request. */
  context?: string
  /** The named agent of the run; undefined for the default agent. Its mode is an upper limit. */
  agent?: AgentRow | undefined
  /** Set for an outside agent. */
  outside?: { name: string; maxRounds: number; coordinates: string | null }
}

/** A mention that starts a run; `context` is the whole text of its block, if other people wrote parts of it. */
export type MentionedRun = {
  requestId: string
  instruction: string
  context: string | undefined
  /** The id of a named agent. */
  agent?: string | undefined
}

type NewRunDeps = { db: Kysely<Tables>; now: () => number; createId: () => string; maxRounds: Expression<number> }

export async function newRunRow(
  trx: Transaction<Tables>,
  id: string,
  run: NewRun,
  { now, maxRounds }: Pick<NewRunDeps, 'now' | 'maxRounds'>,
): Promise<RunRow> {
  return {
    id,
    document: run.document,
    status: 'queued',
    trigger_kind: run.trigger.kind,
    trigger_id: run.trigger.id,
    instruction: run.instruction,
    invoked_by: run.invokedBy.id,
    invoked_by_name: run.invokedBy.name,
    access_limit: run.credential.access,
    api_key: run.credential.apiKey,
    agent_name: run.outside?.name ?? (run.agent ? displayName(run.agent) : null),
    agent: run.agent?.id ?? null,
    agent_handle: run.agent?.handle ?? null,
    model: null,
    cost: null,
    context: run.context ?? null,
    conversation: run.conversation ?? null,
    mode: stricterMode(run.mode, run.agent?.mode ?? null),
    selection: run.selection ? JSON.stringify(run.selection) : null,
    rounds: 0,
    max_rounds: run.outside?.maxRounds ?? run.agent?.max_rounds ?? (await valueOf(maxRounds, trx)),
    input_tokens: 0,
    output_tokens: 0,
    answer: null,
    notice: null,
    error: null,
    epoch: 0,
    stop_requested: 0,
    coordinates: run.outside?.coordinates ?? null,
    used_ms: 0,
    idle_claims: 0,
    continued: 0,
    undone: 0,
    created_at: await nextTimestamp(trx, run.document, now()),
    ended_at: null,
  }
}

async function valueOf(expression: Expression<number>, trx: Transaction<Tables>): Promise<number> {
  const row = await trx.selectNoFrom(sql<number>`${expression}`.as('value')).executeTakeFirstOrThrow()
  return row.value
}

const mentionColumns = [
  'id',
  'document',
  'status',
  'trigger_kind',
  'trigger_id',
  'instruction',
  'invoked_by',
  'invoked_by_name',
  'access_limit',
  'api_key',
  'agent',
  'agent_name',
  'agent_handle',
  'context',
  'mode',
  'max_rounds',
  'created_at',
] as const

/** See `RunStore.mentionStatement`. */
export function insertMentionRun(
  { db, createId, now, maxRounds }: NewRunDeps,
  document: string,
  { requestId, instruction, context, agent }: MentionedRun,
  { actor, apiKey }: Pick<Sender, 'actor' | 'apiKey'>,
): Statement {
  const query = db
    .insertInto('runs')
    .columns(mentionColumns)
    .expression((eb) =>
      eb
        .selectFrom(['documents', 'people'])
        .leftJoin('agents', (join) => join.on('agents.id', '=', agent ?? null).on(worksIn(document)))
        .select((select) => [
          select.val(createId()).as('id'),
          'documents.id as document',
          select.val('queued').as('status'),
          select.val('mention').as('trigger_kind'),
          select.val(requestId).as('trigger_id'),
          select.val(instruction).as('instruction'),
          'people.id as invoked_by',
          'people.name as invoked_by_name',
          // The sender of a mention has write access.
          select.val('write').as('access_limit'),
          select.val(apiKey ?? null).as('api_key'),
          'agents.id as agent',
          sql<string | null>`coalesce(agents.picture || ' ', '') || agents.name`.as('agent_name'),
          'agents.handle as agent_handle',
          select.val(context ?? null).as('context'),
          stricterModeOf(select).as('mode'),
          sql<number>`coalesce(${select.ref('agents.max_rounds')}, ${maxRounds})`.as('max_rounds'),
          nextRunTimestamp(document, now()).as('created_at'),
        ])
        .where('documents.id', '=', document)
        .where('people.id', '=', actor)
        .$if(agent !== undefined, (named) => named.where('agents.id', 'is not', null))
        .where(hasRoomInQueue(actor))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('unstarted_mentions')
                .select('request_id')
                .where('unstarted_mentions.document', '=', document)
                .where('request_id', '=', requestId),
            ),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
  return toStatement(query.compile())
}

/** `stricterMode` of the document's mode and the agent's. */
function stricterModeOf(eb: ExpressionBuilder<Tables, 'documents' | 'agents'>) {
  const modes = sql<string>`${eb.ref('documents.agent_mode')} || ' ' || coalesce(${eb.ref('agents.mode')}, '')`
  return sql<AgentMode>`case when instr(${modes}, 'suggest') then 'suggest' when instr(${modes}, 'ask') then 'ask' else 'edit' end`
}

// Each run has a row, an entry in a room that every client of the document reads, and an entry in the queue that a
// worker reads repeatedly.
const waitingAtMost = 100

function waitingOf(person: string) {
  return expressionBuilder<Tables>()
    .selectFrom('runs as waiting')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('waiting.status', 'in', ['queued', 'running'])
    .where('waiting.invoked_by', '=', person)
}

/** Whether a user may start one more run, as a condition of a statement that is executed later. */
function hasRoomInQueue(person: string): Expression<SqlBool> {
  return expressionBuilder<Tables>()(waitingOf(person), '<', waitingAtMost)
}

/**
 * Requires that a user has fewer than a hundred unfinished runs.
 * @throws RequestError `rate_limited`.
 */
export async function requireRoomInQueue(trx: Transaction<Tables>, person: string): Promise<void> {
  const { found } = await trx.selectNoFrom(waitingOf(person).as('found')).executeTakeFirstOrThrow()
  if (Number(found) < waitingAtMost) return
  throw new RequestError(
    'rate_limited',
    localizable`The agent already has ${waitingAtMost} of your requests to work on.`,
    'Wait until some of them are done, or stop them.',
  )
}

/**
 * The creation time for a document's next run and its question: now, but later than all existing messages and runs.
 * Keeps lists in order within one millisecond and after the clock was set back.
 */
async function nextTimestamp(trx: Transaction<Tables>, document: string, now: number): Promise<number> {
  const times = await Promise.all(
    (['messages', 'runs'] as const).map((table) =>
      trx
        .selectFrom(table)
        .select('created_at')
        .where('document', '=', document)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst(),
    ),
  )
  return Math.max(now, ...times.map((newest) => (newest?.created_at ?? 0) + 1))
}

/** As `nextTimestamp` for a run, as part of a statement that is executed later. */
function nextRunTimestamp(document: string, now: number): RawBuilder<number> {
  return sql<number>`(select case when max(created_at) >= ${now} then max(created_at) + 1 else ${now} end from runs where document = ${document})`
}
