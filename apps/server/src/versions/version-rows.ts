import type { Version } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { findAuthors, findRuns } from '../authorship/names-in-text.ts'
import { inParts } from '../review/review-rows.ts'
import type { Tables, VersionRow } from '../store/tables.ts'

const Writers = z.array(z.string())

/** The actors that wrote since the previous version. */
export function writersOf(row: Pick<VersionRow, 'writers'>): string[] {
  return Writers.parse(JSON.parse(row.writers))
}

/** Merges lists of actors, each actor once, in the order of first appearance. */
export function joinWriters(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())]
}

/** Rows as protocol versions, with the names of users, runs and restored versions. */
export async function toVersions(db: Kysely<Tables>, rows: readonly VersionRow[]): Promise<Version[]> {
  const nameOf = await findAuthors(
    db,
    rows.flatMap((row) => [row.created_by, ...writersOf(row)]),
  )
  const runs = await findRuns(
    db,
    rows.flatMap(({ run }) => run ?? []),
  )
  const restored = await findRestored(db, [...new Set(rows.flatMap(({ restored: id }) => id ?? []))])
  return rows.map((row) => {
    const { id, name, kind } = nameOf(row.created_by)
    const run = row.run === null ? undefined : runs.get(row.run)
    const source = row.restored === null ? undefined : restored.get(row.restored)
    return {
      id: row.id,
      name: row.name,
      kind: row.kind,
      author: { id, name, kind },
      writers: writersOf(row).map(nameOf),
      ...(run ? { run } : {}),
      ...(source ? { restored: source } : {}),
      createdAt: new Date(row.at).toISOString(),
    }
  })
}

async function findRestored(db: Kysely<Tables>, ids: readonly string[]) {
  const found = new Map<string, { id: string; name: string | null; createdAt: string }>()
  for (const part of inParts(ids)) {
    const rows = await db.selectFrom('versions').select(['id', 'name', 'at']).where('id', 'in', part).execute()
    for (const { id, name, at } of rows) found.set(id, { id, name, createdAt: new Date(at).toISOString() })
  }
  return found
}
