import type { Kysely, Transaction } from 'kysely'
import type { PersonCaller } from '../auth/callers.ts'
import { RequestError } from '../common/errors.ts'
import { allows } from '../common/identity.ts'
import { accessOfRole, type FindFolderAccess } from '../rights/access.ts'
import { foldersOutward, type Item, type ItemKind, withInside } from '../rights/inheritance.ts'
import { lockItem } from '../rights/lock-item.ts'
import type { Moves } from '../rights/moves.ts'
import type { Roles } from '../rights/roles.ts'
import { inParts } from '../review/review-rows.ts'
import type { Tables } from '../store/tables.ts'

export type FolderTrashDeps = {
  db: Kysely<Tables>
  roles: Roles
  folderAccess: FindFolderAccess
  moves: Moves
  now: () => number
}

/** The number of items that leave a folder in one transaction. */
const leaveAtOnce = 50

/** Moves folders with their contents to the trash, and back. */
export class FolderTrash {
  readonly #deps: FolderTrashDeps
  constructor(deps: FolderTrashDeps) {
    this.#deps = deps
  }

  /**
   * Moves a folder to the trash with the documents and folders in it. Items that the caller doesn't own are moved out
   * of the folder instead, in several transactions, so that other writes don't wait long. Returns the number of
   * documents that moved to the trash.
   * @throws RequestError as `restore`.
   */
  async trash(folder: string, caller: PersonCaller): Promise<number> {
    const { db, moves, now } = this.#deps
    const at = now()
    for (;;) {
      const { count, announcements } = await db.transaction().execute(async (trx) => {
        await this.#lock(trx, folder, caller)
        const { folders, documents, left } = await this.#contents(trx, folder, caller)
        const after: (() => void)[] = []
        for (const item of left.slice(0, leaveAtOnce)) after.push((await moves.moveOutOfFoldersIn(trx, item)).after)
        if (left.length > leaveAtOnce) return { count: undefined, announcements: after }
        for (const ids of inParts(documents)) {
          await trx.updateTable('documents').set({ trashed_at: at }).where('id', 'in', ids).execute()
        }
        await trx
          .updateTable('folders')
          .set({ trashed_at: at })
          .where('id', 'in', folders)
          .where('trashed_at', 'is', null)
          .execute()
        return { count: documents.length, announcements: after }
      })
      for (const announce of announcements) announce()
      if (count !== undefined) return count
    }
  }

  /**
   * Restores a folder with the items that were moved to the trash together with it; returns the number of documents.
   * @throws RequestError `forbidden` if the caller no longer manages the folder.
   */
  async restore(folder: string, caller: PersonCaller): Promise<number> {
    return this.#deps.db.transaction().execute(async (trx) => {
      await this.#lock(trx, folder, caller)
      const row = await trx.selectFrom('folders').select('trashed_at').where('id', '=', folder).executeTakeFirst()
      const at = row?.trashed_at
      if (at == null) return 0
      const inside = withInside(trx, folder).selectFrom('inside').select('inside.id')
      const { numUpdatedRows } = await trx
        .updateTable('documents')
        .set({ trashed_at: null })
        .where('folder', 'in', inside)
        .where('trashed_at', '=', at)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      await trx
        .updateTable('folders')
        .set({ trashed_at: null })
        .where('id', 'in', inside)
        .where('trashed_at', '=', at)
        .execute()
      const around = await foldersOutward(trx, folder)
      await trx.updateTable('folders').set({ trashed_at: null }).where('id', 'in', around).execute()
      return Number(numUpdatedRows)
    })
  }

  /** The folders and documents that move to the trash with a folder, and the items that are moved out instead. */
  async #contents(
    trx: Transaction<Tables>,
    folder: string,
    caller: PersonCaller,
  ): Promise<{ folders: string[]; documents: string[]; left: Item[] }> {
    const folders: string[] = []
    const left: Item[] = []
    for (let level = [folder]; level.length > 0;) {
      folders.push(...level)
      const query = trx.selectFrom('folders').select('id').where('parent', 'in', level)
      const [own, others] = await this.#divide(
        trx,
        'folder',
        await query.where('trashed_at', 'is', null).execute(),
        caller,
      )
      left.push(...others.map((id): Item => ({ kind: 'folder', id })))
      level = own
    }
    const query = trx.selectFrom('documents').select('id').where('folder', 'in', folders)
    const [own, others] = await this.#divide(
      trx,
      'document',
      await query.where('trashed_at', 'is', null).execute(),
      caller,
    )
    left.push(...others.map((id): Item => ({ kind: 'document', id })))
    return { folders, documents: own, left }
  }

  /** Locks the folder and checks the caller's right again, which may have changed while the request waited. */
  async #lock(trx: Transaction<Tables>, folder: string, caller: PersonCaller): Promise<void> {
    await lockItem(trx, { kind: 'folder', id: folder })
    if (allows(await this.#deps.folderAccess(caller, folder, trx), 'manage')) return
    throw new RequestError('forbidden', 'You do not own this folder any more.', 'Ask its owner for more.')
  }

  /** Divides items into those that the caller manages and the others, by id. */
  async #divide(
    trx: Transaction<Tables>,
    kind: ItemKind,
    items: readonly { id: string }[],
    { user }: PersonCaller,
  ): Promise<[own: string[], others: string[]]> {
    const { roles } = this.#deps
    const [own, others]: [string[], string[]] = [[], []]
    for (const ids of inParts(items.map(({ id }) => id))) {
      const known = await roles.rolesIn(kind, user.id, ids, trx)
      for (const id of ids) {
        const role = known.get(id)
        if (role && accessOfRole(role, roles.isOpen) === 'manage') own.push(id)
        else others.push(id)
      }
    }
    return [own, others]
  }
}
