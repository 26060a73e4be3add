import { useSyncExternalStore } from 'react'
import { createStore } from '../../app/store.ts'

const shown = createStore<string | null>(null)

/** The shortcut that asks to move what follows to a new document. */
export const splitKeys = 'Mod-Alt-Shift-n'

/** Whether the split dialog of a document is open. */
export function useSplit(document: string): boolean {
  return useSyncExternalStore(shown.subscribe, () => shown.get() === document)
}

/** Opens the split dialog of a document; `null` closes it. */
export function showSplit(document: string | null): void {
  shown.set(document)
}
