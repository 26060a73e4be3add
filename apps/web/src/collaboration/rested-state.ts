import { createStore, sameJson, type Store } from '../app/store.ts'
import type { ConnectionState } from './connection-state.ts'
import { savedState, type SavedState } from './saved-state.ts'

const restsForMs = 400

/**
 * The saved state for display: `saved` is reported only after a pause, everything else immediately. Otherwise the
 * indicator would blink between the keys of a typing user, and its component would render twice per key.
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
