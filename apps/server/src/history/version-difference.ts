import { contentTypes } from '@copydesk/schema'
import { IdMap, type IdRange } from '@copydesk/schema/ids'
import * as Y from 'yjs'
import { createVerbatimDoc } from '../store/updates/verbatim-doc.ts'
import type { Difference } from './effect-set.ts'
import type { ReplayedLog } from './replayed-log.ts'

/** The items of a shared type. */
type Shared = Pick<Y.XmlFragment, '_start' | '_map'>

/**
 * Which ids have to change so that the text consists of those of a version, or of the copies that undo has made of them
 * since. `state` is the content of the version as a Yjs update. Comments aren't part of it.
 */
export function differenceTo(replayed: ReplayedLog, state: Uint8Array): Difference {
  const version = createVerbatimDoc()
  Y.applyUpdate(version, state)
  const wanted = new IdMap<true>()
  const missing: IdRange[] = []
  for (const range of shownIn(version)) {
    for (const latest of replayed.latestOf(range)) {
      wanted.addNew(latest, true)
      missing.push(...replayed.deleted.found(latest).map((piece) => piece.range))
    }
  }
  version.destroy()
  const unwanted = [...shownIn(replayed.doc)].flatMap((range) =>
    wanted.pieces(range).flatMap((piece) => (piece.found ? [] : piece.range)),
  )
  return { missing, unwanted }
}

/** The ids of the text and its attributes. */
function* shownIn(doc: Y.Doc): Generator<IdRange, void, undefined> {
  const pending: Shared[] = [doc.getXmlFragment(contentTypes.fragment)]
  // Without recursion: blocks may nest deeper than the stack.
  for (let type = pending.pop(); type; type = pending.pop()) {
    for (const item of itemsOf(type)) {
      if (item.deleted || isComment(item)) continue
      yield { client: item.id.client, clock: item.id.clock, len: item.length }
      if (item.content instanceof Y.ContentType) pending.push(item.content.type)
    }
  }
}

function* itemsOf(type: Shared): Generator<Y.Item, void, undefined> {
  for (let item = type._start; item; item = item.right) yield item
  yield* type._map.values()
}

function isComment({ content, parentSub }: Y.Item): boolean {
  return parentSub === 'threads' || (content instanceof Y.ContentFormat && content.key.startsWith('comment'))
}
