import type { Transaction } from 'kysely'
import type { Tables } from '../store/tables.ts'

/**
 * Makes others who change who may do what with a document wait until this transaction has ended, so that what it has looked at still holds
 * when it writes. Answers whether there is such a document.
 */
export async function lockDocument(trx: Transaction<Tables>, document: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('documents')
    .set((eb) => ({ created_by: eb.ref('created_by') }))
    .where('id', '=', document)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
