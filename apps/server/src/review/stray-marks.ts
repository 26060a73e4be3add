import { stripChanges } from '@copydesk/schema'
import type * as Y from 'yjs'
import { putChanges } from '../room/review.ts'
import { readContent, writeContent } from './content.ts'
import { type RecordedChange, toChangeRecord } from './review-rows.ts'

/**
 * Handles changes whose marks are in the content: shows undecided ones in the room and removes the marks of the others.
 */
export function showOrStrip(content: Y.Doc, room: Y.Doc, rows: readonly RecordedChange[]): void {
  const done = rows.filter(({ decision }) => decision !== null)
  putChanges(room, rows.filter(({ decision }) => decision === null).map(toChangeRecord))
  const read = done.length > 0 ? readContent(content) : undefined
  if (read?.ok) writeContent(read, stripChanges(read.node, new Set(done.map(({ id }) => id))))
}
