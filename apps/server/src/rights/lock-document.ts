import type { Transaction } from 'kysely'
import type { Tables } from '../store/tables.ts'

/**
 * Locks a document's row until the transaction ends, so that concurrent changes of its rights wait and what this
 * transaction has read still holds when it writes. Returns whether the document exists.
 */
export async function lockDocument(trx: Transaction<Tables>, document: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('documents')
    .set((eb) => ({ created_by: eb.ref('created_by') }))
    .where('id', '=', document)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
