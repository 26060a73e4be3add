import { useCallback, useSyncExternalStore } from 'react'

/** A store of unsent texts: closing the panel loses none. An empty text counts as none. */
export type Drafts = {
  get(key: string): string
  set(key: string, text: string): void
  subscribe(listener: () => void): () => void
}

/** Drafts in memory, for the lifetime of the page. */
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

export function useDraftText(drafts: Drafts, key: string): [string, (text: string) => void] {
  const read = () => drafts.get(key)
  // The server's HTML also contains a stored draft; without the third argument rendering on servers throws.
  const text = useSyncExternalStore(drafts.subscribe, read, read)
  const write = useCallback((next: string) => drafts.set(key, next), [drafts, key])
  return [text, write]
}

/** The key of the draft of the message to the agent. */
export const messageKey = 'message'

/** The key of the draft of a step's edited text. */
export function editKey(step: string): string {
  return `edit ${step}`
}
