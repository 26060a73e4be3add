import { roomTypes } from '@copydesk/schema'
import type * as Y from 'yjs'
import { z } from 'zod'
import type { HostAuthor } from '../session/host/host.ts'

const Author = z.object({ id: z.string(), name: z.string(), kind: z.enum(['person', 'agent']) })

const RoomThread = z.object({
  id: z.string(),
  quote: z.string(),
  resolved: z.boolean(),
  orphaned: z.boolean(),
  comments: z.array(
    z.object({
      id: z.string(),
      author: Author,
      text: z.string(),
      replacement: z.string().optional(),
      createdAt: z.string(),
    }),
  ),
})

/** A thread as stored in the room document, with the server's layout. */
type RoomThread = z.infer<typeof RoomThread>

const RoomChange = z.object({
  id: z.string(),
  author: Author,
  run: z.string().optional(),
  alsoBy: z.array(Author).optional(),
  createdAt: z.string(),
})

/** A highlight as stored in the room document: two base64 Yjs relative positions. */
type RoomHighlight = {
  id: string
  anchor: string
  head: string
  color: string
  author: HostAuthor
  invokedBy: string
  createdAt: string
  expiresAt?: string
}

/** The maps of a room document that reviews use. Invalid entries read as missing. */
export type Room = {
  threads(): RoomThread[]
  thread(id: string): RoomThread | undefined
  setThread(thread: RoomThread): void
  change(id: string): z.infer<typeof RoomChange> | undefined
  /** Records the author of a change, unless one is recorded already. */
  addChange(id: string, author: HostAuthor, createdAt: string): void
  removeChanges(ids: readonly string[]): void
  setHighlight(highlight: RoomHighlight): void
  removeHighlight(id: string): void
}

/** Reads and writes the room document `doc`; each write is a transaction with the given origin. */
export function openRoom(doc: Y.Doc, origin: object): Room {
  const threads = doc.getMap(roomTypes.threads)
  const changes = doc.getMap(roomTypes.changes)
  const highlights = doc.getMap(roomTypes.highlights)
  const thread = (id: string): RoomThread | undefined => RoomThread.safeParse(threads.get(id)).data
  const change = (id: string) => RoomChange.safeParse(changes.get(id)).data
  return {
    threads: () => [...threads.keys()].flatMap((id) => thread(id) ?? []),
    thread,
    setThread: (value) => doc.transact(() => threads.set(value.id, value), origin),
    change,
    addChange(id, author, createdAt) {
      if (!change(id)) doc.transact(() => changes.set(id, { id, author, createdAt }), origin)
    },
    removeChanges: (ids) => doc.transact(() => ids.forEach((id) => changes.delete(id)), origin),
    setHighlight: (value) => doc.transact(() => highlights.set(value.id, value), origin),
    removeHighlight: (id) => doc.transact(() => highlights.delete(id), origin),
  }
}
