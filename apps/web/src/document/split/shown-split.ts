import { useSyncExternalStore } from 'react'
import { createStore } from '../../app/store.ts'

const shown = createStore<string | null>(null)

/** The keys that ask to move what follows to a new document. */
export const splitKeys = 'Mod-Alt-Shift-n'

/** Whether it is asked what of a document is to move to a new one. */
export function useSplit(document: string): boolean {
  return useSyncExternalStore(shown.subscribe, () => shown.get() === document)
}

/** Asks for moving a part of a document to a new one; `null` ends the question. */
export function showSplit(document: string | null): void {
  shown.set(document)
}
