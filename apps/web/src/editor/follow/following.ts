import type { Awareness } from 'y-protocols/awareness'
import { createStore, type Store } from '../../app/store.ts'
import { presenceKey } from '../../collaboration/presence.ts'

/** Whom this person follows with their eyes: the key of a presence, null for nobody. */
export type Following = Store<string | null>

/** Creates it, following nobody. */
export function createFollowing(): Following {
  return createStore<string | null>(null)
}

/** The caret of a presence, as Yjs relative positions travel; of several windows that which has one. Undefined while there is none. */
export function caretOf(states: Awareness['states'], key: string): unknown {
  let head: unknown
  for (const state of states.values()) {
    if (presenceKey(state) === key) head = state['cursor']?.head ?? head
  }
  return head
}
