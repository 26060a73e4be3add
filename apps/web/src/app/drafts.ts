import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

const drafts = createStore<ReadonlyMap<string, string>>(new Map())

/**
 * What somebody has written and not yet sent, kept under `key` for as long as the page lives: closing a panel or looking elsewhere
 * loses nothing. The second value writes it; it also takes a function from what stands there now.
 */
export function useDraft(key: string): [string, (next: string | ((now: string) => string)) => void] {
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.get().get(key) ?? '')
  const write = (next: string | ((now: string) => string)) => {
    const all = new Map(drafts.get())
    const value = typeof next === 'string' ? next : next(all.get(key) ?? '')
    if (value === '') all.delete(key)
    else all.set(key, value)
    drafts.set(all)
  }
  return [text, write]
}
