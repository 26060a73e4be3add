import type { Kysely } from 'kysely'
import type { Roles } from '../rights/roles.ts'
import { shownTitle } from '../store/first-words.ts'
import type { Tables } from '../store/tables.ts'

/**
 * The titles, by id, of those of the documents that are shared with a person. What lists documents for operators adds
 * these and no others: a document that isn't shared with an operator stays an id.
 */
export async function readableTitles(
  { db, roles }: { db: Kysely<Tables>; roles: Roles },
  person: string,
  documents: readonly (string | null)[],
): Promise<Record<string, string>> {
  const ids = [...new Set(documents.filter((id) => id !== null))]
  const readable = [...(await roles.rolesIn('document', person, ids)).keys()]
  if (readable.length === 0) return {}
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'title', 'first_words'])
    .where('id', 'in', readable)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.id, shownTitle(row)]))
}
