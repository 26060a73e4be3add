import type { Access } from '@copydesk/protocol'
import { roomName, roomTypes } from '@copydesk/schema'
import type { Kysely } from 'kysely'
import { allows } from '../common/access-level.ts'
import { RequestError } from '../common/errors.ts'
import type { DocumentTransactions } from '../store/log/document-transactions.ts'
import type { Tables } from '../store/tables.ts'

/**
 * Checks that a caller with this access may share the document, that is grant roles and create links: owners always,
 * editors unless the owners disallow it. In a transaction, pass it as `db`.
 * @throws RequestError `forbidden`.
 */
export async function requireSharing(access: Access, document: string, db: Kysely<Tables>): Promise<void> {
  if (await mayShare(access, document, db)) return
  if (!allows(access, 'write')) {
    throw new RequestError('forbidden', 'Only editors and owners can share this document.', 'Ask its owner.')
  }
  throw new RequestError(
    'forbidden',
    'Only owners can share this document.',
    'Ask one of them to share it, or to let editors do so.',
  )
}

/** Whether a caller with this access may share the document, as `requireSharing` checks. */
export async function mayShare(access: Access, document: string, db: Kysely<Tables>): Promise<boolean> {
  if (allows(access, 'manage')) return true
  if (!allows(access, 'write')) return false
  const row = await db.selectFrom('documents').select('editors_share').where('id', '=', document).executeTakeFirst()
  return row?.editors_share === 1
}

/** Sets whether editors may share a document. Also written to the room, so that open windows update immediately. */
export async function setEditorsShare(
  writer: DocumentTransactions,
  document: string,
  actor: string,
  editorsShare: boolean,
): Promise<void> {
  await writer.write(roomName(document), { actor }, async ({ doc, trx }) => {
    doc.getMap(roomTypes.settings).set('editorsShare', editorsShare)
    await trx
      .updateTable('documents')
      .set({ editors_share: editorsShare ? 1 : 0 })
      .where('id', '=', document)
      .execute()
  })
}
