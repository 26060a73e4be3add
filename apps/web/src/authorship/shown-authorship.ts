import { useSyncExternalStore } from 'react'
import { createStore } from '../app/store.ts'

const shown = createStore<string | null>(null)

/**
 * Whether a document shows the authorship view, and its setter. Initially off, and off again after another document was
 * shown.
 */
export function useAuthorship(document: string): [boolean, (isShown: boolean) => void] {
  const isShown = useSyncExternalStore(shown.subscribe, () => shown.get() === document)
  return [isShown, (next) => shown.set(next ? document : null)]
}
