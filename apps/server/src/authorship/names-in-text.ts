import type { AuthorInText, RunInText } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { agentIdentity } from '../common/identity.ts'
import { displayName } from '../agents/agent-rows.ts'
import { inParts } from '../review/review-rows.ts'
import type { Tables } from '../store/tables.ts'

/**
 * Returns a function that resolves the actors in `ids`: an agent, a user under their current name, or an unknown user.
 */
export async function findAuthors(db: Kysely<Tables>, ids: readonly string[]): Promise<(id: string) => AuthorInText> {
  const people = new Map<string, AuthorInText>()
  for (const part of inParts([...new Set(ids)])) {
    const rows = await db.selectFrom('people').select(['id', 'name', 'color']).where('id', 'in', part).execute()
    for (const row of rows) people.set(row.id, { ...row, kind: 'person' })
  }
  const agents = await db.selectFrom('agents').select(['id', 'name', 'picture', 'color']).execute()
  for (const row of agents) people.set(row.id, { id: row.id, name: displayName(row), color: row.color, kind: 'agent' })
  const { id: agent, name } = agentIdentity
  return (id) => {
    if (id === agent) return { id, name, kind: 'agent' }
    return people.get(id) ?? { id, name: 'Unknown person', kind: 'person' }
  }
}

/** The ids of the named agents that executed runs, by the runs' ids. */
export async function findAgentsOf(db: Kysely<Tables>, runs: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const part of inParts([...new Set(runs)])) {
    const rows = await db
      .selectFrom('runs')
      .select(['id', 'agent'])
      .where('id', 'in', part)
      .where('agent', 'is not', null)
      .$narrowType<{ agent: string }>()
      .execute()
    for (const { id, agent } of rows) found.set(id, agent)
  }
  return found
}

/** The instructions of runs, with their callers, times and the names of agents of other programs, by run id. */
export async function findRuns(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, RunInText>> {
  const found = new Map<string, RunInText>()
  for (const part of inParts([...new Set(ids)])) {
    const rows = await db
      .selectFrom('runs')
      .select(['id', 'instruction', 'invoked_by', 'invoked_by_name', 'agent_name', 'created_at'])
      .where('id', 'in', part)
      .execute()
    for (const { id, instruction, invoked_by, invoked_by_name, agent_name: agentName, created_at } of rows) {
      const invokedBy = { id: invoked_by, name: invoked_by_name, kind: 'person' as const }
      const createdAt = new Date(created_at).toISOString()
      found.set(id, { id, instruction, invokedBy, createdAt, ...(agentName === null ? {} : { agentName }) })
    }
  }
  return found
}
