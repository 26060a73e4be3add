import { useCallback, useSyncExternalStore } from 'react'

/** Where texts are kept that were written and not yet sent: closing the panel loses nothing. An empty text is none. */
export type Drafts = {
  get(key: string): string
  set(key: string, text: string): void
  subscribe(listener: () => void): () => void
}

/** Drafts in memory, for as long as the page lives. */
export function createDrafts(): Drafts {
  const texts = new Map<string, string>()
  const listeners = new Set<() => void>()
  return {
    get: (key) => texts.get(key) ?? '',
    set(key, text) {
      if (text === '') texts.delete(key)
      else texts.set(key, text)
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** One draft and what writes it. */
export function useDraftText(drafts: Drafts, key: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.get(key))
  const write = useCallback((next: string) => drafts.set(key, next), [drafts, key])
  return [text, write]
}

/** The key under which a step's edited text is kept. */
export function editKey(step: string): string {
  return `edit ${step}`
}
