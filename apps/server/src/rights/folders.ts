import type { CreateFolder, Folder } from '@copydesk/protocol'
import type { Kysely, Transaction } from 'kysely'
import type { PersonCaller } from '../auth/callers.ts'
import { RequestError, orThrow } from '../common/errors.ts'
import { roomForItem } from '../quotas/storage.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { FolderRow, Tables } from '../store/tables.ts'
import { accessOfRole } from './access.ts'
import { foldersOutward, withAround } from './inheritance.ts'
import { type CheckTarget, requireLevels } from './moves.ts'
import type { Roles } from './roles.ts'

export type FoldersDeps = {
  db: Kysely<Tables>
  roles: Roles
  checkTarget: CheckTarget
  storage: { quotas: Quotas }
  now: () => number
  createId: () => string
}

const listed = 2000

export class Folders {
  readonly #deps: FoldersDeps
  readonly #byName = new Intl.Collator(undefined, { numeric: true })
  constructor(deps: FoldersDeps) {
    this.#deps = deps
  }

  /** All folders that a person may see, by name, without those in the trash; at most 2,000. */
  async list(person: string): Promise<Folder[]> {
    const seen = this.#deps.roles.foldersOf(person)
    let select = this.#deps.db.selectFrom('folders').selectAll().where('trashed_at', 'is', null).limit(listed)
    if (seen) select = select.where('id', 'in', seen)
    const folders = await this.#toFolders(await select.orderBy('created_at').orderBy('id').execute(), person)
    return folders.toSorted((a, b) => this.#byName.compare(a.name, b.name))
  }

  /** One folder. @throws RequestError `not_found` if the person may not see it. */
  async read(id: string, person: string): Promise<Folder> {
    const rows = await this.#deps.db.selectFrom('folders').selectAll().where('id', '=', id).execute()
    const [found] = await this.#toFolders(rows, person)
    if (!found) throw new RequestError('not_found', 'There is no such folder, or it is not shared with you.')
    return found
  }

  /**
   * Creates a folder, whose owner is the caller.
   * @throws RequestError `not_found`, `forbidden` for the parent folder; `conflict` if it would be too deep,
   * `quota_exceeded`.
   */
  async create(caller: PersonCaller, { name, parent = null }: CreateFolder): Promise<Folder> {
    const { db, checkTarget, storage, now, createId } = this.#deps
    const [id, person] = [createId(), caller.user.id]
    await db.transaction().execute(async (trx) => {
      orThrow(await roomForItem(trx, 'folder', person, storage.quotas))
      await checkTarget(trx, parent, caller)
      requireLevels((await foldersOutward(trx, parent)).length + 1)
      await trx.insertInto('folders').values({ id, name, parent, created_by: person, created_at: now() }).execute()
      await trx
        .insertInto('members')
        .values({ item: id, person, role: 'owner', added_by: person, added_at: now() })
        .execute()
    })
    return this.read(id, person)
  }

  /** Renames a folder, within the caller's transaction. */
  async renameIn(trx: Transaction<Tables>, id: string, name: string): Promise<void> {
    await trx.updateTable('folders').set({ name }).where('id', '=', id).execute()
  }

  async #toFolders(rows: readonly FolderRow[], person: string): Promise<Folder[]> {
    const { roles } = this.#deps
    const around = [...new Set(rows.flatMap(({ id, parent }) => (parent === null ? [id] : [id, parent])))]
    const [seen, shared] = await Promise.all([roles.rolesIn('folder', person, around), this.#shared(around, person)])
    return rows.flatMap((row) => {
      const role = seen.get(row.id)
      if (!role) return []
      return {
        id: row.id,
        name: row.name,
        parent: row.parent !== null && seen.has(row.parent) ? row.parent : null,
        role,
        access: accessOfRole(role, roles.isOpen),
        inherits: row.inherits,
        shared: roles.isOpen || shared.has(row.id),
        createdAt: new Date(row.created_at).toISOString(),
      }
    })
  }

  /** The folders in which another person, or an invited address, has a role. */
  async #shared(folders: readonly string[], person: string): Promise<Set<string>> {
    if (folders.length === 0 || this.#deps.roles.isOpen) return new Set()
    const rows = await withAround(this.#deps.db, 'folder', folders)
      .selectFrom('around')
      .select('around.item')
      .distinct()
      .where(({ or, exists, selectFrom }) =>
        or([
          exists(
            selectFrom('members')
              .select('members.person')
              .whereRef('members.item', '=', 'around.source')
              .where('members.person', '!=', person),
          ),
          exists(
            selectFrom('pending_members')
              .select('pending_members.email')
              .whereRef('pending_members.item', '=', 'around.source'),
          ),
        ]),
      )
      .execute()
    return new Set(rows.map(({ item }) => item))
  }
}
