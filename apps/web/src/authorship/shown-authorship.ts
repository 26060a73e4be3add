import { useSyncExternalStore } from 'react'
import { createStore } from '../app/store.ts'

const shown = createStore<string | null>(null)

/** Whether a document shows who wrote what, and what turns that on and off. Off at first, and after another was shown. */
export function useAuthorship(document: string): [boolean, (isShown: boolean) => void] {
  const isShown = useSyncExternalStore(shown.subscribe, () => shown.get() === document)
  return [isShown, (next) => shown.set(next ? document : null)]
}
