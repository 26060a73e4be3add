import type { Transaction } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { Item } from './inheritance.ts'

/**
 * Locks the row of a document or folder until the transaction ends, so that concurrent changes of its rows wait and the
 * transaction's reads remain valid until it writes. Returns whether the item exists.
 */
export async function lockItem(trx: Transaction<Tables>, { kind, id }: Item): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable(kind === 'folder' ? 'folders' : 'documents')
    .set((eb) => ({ created_by: eb.ref('created_by') }))
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
