import * as Y from 'yjs'
import { changeIdOf, changeIdsOf } from '../review/review-ids.ts'
import { newItems } from './new-items.ts'

/** Beyond any tool's reach; somebody who sends more has no wish to be named as their author. */
const idsInUpdate = 10_000

/**
 * The ids of the suggested changes that a transaction has put on text or on nodes, new or not; ids that the server would not take are
 * left out, and all beyond ten thousand. Looks only at what the transaction added.
 */
export function findIntroducedChanges(transaction: Y.Transaction): string[] {
  const ids = new Set<string>()
  for (const { content, parentSub } of newItems(transaction)) {
    if (ids.size >= idsInUpdate) break
    if (content instanceof Y.ContentFormat) {
      const id = content.value === null ? undefined : changeIdOf(content)
      if (id !== undefined) ids.add(id)
    } else if (parentSub === 'suggestion' && content instanceof Y.ContentAny) {
      for (const id of changeIdsOf(content.arr[0])) ids.add(id)
    }
  }
  return [...ids]
}
