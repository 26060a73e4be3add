import * as Y from 'yjs'
import { changeIdOf, changeIdsOf, type ReviewIds, threadIdOf, threadIdsOf } from '../review/review-ids.ts'

/**
 * The ids of the suggested changes and comment threads that new items put on text or on nodes, new ids or not; those
 * that the server would not take are left out.
 */
export function findIntroducedIds(items: Iterable<Y.Item>): ReviewIds {
  const ids: ReviewIds = { changes: new Set(), threads: new Set() }
  for (const item of items) addIntroducedIds(item, ids)
  return ids
}

/**
 * Adds those of one item. Before Yjs has applied it, an attribute that replaces another has no name yet: such a one is
 * left out.
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

/** Those of them that are of suggested changes. */
export function findIntroducedChanges(items: Iterable<Y.Item>): string[] {
  return [...findIntroducedIds(items).changes]
}
