import * as Y from 'yjs'
import { changeIdOf, changeIdsOf } from '../review/review-ids.ts'
import type { IdRange } from './id-map.ts'
import type { ReplayedLog } from './replayed-log.ts'

/**
 * A marker written by others that only repeats a run's suggested change, and the row with which the run had suggested
 * it.
 */
export type RepeatedMark = { range: IdRange; seq: number }

type Written = { item: Y.Item; seq: number; changes: readonly string[] }

/**
 * The markers and `suggestion` attributes that others wrote and that name only suggested changes of this run. A user
 * who types inside a change closes its mark and reopens it after the typed text; a user who splits a block copies the
 * mark. They are in effect if and only if the run's own marks are. A change is the run's if nobody wrote its id before.
 */
export function repeatedMarksOf(replayed: ReplayedLog, run: string): RepeatedMark[] {
  const written = [...suggestionsIn(replayed)]
  const first = new Map<string, number>()
  for (const { seq, changes } of written) {
    for (const id of changes) first.set(id, Math.min(seq, first.get(id) ?? seq))
  }
  return written.flatMap(({ item, seq, changes }): RepeatedMark[] => {
    // The run's own markers, and copies that undo makes, are reached from their originals.
    if (replayed.runOf(seq) === run || replayed.isUndo(seq)) return []
    const origins = changes.map((id) => first.get(id) ?? seq)
    if (!origins.every((origin) => replayed.runOf(origin) === run && !replayed.isDecision(origin))) return []
    const { client, clock } = item.id
    return [{ range: { client, clock, len: item.length }, seq: Math.max(...origins) }]
  })
}

function* suggestionsIn({ doc, inserted }: ReplayedLog): Generator<Written, void, undefined> {
  for (const structs of doc.store.clients.values()) {
    for (const item of structs) {
      if (!(item instanceof Y.Item)) continue
      const changes = changesNamedBy(item)
      const seq = changes.length > 0 ? inserted.get(item.id.client, item.id.clock) : undefined
      if (seq !== undefined) yield { item, seq, changes }
    }
  }
}

function changesNamedBy({ content, parentSub }: Y.Item): readonly string[] {
  if (content instanceof Y.ContentFormat) {
    const id = changeIdOf(content)
    return id === undefined ? [] : [id]
  }
  return parentSub === 'suggestion' && content instanceof Y.ContentAny ? changeIdsOf(content.arr[0]) : []
}
