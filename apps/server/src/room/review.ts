import { type ChangeRecord, Highlight, type Thread } from '@copydesk/protocol'
import { roomTypes } from '@copydesk/schema'
import type * as Y from 'yjs'

/** The numbers of entries that the room document keeps; older resolved threads are available over HTTP. */
const kept = { resolvedThreads: 200, highlights: 200 }

/**
 * The maximum number of suggested changes in the room, which is also the limit of a document. Changes stored before the
 * limit existed are available over HTTP.
 */
export const changesInRoom = 10_000

/** Adds a thread to the room document or updates its entry. Keeps the last 200 resolved threads. */
export function putThread(room: Y.Doc, thread: Thread): void {
  const threads = room.getMap<Thread>(roomTypes.threads)
  room.transact(() => {
    put(threads, thread)
    if (thread.resolved) dropOldThreads(threads)
  })
}

export function removeThread(room: Y.Doc, id: string): void {
  room.getMap<Thread>(roomTypes.threads).delete(id)
}

function dropOldThreads(threads: Y.Map<Thread>): void {
  const resolved = [...threads.values()].filter(({ resolved }) => resolved)
  const over = resolved.length - kept.resolvedThreads
  if (over <= 0) return
  const lastWord = ({ comments }: Thread): string => comments.at(-1)?.createdAt ?? ''
  resolved.sort((a, b) => lastWord(a).localeCompare(lastWord(b)))
  for (const { id } of resolved.slice(0, over)) threads.delete(id)
}

/** Shows the authors of these changes, up to the limit of the room. */
export function putChanges(room: Y.Doc, records: readonly ChangeRecord[]): void {
  const changes = room.getMap<ChangeRecord>(roomTypes.changes)
  let { size } = changes
  room.transact(() => {
    for (const record of records) {
      const isShown = changes.has(record.id)
      if (!isShown && size >= changesInRoom) continue
      if (!isShown) size += 1
      put(changes, record)
    }
  })
}

/** The ids of the suggested changes that the room shows. */
export function shownChanges(room: Y.Doc): string[] {
  return [...room.getMap(roomTypes.changes).keys()]
}

/** The number of contributors that the room shows for each of its changes. */
export function shownContributors(room: Y.Doc): Map<string, number> {
  // Read without validation: thousands are read whenever the text has settled, and only the server writes them.
  const changes = room.getMap<ChangeRecord>(roomTypes.changes)
  return new Map([...changes].map(([id, { alsoBy }]) => [id, alsoBy?.length ?? 0]))
}

/** Removes suggested changes from the room: they were decided, or their text was deleted. */
export function removeChanges(room: Y.Doc, ids: Iterable<string>): void {
  const changes = room.getMap(roomTypes.changes)
  room.transact(() => {
    for (const id of ids) if (changes.has(id)) changes.delete(id)
  })
}

/** Shows a highlight. Beyond 200, the oldest is removed. */
export function putHighlight(room: Y.Doc, highlight: Highlight): void {
  const highlights = room.getMap<Highlight>(roomTypes.highlights)
  room.transact(() => {
    put(highlights, highlight)
    const over = highlights.size - kept.highlights
    if (over <= 0) return
    const oldest = readHighlights(room).sort((a, b) => a.createdAt.localeCompare(b.createdAt))
    for (const { id } of oldest.slice(0, over)) highlights.delete(id)
  })
}

/** Removes the highlights for which `isGone` holds; returns whether there were any. */
export function removeHighlights(room: Y.Doc, isGone: (highlight: Highlight) => boolean): boolean {
  const gone = readHighlights(room).filter(isGone)
  const highlights = room.getMap(roomTypes.highlights)
  room.transact(() => {
    for (const { id } of gone) highlights.delete(id)
  })
  return gone.length > 0
}

function readHighlights(room: Y.Doc): Highlight[] {
  return [...room.getMap(roomTypes.highlights).values()].flatMap((value) => {
    const highlight = Highlight.safeParse(value)
    return highlight.success ? [highlight.data] : []
  })
}

function put<T extends { id: string }>(map: Y.Map<T>, value: T): void {
  if (JSON.stringify(map.get(value.id)) !== JSON.stringify(value)) map.set(value.id, value)
}
