import type { Awareness } from 'y-protocols/awareness'
import { createStore, sameJson, type Store } from '../app/store.ts'
import { type Presence, readPresence } from './presence.ts'

/** Who is here: people in order of arrival, then agents. */
export type PresenceStore = Pick<Store<readonly Presence[]>, 'get' | 'subscribe'> & { close(): void }

const gatheredForMs = 50

/**
 * Follows who is here, for all who show it. With ten people whose carets move an awareness changes fifty times a second, who is here hardly ever: it is read
 * once for what comes in a row, and keeps its identity while nobody comes, goes or does something else.
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
