import { type Inherits, Role } from '@copydesk/protocol'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../store/tables.ts'

/** The kinds of items in which people have roles: a document, or a folder with its contents. */
export type ItemKind = 'document' | 'folder'

/** A document or a folder. */
export type Item = { kind: ItemKind; id: string }

export const folderLevels = 10
const deepest = 2 * folderLevels

/**
 * Adds `around` to a query: for each of these items the item itself (`depth` 0) and the folders around it as far as it
 * inherits from them, the innermost first. `inherits` limits the roles that the previous level inherits from `source`.
 */
export function withAround(db: Kysely<Tables>, kind: ItemKind, items: readonly string[]) {
  return db.withRecursive('around', (cte) => {
    const own = sql<Inherits>`'owner'`.as('inherits')
    const documents = cte.selectFrom('documents').where('documents.id', 'in', items).where('deleted_at', 'is', null)
    const start =
      kind === 'folder'
        ? cte
            .selectFrom('folders')
            .where('folders.id', 'in', items)
            .select(['folders.id as item', 'folders.id as source', sql<number>`0`.as('depth'), own])
        : documents
            .select(['documents.id as item', 'documents.id as source', sql<number>`0`.as('depth'), own])
            .unionAll(
              documents
                .where('documents.folder', 'is not', null)
                .where('documents.inherits', '!=', 'none')
                .select(['documents.id as item', 'documents.folder as source', sql<number>`1`.as('depth')])
                .select('documents.inherits')
                .$narrowType<{ source: string }>(),
            )
    return start.unionAll(
      cte
        .selectFrom('around')
        .innerJoin('folders', 'folders.id', 'around.source')
        .where('folders.parent', 'is not', null)
        .where('folders.inherits', '!=', 'none')
        // Folders have no cycles; a query over a cycle would never end without this limit.
        .where('around.depth', '<', deepest)
        .select(['around.item', 'folders.parent as source', sql<number>`around.depth + 1`.as('depth')])
        .select('folders.inherits')
        .$narrowType<{ source: string }>(),
    )
  })
}

/** Adds `inside` to a query: the ids of a folder and of all folders in it. */
export function withInside(db: Kysely<Tables>, folder: string) {
  return db.withRecursive('inside', (cte) =>
    cte
      .selectFrom('folders')
      .select('folders.id')
      .where('folders.id', '=', folder)
      .union(cte.selectFrom('folders').innerJoin('inside', 'inside.id', 'folders.parent').select('folders.id')),
  )
}

/** A folder and the folders around it, independently of inheritance, the innermost first. */
export async function foldersOutward(db: Kysely<Tables>, folder: string | null): Promise<string[]> {
  const found: string[] = []
  for (let next = folder; next !== null && found.length < deepest;) {
    found.push(next)
    const row = await db.selectFrom('folders').select('parent').where('id', '=', next).executeTakeFirst()
    next = row?.parent ?? null
  }
  return found
}

/** A person's role in an item itself (`depth` 0) or in a folder around it, or null, in a row of `around`. */
export type GrantRow = { depth: number; inherits: Inherits; source: string; role: Role | null }

/**
 * The highest role that the rows of one item give, and the item or folder in which it is given. Each level between that
 * folder and the item may lower the role.
 */
export function highestGrant<T extends GrantRow>(rows: readonly T[]): { role: Role; source: string } | undefined {
  let limit: Role = 'owner'
  let found: { role: Role; source: string } | undefined
  for (const { inherits, role, source } of rows.toSorted((a, b) => a.depth - b.depth)) {
    if (inherits === 'none') return found
    limit = lowerOf(limit, inherits)
    const given = role && lowerOf(role, limit)
    if (given && (!found || !isAtLeast(found.role, given))) found = { role: given, source }
  }
  return found
}

/**
 * The highest role of every person in one item, from the rows of its `around` joined with the people who have a role
 * there; `who` is null in rows without a role.
 */
export function highestGrants(
  rows: readonly (GrantRow & { who: string | null })[],
): Map<string, { role: Role; source: string }> {
  // A folder limits the roles from the folders around it, independently of a person's role in it.
  const steps = [...new Map(rows.map((row) => [row.depth, { ...row, role: null }])).values()]
  const grants = new Map<string, { role: Role; source: string }>()
  for (const [who, of] of Map.groupBy(rows, (row) => row.who)) {
    const grant = who === null ? undefined : highestGrant([...steps, ...of])
    if (who !== null && grant) grants.set(who, grant)
  }
  return grants
}

/** Whether a role is at least as high as another. */
export function isAtLeast(role: Role, other: Role): boolean {
  return Role.options.indexOf(role) <= Role.options.indexOf(other)
}

function lowerOf(role: Role, other: Role): Role {
  return isAtLeast(role, other) ? other : role
}
