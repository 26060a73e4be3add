import { useSyncExternalStore } from 'react'
import { createStore } from '../app/store.ts'

const shown = createStore<string | null>(null)

/** The keys that open the history. */
export const historyKeys = 'Mod-Alt-Shift-h'

/** Whether the history of a document is open. */
export function useHistory(document: string): boolean {
  return useSyncExternalStore(shown.subscribe, () => shown.get() === document)
}

/** Opens the history of a document; `null` closes the open one. */
export function showHistory(document: string | null): void {
  shown.set(document)
}
