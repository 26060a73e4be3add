import * as Y from 'yjs'
import { changeIdOf, changeIdsOf, type ReviewIds, threadIdOf, threadIdsOf } from '../../common/review-ids.ts'

/**
 * Adds the ids, whether new or known, of the suggested changes and comment threads that an item puts on text or on a
 * node; ids that the server would reject are left out. An item that Yjs has not applied yet may lack its `parentSub`,
 * so the caller passes it.
 */
export function addIntroducedIds({ content, parentSub }: Pick<Y.Item, 'content' | 'parentSub'>, ids: ReviewIds): void {
  if (content instanceof Y.ContentFormat) {
    if (content.value === null) return
    const [change, thread] = [changeIdOf(content), threadIdOf(content)]
    if (change !== undefined) ids.changes.add(change)
    if (thread !== undefined) ids.threads.add(thread)
  } else if (content instanceof Y.ContentAny) {
    if (parentSub === 'suggestion') for (const id of changeIdsOf(content.arr.at(-1))) ids.changes.add(id)
    if (parentSub === 'threads') for (const id of threadIdsOf(content.arr.at(-1))) ids.threads.add(id)
  }
}

/** The ids of the suggested changes that new items put on text or on nodes. */
export function findIntroducedChanges(items: Iterable<Y.Item>): string[] {
  const ids: ReviewIds = { changes: new Set(), threads: new Set() }
  for (const item of items) addIntroducedIds(item, ids)
  return [...ids.changes]
}
