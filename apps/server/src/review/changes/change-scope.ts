import { contentName, roomName } from '@copydesk/schema'
import type { Transaction } from 'kysely'
import type * as Y from 'yjs'
import type { WriteManyScope } from '../../store/log/document-transactions.ts'
import type { Tables } from '../../store/tables.ts'
import type { Db } from '../review-rows.ts'

/** The documents of a write, and its transaction. */
export type Scope = { content: Y.Doc; room: Y.Doc; trx: Transaction<Tables> }

/** The scope of a write that has locked several documents. */
export function toScope(document: string, { docs, trx }: WriteManyScope): Scope {
  const [content, room] = [docs.get(contentName(document)), docs.get(roomName(document))]
  if (!content || !room) throw new Error(`no documents of ${document}`)
  return { content, room, trx }
}

/** The number of the last row of the content's log. */
export async function findHead(db: Db, document: string): Promise<number> {
  const log = db.selectFrom('logs').select('seq').where('name', '=', contentName(document))
  return (await log.executeTakeFirstOrThrow()).seq
}
