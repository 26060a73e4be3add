import { contentTypes, readChangeIds, readFragment, schema } from '@copydesk/schema'
import type { Transaction } from 'kysely'
import type * as Y from 'yjs'
import { findChanges, toChangeRecord } from '../review/review-rows.ts'
import { putChanges, removeChanges, shownChanges } from '../room/review.ts'
import type { Tables } from '../store/tables.ts'

/**
 * Updates the room's list of suggested changes after an undo or redo: changes whose content was restored are open
 * again, and those whose content was removed leave the list.
 */
export async function showReopenedChanges(
  trx: Transaction<Tables>,
  document: string,
  content: Y.Doc,
  room: Y.Doc,
): Promise<void> {
  const read = readFragment(content.getXmlFragment(contentTypes.fragment), schema)
  if (!read.ok) return
  const present = new Set(readChangeIds(read.doc))
  const shown = new Set(shownChanges(room))
  removeChanges(
    room,
    [...shown].filter((id) => !present.has(id)),
  )
  const opened = [...present].filter((each) => !shown.has(each))
  for (const id of opened) {
    await trx
      .updateTable('changes')
      .set({ decision: null, decided_by: null, decided_by_name: null, decided_at: null })
      .where('document', '=', document)
      .where('id', '=', id)
      .execute()
  }
  putChanges(room, [...(await findChanges(trx, document, opened)).values()].map(toChangeRecord))
}
