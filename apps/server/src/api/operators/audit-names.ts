import type { AuditAction, AuditEntry } from '@copydesk/protocol'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { parseJson } from '../../common/parse-json.ts'
import type { Roles } from '../../rights/roles.ts'
import type { Tables } from '../../store/tables.ts'

type Deps = { db: Kysely<Tables>; roles: Roles }
type Named = { id: string; name: string | null | undefined }

// The details that contain ids of objects.
const Ids = z
  .object({
    folder: z.string().nullable(),
    parent: z.string().nullable(),
    person: z.string(),
    key: z.string(),
    members: z.array(z.object({ id: z.string().optional() })),
  })
  .partial()

/**
 * The names, by id, of the people, agents, keys, providers and webhooks in entries, and of the folders that are shared
 * with an operator. An object that was deleted has the name that was recorded when it was created.
 */
export async function namesInEntries(
  { db, roles }: Deps,
  operator: string,
  entries: readonly AuditEntry[],
): Promise<Record<string, string>> {
  const ids = [...new Set(entries.flatMap(idsOf))]
  if (ids.length === 0) return {}
  const folders = [...(await roles.rolesIn('folder', operator, ids)).keys()]
  const present = await Promise.all([
    ...(['people', 'agents', 'api_keys', 'model_providers'] as const).map((table) =>
      db.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).execute(),
    ),
    db.selectFrom('webhooks').select(['id', 'description as name']).where('id', 'in', ids).execute(),
    db.selectFrom('folders').select(['id', 'name']).where('id', 'in', folders).execute(),
  ])
  const names = toNames(present.flat())
  const unnamed = entries.flatMap(({ action, target }) =>
    target !== null && ofDeletable.test(action) && names[target] === undefined ? [target] : [],
  )
  return unnamed.length === 0 ? names : { ...toNames(await recordedNames(db, unnamed)), ...names }
}

function idsOf({ target, details }: AuditEntry): string[] {
  const { members = [], ...single } = Ids.safeParse(details).data ?? {}
  return [target, ...Object.values(single), ...members.map(({ id }) => id)].flatMap((id) => id ?? [])
}

function toNames(rows: readonly Named[]): Record<string, string> {
  return Object.fromEntries(rows.flatMap(({ id, name }) => (name ? [[id, name]] : [])))
}

const ofDeletable = /^(?:invitation|key|model|provider|webhook)-/
const creations = ['invitation-made', 'key-made', 'provider-made', 'webhook-made'] satisfies AuditAction[]
const Created = z.object({ name: z.string(), email: z.string(), host: z.string() }).partial()

async function recordedNames(db: Kysely<Tables>, ids: readonly string[]): Promise<Named[]> {
  const rows = await db
    .selectFrom('audit')
    .select(['target', 'details'])
    .where('action', 'in', creations)
    .where('target', 'in', ids)
    .execute()
  return rows.map(({ target, details }) => {
    const { name, email, host } = Created.safeParse(parseJson(details ?? '')).data ?? {}
    return { id: target ?? '', name: name ?? email ?? host }
  })
}
