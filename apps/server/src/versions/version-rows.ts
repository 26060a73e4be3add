import type { Author, AuthorInText, RunInText, Version } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { agentIdentity } from '../collaboration/identity.ts'
import { inParts } from '../review/review-rows.ts'
import type { Tables, VersionRow } from '../store/tables.ts'

const Writers = z.array(z.string())

/** Whoever writes on the server's own account; no author of anything. */
export const serverActor = 'server'

/** The actors that wrote since the version before. */
export function writersOf(row: Pick<VersionRow, 'writers'>): string[] {
  return Writers.parse(JSON.parse(row.writers))
}

/** Several lists of actors as one, each once, in the order of their first appearance. */
export function joinWriters(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())]
}

/** Rows as protocol versions, with the names of people, runs and restored versions. */
export async function toVersions(db: Kysely<Tables>, rows: readonly VersionRow[]): Promise<Version[]> {
  const people = await findPeople(db, [...new Set(rows.flatMap((row) => [row.created_by, ...writersOf(row)]))])
  const runs = await findRuns(db, [...new Set(rows.flatMap(({ run }) => run ?? []))])
  const restored = await findRestored(db, [...new Set(rows.flatMap(({ restored: id }) => id ?? []))])
  return rows.map((row) => {
    const run = row.run === null ? undefined : runs.get(row.run)
    const source = row.restored === null ? undefined : restored.get(row.restored)
    return {
      id: row.id,
      name: row.name,
      kind: row.kind,
      author: toAuthor(nameOf(row.created_by, people)),
      writers: writersOf(row).map((id) => nameOf(id, people)),
      ...(run ? { run } : {}),
      ...(source ? { restored: source } : {}),
      createdAt: new Date(row.at).toISOString(),
    }
  })
}

function toAuthor({ id, name, kind }: AuthorInText): Author {
  return { id, name, kind }
}

function nameOf(id: string, people: ReadonlyMap<string, AuthorInText>): AuthorInText {
  if (id === agentIdentity.id) return { id, name: agentIdentity.name, kind: 'agent' }
  return people.get(id) ?? { id, name: 'Somebody', kind: 'person' }
}

async function findPeople(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, AuthorInText>> {
  const people = new Map<string, AuthorInText>()
  for (const part of inParts(ids)) {
    const rows = await db.selectFrom('people').select(['id', 'name', 'color']).where('id', 'in', part).execute()
    for (const row of rows) people.set(row.id, { ...row, kind: 'person' })
  }
  return people
}

async function findRuns(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, RunInText>> {
  const found = new Map<string, RunInText>()
  for (const part of inParts(ids)) {
    const rows = await db
      .selectFrom('runs')
      .select(['id', 'instruction', 'invoked_by', 'invoked_by_name', 'created_at'])
      .where('id', 'in', part)
      .execute()
    for (const { id, instruction, invoked_by, invoked_by_name, created_at } of rows) {
      const invokedBy = { id: invoked_by, name: invoked_by_name, kind: 'person' as const }
      found.set(id, { id, instruction, invokedBy, createdAt: new Date(created_at).toISOString() })
    }
  }
  return found
}

async function findRestored(db: Kysely<Tables>, ids: readonly string[]) {
  const found = new Map<string, { id: string; name: string | null; createdAt: string }>()
  for (const part of inParts(ids)) {
    const rows = await db.selectFrom('versions').select(['id', 'name', 'at']).where('id', 'in', part).execute()
    for (const { id, name, at } of rows) found.set(id, { id, name, createdAt: new Date(at).toISOString() })
  }
  return found
}
