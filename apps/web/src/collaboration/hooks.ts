import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { sameJson } from '../app/store.ts'
import { colorOfId } from '../ui/person-look.ts'
import { type DocumentConnection, openConnection } from './connection.ts'
import type { ConnectionState } from './connection-state.ts'
import { inOrderFor, type LocalUser, type Presence } from './presence.ts'
import type { RoomSnapshot, RoomStore } from './room-store.ts'

/**
 * Opens a document for as long as the component is shown; the one place where providers and Y.Docs are made. Undefined
 * until the first effect has run. Another `user` object goes on with what is open, so that nothing unsent is lost.
 * React's strict mode opens and closes one more.
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

/** What `read` makes of how the connection stands, a small value; renders only when that has changed. */
export function useConnectionState<T>(connection: DocumentConnection, read: (state: ConnectionState) => T): T {
  const last = useRef<T>(undefined)
  return useSyncExternalStore(connection.state.subscribe, () => {
    const next = read(connection.state.get())
    if (last.current === undefined || !sameJson(next, last.current)) last.current = next
    return last.current
  })
}

/** The messages and runs of the room. */
export function useRoom(room: RoomStore): RoomSnapshot {
  return useSyncExternalStore(room.subscribe, room.get)
}

/** A part of the room; renders only when that has changed. */
export function useRoomPart<Part extends keyof RoomSnapshot>(room: RoomStore, part: Part): RoomSnapshot[Part] {
  return useSyncExternalStore(room.subscribe, () => room.get()[part])
}

/**
 * Who is here, the caller first; changes only when somebody comes, goes or an agent does something else, not with every
 * cursor.
 */
export function usePresence({ presence }: DocumentConnection, self: string): readonly Presence[] {
  const here = useSyncExternalStore(presence.subscribe, presence.get)
  return useMemo(() => inOrderFor(here, self), [here, self])
}

/** The colour of whoever has this id, the same function until somebody's colour becomes known or changes. */
export function useColorOf({ presence }: DocumentConnection): (id: string) => string {
  const last = useRef<readonly (readonly [string, string])[]>([])
  const known = useSyncExternalStore(presence.subscribe, () => {
    const next = presence.get().map(({ id, color }) => [id, color] as const)
    if (!sameJson(next, last.current)) last.current = next
    return last.current
  })
  return useCallback((id) => known.find(([each]) => each === id)?.[1] ?? colorOfId(id), [known])
}

// None is longer by HTTP; a foreign client may have written anything.
const longestTitle = 300

/** The document's shared title, empty while it has none. */
export function useSharedTitle(meta: DocumentConnection['meta']): string {
  const subscribe = useCallback(
    (listener: () => void) => {
      meta.observe(listener)
      return () => meta.unobserve(listener)
    },
    [meta],
  )
  return useSyncExternalStore(subscribe, () => {
    const title = meta.get('title')
    return typeof title === 'string' ? title.slice(0, longestTitle) : ''
  })
}
