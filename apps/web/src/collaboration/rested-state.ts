import { createStore, sameJson, type Store } from '../app/store.ts'
import type { ConnectionState } from './connection-state.ts'
import { savedState, type SavedState } from './saved-state.ts'

const restsForMs = 400

/**
 * How the document stands with the server, for the eye: what has been saved is called so only after a rest, everything else at once. Between
 * the keys of somebody who types it would blink, and what shows it would render twice a key.
 */
export function createRestedState(state: Pick<Store<ConnectionState>, 'get' | 'subscribe'>) {
  const shown = createStore<SavedState>(savedState(state.get()), sameJson)
  const show = () => shown.set(savedState(state.get()))
  return {
    get: shown.get,
    subscribe(listener: () => void): () => void {
      let rest: ReturnType<typeof setTimeout> | undefined
      const follow = () => {
        clearTimeout(rest)
        const waits = shown.get().kind === 'saving' && savedState(state.get()).kind === 'saved'
        if (waits) rest = setTimeout(show, restsForMs)
        else show()
      }
      const leave = shown.subscribe(listener)
      const stop = state.subscribe(follow)
      follow()
      return () => {
        clearTimeout(rest)
        stop()
        leave()
      }
    },
  }
}
