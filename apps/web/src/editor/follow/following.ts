import type { Awareness } from 'y-protocols/awareness'
import { createStore, type Store } from '../../app/store.ts'
import { presenceKey } from '../../collaboration/presence.ts'

/** The user that this user follows: the key of a presence, or null. */
export type Following = Store<string | null>

/** Creates the store, initially null. */
export function createFollowing(): Following {
  return createStore<string | null>(null)
}

/**
 * The caret of a presence, as JSON of Yjs relative positions; with several windows, that of the window that has one.
 * Undefined if there is none.
 */
export function caretOf(states: Awareness['states'], key: string): unknown {
  let head: unknown
  for (const state of states.values()) {
    if (presenceKey(state) === key) head = state['cursor']?.head ?? head
  }
  return head
}
