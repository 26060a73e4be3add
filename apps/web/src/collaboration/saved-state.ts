import { createStore, sameJson, type Store } from '../common/store.ts'
import type { ConnectionState } from './connection-state.ts'

/** The saved state: one word, a sentence for the tooltip, and whether to draw attention. */
export type SavedState = { kind: 'opening' | 'saved' | 'saving' | 'offline' | 'refused'; label: string; detail: string }

/**
 * Reports whether everything is on the server's disk. "Saved" needs a connection, a finished sync and no unacknowledged
 * change.
 */
export function savedState(state: ConnectionState): SavedState {
  if (state.refusal === 'too_many') return { kind: 'offline', label: 'Not connected', detail: describeWaiting(state) }
  if (state.refusal === 'foreign') {
    return { kind: 'refused', label: 'Not saved', detail: 'The server is waiting for another person’s changes.' }
  }
  if (state.refusal === 'no_room') {
    return { kind: 'refused', label: 'Not saved', detail: 'The server has no room for the last change.' }
  }
  if (state.refusal) {
    return { kind: 'refused', label: 'Not saved', detail: 'The server refused the last change.' }
  }
  if (state.bringing) return { kind: 'saving', label: 'Saving…', detail: 'Sending a large change.' }
  if (!state.connected) {
    if (!state.opened) return { kind: 'opening', label: 'Connecting…', detail: 'Waiting for the server.' }
    return {
      kind: 'offline',
      label: 'Offline',
      detail: describeOffline(state),
    }
  }
  if (!state.opened) return { kind: 'opening', label: 'Opening…', detail: 'Fetching the document.' }
  if (state.readOnly && state.synced) return { kind: 'saved', label: 'Saved', detail: 'You can read but not edit.' }
  if (state.synced && state.unsynced === 0) {
    return { kind: 'saved', label: 'Saved', detail: 'Everything is on the server.' }
  }
  return { kind: 'saving', label: 'Saving…', detail: 'Sending your changes.' }
}

function describeWaiting({ kept, unsyncedSince }: ConnectionState): string {
  if (unsyncedSince === null) return 'Everything is on the server.'
  return `Your changes are kept ${kept ? 'in this browser' : 'in this tab'} and sent when there is room.`
}

function describeOffline({ kept, unsyncedSince, readOnly }: ConnectionState): string {
  if (readOnly) return 'You see the document as it was.'
  const place = kept ? 'in this browser' : 'in this tab'
  if (unsyncedSince === null) return `You can continue writing. Your changes are kept ${place}.`
  return `Your changes are kept ${place} and sent when you are back.`
}

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
