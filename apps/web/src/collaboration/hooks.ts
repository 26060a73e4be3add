import { longestTitle } from '@copydesk/schema/names'
import type { DocumentFont } from '@copydesk/protocol'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { sameJson } from '../common/store.ts'
import { fallbackColorOf } from '../ui/people/person-look.ts'
import { type DocumentConnection, openConnection } from './connection.ts'
import type { ConnectionState } from './connection-state.ts'
import { inOrderFor, type LocalUser, type Presence, visitorColors } from './presence.ts'
import type { RoomSnapshot, RoomStore } from './room-store.ts'

/**
 * Opens a document while the component is mounted; the only place where providers and Y.Docs are created. Undefined
 * until the first effect has run. A new `user` object keeps the open connection, so that no unsent change is lost.
 * React's strict mode opens and closes an additional one.
 */
export function useConnection(document: string, user: LocalUser): DocumentConnection | undefined {
  const [connection, setConnection] = useState<DocumentConnection>()
  const open = useEffectEvent(() => openConnection(document, location.origin, user, Date.now))
  useEffect(() => {
    const opened = open()
    setConnection(opened)
    return () => {
      setConnection(undefined)
      opened.close()
    }
  }, [document])
  useEffect(() => connection?.enter(user), [connection, user])
  return connection
}

/** A small value that `read` derives from the connection's state; renders only when the value has changed. */
export function useConnectionState<T>(connection: DocumentConnection, read: (state: ConnectionState) => T): T {
  const last = useRef<T>(undefined)
  return useSyncExternalStore(connection.state.subscribe, () => {
    const next = read(connection.state.get())
    if (last.current === undefined || !sameJson(next, last.current)) last.current = next
    return last.current
  })
}

export function useRoom(room: RoomStore): RoomSnapshot {
  return useSyncExternalStore(room.subscribe, room.get)
}

/** A part of the room; renders only when that has changed. */
export function useRoomPart<Part extends keyof RoomSnapshot>(room: RoomStore, part: Part): RoomSnapshot[Part] {
  return useSyncExternalStore(room.subscribe, () => room.get()[part])
}

/**
 * The presences, the caller's first; changes only when a user comes or leaves or an agent changes its activity, not
 * with every cursor.
 */
export function usePresence({ presence }: DocumentConnection, self: string): readonly Presence[] {
  const here = useSyncExternalStore(presence.subscribe, presence.get)
  return useMemo(() => inOrderFor(here, self), [here, self])
}

/**
 * Returns the colour of the user with this id; the function keeps its identity until a user's colour becomes known or
 * changes.
 */
export function useColorOf({ presence }: DocumentConnection): (id: string) => string {
  const last = useRef<readonly (readonly [string, string])[]>([])
  const known = useSyncExternalStore(presence.subscribe, () => {
    const next = presence.get().map(({ id, color }) => [id, color] as const)
    if (!sameJson(next, last.current)) last.current = next
    return last.current
  })
  const visitors = useSyncExternalStore(visitorColors.subscribe, visitorColors.get)
  return useCallback(
    (id) => known.find(([each]) => each === id)?.[1] ?? visitors.get(id) ?? fallbackColorOf(id),
    [known, visitors],
  )
}

/** The font in which everyone sees the document's text. */
export function useFont({ room }: DocumentConnection): DocumentFont {
  return useRoomPart(room, 'settings').font ?? 'sans'
}

/** The document's shared title, empty if it has none. */
export function useSharedTitle(meta: DocumentConnection['meta']): string {
  const subscribe = useCallback(
    (listener: () => void) => {
      meta.observe(listener)
      return () => meta.unobserve(listener)
    },
    [meta],
  )
  return useSyncExternalStore(subscribe, () => readTitle(meta))
}

/** The document's current title, empty if it has none. */
export function readTitle(meta: DocumentConnection['meta']): string {
  const title = meta.get('title')
  // Another client may have written any value.
  return typeof title === 'string' ? title.slice(0, longestTitle) : ''
}

/** The number of comment threads that aren't resolved. */
export function useOpenThreads({ room }: DocumentConnection): number {
  const threads = useRoomPart(room, 'threads')
  return useMemo(() => [...threads.values()].filter(({ resolved }) => !resolved).length, [threads])
}
