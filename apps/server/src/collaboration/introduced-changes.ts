import * as Y from 'yjs'
import { changeIdOf, changeIdsOf } from '../review/review-ids.ts'

/** Beyond any tool's reach; somebody who sends more has no wish to be named as their author. */
const idsInUpdate = 10_000

/**
 * The ids of the suggested changes that new items put on text or on nodes, new ids or not; those that the server would not take are
 * left out, and all beyond ten thousand.
 */
export function findIntroducedChanges(items: Iterable<Y.Item>): string[] {
  const ids = new Set<string>()
  for (const { content, parentSub } of items) {
    if (ids.size >= idsInUpdate) break
    if (content instanceof Y.ContentFormat) {
      const id = content.value === null ? undefined : changeIdOf(content)
      if (id !== undefined) ids.add(id)
    } else if (parentSub === 'suggestion' && content instanceof Y.ContentAny) {
      for (const id of changeIdsOf(content.arr.at(-1))) ids.add(id)
    }
  }
  return [...ids]
}
