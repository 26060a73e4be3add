import type { Access, PutSharing, Sharing } from '@copydesk/protocol'
import { roomName, roomTypes } from '@copydesk/schema'
import type { Kysely, Transaction } from 'kysely'
import { RequestError } from '../common/errors.ts'
import { allows } from '../common/identity.ts'
import type { Signals } from '../common/signals.ts'
import type { DocumentTransactions } from '../store/log/document-transactions.ts'
import type { Tables } from '../store/tables.ts'
import type { Item } from './inheritance.ts'

/**
 * Checks that a caller with this access may share the document, that is grant roles and create links: owners always,
 * editors unless the owners disallow it. Only owners share folders, which may contain documents that editors may not
 * share. In a transaction, pass it as `db`.
 * @throws RequestError `forbidden`.
 */
export async function requireSharing(access: Access, { kind, id }: Item, db: Kysely<Tables>): Promise<void> {
  if (kind === 'folder') {
    if (allows(access, 'manage')) return
    throw new RequestError('forbidden', 'Only owners can share this folder.', 'Ask one of them.')
  }
  if (await mayShare(access, id, db)) return
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

/**
 * Sets whether editors may share a document, also in the room, so that open windows update immediately; and the roles
 * that it inherits from its folder. `check` throws if the actor has lost the right to do that.
 */
export async function setSharing(
  { writer, signals }: { writer: DocumentTransactions; signals: Pick<Signals, 'publish'> },
  document: string,
  actor: string,
  check: (trx: Transaction<Tables>) => Promise<void>,
  { editorsShare, inherits }: PutSharing,
): Promise<Sharing> {
  const sharing = await writer.write(roomName(document), { actor }, async ({ doc, trx }) => {
    await check(trx)
    if (editorsShare !== undefined) doc.getMap(roomTypes.settings).set('editorsShare', editorsShare)
    const row = await trx
      .updateTable('documents')
      .set({
        ...(editorsShare === undefined ? {} : { editors_share: editorsShare ? 1 : 0 }),
        ...(inherits === undefined ? {} : { inherits }),
      })
      .where('id', '=', document)
      .returning(['editors_share', 'inherits'])
      .executeTakeFirstOrThrow()
    return { editorsShare: row.editors_share === 1, inherits: row.inherits }
  })
  if (inherits !== undefined) signals.publish({ kind: 'rights', document })
  return sharing
}
