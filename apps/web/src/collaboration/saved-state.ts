import { createStore, sameJson, type Store } from '../common/store.ts'
import { t } from '../i18n/translate.ts'
import type { ConnectionState } from './connection-state.ts'

/** The saved state: one word, a sentence for the tooltip, and whether to draw attention. */
export type SavedState = { kind: 'opening' | 'saved' | 'saving' | 'offline' | 'refused'; label: string; detail: string }

/**
 * Whether all changes are on the server's disk. "Saved" needs a connection, a finished sync and no unacknowledged
 * change.
 */
export function savedState(state: ConnectionState): SavedState {
  if (state.refusal === 'too_many')
    return { kind: 'offline', label: t('Not connected'), detail: describeWaiting(state) }
  if (state.refusal === 'foreign') {
    return { kind: 'refused', label: t('Not saved'), detail: t('The server is waiting for another person’s changes.') }
  }
  if (state.refusal === 'no_room') {
    return { kind: 'refused', label: t('Not saved'), detail: t('The server has no room for the last change.') }
  }
  if (state.refusal) {
    return { kind: 'refused', label: t('Not saved'), detail: t('The server refused the last change.') }
  }
  if (state.uploading) return { kind: 'saving', label: t('Saving…'), detail: t('Sending a large change.') }
  if (!state.connected) {
    if (!state.opened) return { kind: 'opening', label: t('Connecting…'), detail: t('Waiting for the server.') }
    return {
      kind: 'offline',
      label: t('Offline'),
      detail: describeOffline(state),
    }
  }
  if (!state.opened) return { kind: 'opening', label: t('Opening…'), detail: t('Fetching the document.') }
  if (state.readOnly && state.synced)
    return { kind: 'saved', label: t('Saved'), detail: t('You can read but not edit.') }
  if (state.synced && state.unsynced === 0) {
    return { kind: 'saved', label: t('Saved'), detail: t('Everything is on the server.') }
  }
  return { kind: 'saving', label: t('Saving…'), detail: t('Sending your changes.') }
}

function describeWaiting({ kept, unsyncedSince }: ConnectionState): string {
  if (unsyncedSince === null) return t('Everything is on the server.')
  return kept
    ? t('Your changes are kept in this browser and sent when there is room.')
    : t('Your changes are kept in this tab and sent when there is room.')
}

function describeOffline({ kept, unsyncedSince, readOnly }: ConnectionState): string {
  if (readOnly) return t('You see the document as it was.')
  if (unsyncedSince === null) {
    return kept
      ? t('You can continue writing. Your changes are kept in this browser.')
      : t('You can continue writing. Your changes are kept in this tab.')
  }
  return kept
    ? t('Your changes are kept in this browser and sent when you are back.')
    : t('Your changes are kept in this tab and sent when you are back.')
}

const debounceMs = 400

/**
 * The saved state for display: `saved` is reported only after a pause, other states immediately. Otherwise the
 * indicator would blink between the keys of a typing user, and its component would render twice per key.
 */
export function createDebouncedState(state: Pick<Store<ConnectionState>, 'get' | 'subscribe'>) {
  const shown = createStore<SavedState>(savedState(state.get()), sameJson)
  const show = () => shown.set(savedState(state.get()))
  return {
    get: shown.get,
    subscribe(listener: () => void): () => void {
      let rest: ReturnType<typeof setTimeout> | undefined
      const follow = () => {
        clearTimeout(rest)
        const waits = shown.get().kind === 'saving' && savedState(state.get()).kind === 'saved'
        if (waits) rest = setTimeout(show, debounceMs)
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
