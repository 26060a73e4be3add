import type { Transaction } from 'kysely'
import type { PersonCaller } from '../auth/callers.ts'
import { allows } from '../common/access-level.ts'
import { RequestError } from '../common/errors.ts'
import type { Tables } from '../store/tables.ts'
import type { FindFolderAccess } from './access.ts'

/** Checks in a transaction that a caller may put something into a folder; null is no folder. */
export type CheckTarget = (trx: Transaction<Tables>, folder: string | null, caller: PersonCaller) => Promise<void>

/** Creates the check, which locks the folder. It throws RequestError `not_found`, `forbidden`. */
export function createTargetCheck(access: FindFolderAccess): CheckTarget {
  return async (trx, folder, caller) => {
    if (folder === null) return
    const { numUpdatedRows } = await trx
      .updateTable('folders')
      .set((eb) => ({ created_by: eb.ref('created_by') }))
      .where('id', '=', folder)
      .where('trashed_at', 'is', null)
      .executeTakeFirst()
    const has = numUpdatedRows > 0n ? await access(caller, folder, trx) : undefined
    if (!has) throw new RequestError('not_found', 'There is no such folder, or it is not shared with you.')
    if (allows(has, 'write')) return
    throw new RequestError('forbidden', 'You may not put anything into this folder.', 'Ask its owner for more.')
  }
}
