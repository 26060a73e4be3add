import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

const drafts = createStore<ReadonlyMap<string, string>>(new Map())

/** The drafts of one place, for parts that keep several under keys of their own. */
export function draftsOf(place: string) {
  return {
    get: (key: string) => drafts.get().get(`${place} ${key}`) ?? '',
    set: (key: string, text: string) => writeDraft(`${place} ${key}`, text),
    subscribe: drafts.subscribe,
  }
}

function writeDraft(key: string, text: string): void {
  const all = new Map(drafts.get())
  if (text === '') all.delete(key)
  else all.set(key, text)
  drafts.set(all)
}

/**
 * What somebody has written and not yet sent, kept under `key` for as long as the page lives: closing a panel or looking elsewhere
 * loses nothing. The second value writes it; it also takes a function from what stands there now.
 */
export function useDraft(key: string): [string, (next: string | ((now: string) => string)) => void] {
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.get().get(key) ?? '')
  const write = (next: string | ((now: string) => string)) => {
    writeDraft(key, typeof next === 'string' ? next : next(drafts.get().get(key) ?? ''))
  }
  return [text, write]
}
