import type { Awareness } from 'y-protocols/awareness'
import { createStore, sameJson, type Store } from '../app/store.ts'
import { type Presence, readPresence } from './presence.ts'

/** The presences: users in order of arrival, then agents. */
export type PresenceStore = Pick<Store<readonly Presence[]>, 'get' | 'subscribe'> & { close(): void }

const gatheredForMs = 50

/**
 * Follows the presences, for all components that show them. With ten users whose carets move an awareness changes fifty
 * times per second, the presences rarely: they are read once per burst of events, and keep their identity until a user
 * comes or leaves, or an activity changes.
 */
export function createPresenceStore(awareness: Awareness | null): PresenceStore {
  const read = () => (awareness ? readPresence(awareness.getStates(), '') : [])
  const store = createStore<readonly Presence[]>(read(), sameJson)
  let timer: ReturnType<typeof setTimeout> | undefined
  const readSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      store.set(read())
    }, gatheredForMs)
  }
  awareness?.on('change', readSoon)
  return {
    get: store.get,
    subscribe: store.subscribe,
    close() {
      clearTimeout(timer)
      awareness?.off('change', readSoon)
    },
  }
}
