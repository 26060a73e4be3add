import {
  type AgentHere,
  type AgentMode,
  type AgentTrigger,
  Localizable,
  type NamedAgent,
  type SetTrigger,
} from '@copydesk/protocol'
import { inEnglish } from '@copydesk/tools/localizable'
import { type Expression, expressionBuilder, type Kysely, sql, type SqlBool } from 'kysely'
import { parseJson } from '../common/parse-json.ts'
import { iso, isoOrNull } from '../common/time.ts'
import type { AgentRow, AgentTriggerRow, Tables } from '../store/tables.ts'

/** The named agents that can be called in a document: active ones that may work in one of its folders. */
export async function findCallableAgents(db: Kysely<Tables>, document: string): Promise<AgentRow[]> {
  return db.selectFrom('agents').selectAll().where(worksIn(document)).orderBy('handle').execute()
}

/** An agent that may work in the document now; undefined otherwise. */
export async function findCallableAgent(
  db: Kysely<Tables>,
  id: string,
  document: string,
): Promise<AgentRow | undefined> {
  return db.selectFrom('agents').selectAll().where('id', '=', id).where(worksIn(document)).executeTakeFirst()
}

/** Whether the agent of a row can be called in a document, as a condition of a statement on `agents`. */
export function worksIn(document: string): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'agents'>()
  const isInFolder = sql<SqlBool>`exists (
    ${around(document)} select 1 from around join json_each(agents.folders) as chosen on chosen.value = around.id
  )`
  return eb.and([
    eb('agents.enabled', '=', 1),
    eb('agents.deleted_at', 'is', null),
    eb.or([eb('agents.folders', 'is', null), isInFolder]),
  ])
}

/** Whether a document is in a folder or one of its subfolders. */
export async function isInside(db: Kysely<Tables>, document: string, folder: string): Promise<boolean> {
  const { rows } = await sql`${around(document)} select 1 from around where id = ${folder}`.execute(db)
  return rows.length > 0
}

/** The folders that contain a document, independently of inherited access. */
function around(document: string) {
  return sql`with recursive around(id) as (
    select folder from documents where id = ${document}
    union select folders.parent from folders join around on folders.id = around.id
  )`
}

/** The modes of agents, the strictest first. */
const strictness: readonly AgentMode[] = ['suggest', 'ask', 'edit']

/** The stricter of two modes: an agent is never freer than its document. */
export function stricterMode(mode: AgentMode, limit: AgentMode | null): AgentMode {
  return strictness.find((each) => each === mode || each === limit) ?? mode
}

/** An agent's name as shown to people, after its picture. */
export function displayName({ name, picture }: Pick<AgentRow, 'name' | 'picture'>): string {
  return picture === null ? name : `${picture} ${name}`
}

/** The agent of a row, as shown to the people of a document. */
export function toAgentHere(row: AgentRow, isHere: boolean): AgentHere {
  const { id, handle, description, color } = row
  return { id, handle, name: displayName(row), description, color, isHere }
}

/** An agent's rows as a protocol `NamedAgent`. */
export function toNamedAgent(
  row: AgentRow,
  triggers: readonly AgentTriggerRow[],
  last: { document: string; created_at: number; status: string } | undefined,
): NamedAgent {
  const { id, handle, name, description, color, picture } = row
  return {
    id,
    handle,
    name,
    description,
    color,
    picture,
    instructions: row.instructions,
    model: row.model,
    tools: toList(row.tools),
    mode: row.mode,
    dailyTokens: row.daily_tokens,
    maxRounds: row.max_rounds,
    folders: toList(row.folders),
    enabled: row.enabled === 1,
    triggers: triggers.map(toTrigger),
    lastRun: last ? { document: last.document, at: iso(last.created_at), status: last.status } : null,
    createdAt: iso(row.created_at),
  }
}

/** A list stored as JSON; null means no restriction. */
export function toList(json: string | null): string[] | null {
  return json === null ? null : (JSON.parse(json) as string[])
}

function toTrigger(row: AgentTriggerRow): SetTrigger {
  const { id, instruction, owner } = row
  const times = { lastAt: isoOrNull(row.last_at), nextAt: isoOrNull(row.next_at) }
  const shown = { id, instruction, owner, ...times, ...problemOf(row) }
  if (row.kind !== 'schedule') return { ...shown, kind: row.kind, folder: row.folder }
  return { ...shown, kind: 'schedule', document: row.document ?? '', cron: row.cron ?? '', zone: row.zone ?? 'UTC' }
}

function problemOf({ problem }: AgentTriggerRow): Pick<SetTrigger, 'problem' | 'localizable'> {
  const text = Localizable.safeParse(parseJson(problem ?? '')).data
  return text === undefined ? { problem } : { problem: inEnglish(text), localizable: text }
}

/** The columns of a trigger as configured by an operator. */
export function triggerColumns(trigger: AgentTrigger) {
  const { kind, instruction } = trigger
  if (trigger.kind === 'schedule') {
    const { document, cron, zone } = trigger
    return { kind, instruction, document, folder: null, cron, zone }
  }
  return { kind, instruction, document: null, folder: trigger.folder, cron: null, zone: null }
}
