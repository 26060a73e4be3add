import { useCallback, useSyncExternalStore } from 'react'

// Only for screens: during printing, the panel would otherwise become a dialog over the text.
const narrow = 'screen and (max-width: 899px)'

/** Whether the window is too narrow for text and chat side by side. */
export function isNarrow(): boolean {
  return matchMedia(narrow).matches
}

/** `isNarrow`, updated when the window changes. */
export function useNarrow(): boolean {
  return useMediaQuery(narrow)
}

/** Whether the window matches a media query, updated when the window changes. */
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
