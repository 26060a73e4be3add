import { useSyncExternalStore } from 'react'

const query = '(max-width: 899px)'

/** Whether the window is too narrow for text and chat side by side. */
export function isNarrow(): boolean {
  return matchMedia(query).matches
}

/** `isNarrow`, kept current. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow)
}

function subscribe(listener: () => void): () => void {
  const list = matchMedia(query)
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}
