import { useCallback, useSyncExternalStore } from 'react'

// Not of paper: while the browser prints, the panel would become a dialog over the text.
const narrow = 'screen and (max-width: 899px)'

/** Whether the window is too narrow for text and chat side by side. */
export function isNarrow(): boolean {
  return matchMedia(narrow).matches
}

/** `isNarrow`, kept current. */
export function useNarrow(): boolean {
  return useMediaQuery(narrow)
}

/** Whether the window matches a media query, kept current. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
