import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

const drafts = createStore<ReadonlyMap<string, string>>(new Map())

type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The drafts of one place, for parts that keep several under keys of their own, such as proposals that somebody is mending. They come back
 * after a reload of this tab, for the same person only; a browser that keeps nothing keeps them as long as the page lives.
 */
export function keptDraftsOf(owner: string, place: string, memory: Memory = sessionStorage) {
  const name = (key: string) => `copydesk draft ${owner} ${place} ${key}`
  return {
    get: (key: string) => drafts.get().get(name(key)) ?? remembered(memory, name(key)),
    set(key: string, text: string) {
      remember(memory, name(key), text)
      writeDraft(name(key), text)
    },
    subscribe: drafts.subscribe,
  }
}

function remembered(memory: Memory, name: string): string {
  try {
    return memory.getItem(name) ?? ''
  } catch {
    return ''
  }
}

function remember(memory: Memory, name: string, text: string): void {
  try {
    if (text === '') memory.removeItem(name)
    else memory.setItem(name, text)
  } catch {
    // Full or forbidden: it lives as long as the page.
  }
}

/** Where the comment on selected text is kept that nobody has sent yet. */
export function newCommentDraft(document: string): string {
  return `new comment ${document}`
}

/** Changes the draft under `key` from outside of the field that shows it. */
export function changeDraft(key: string, change: (now: string) => string): void {
  writeDraft(key, change(drafts.get().get(key) ?? ''))
}

/** What somebody has written about a document and not yet sent, wherever on its page. */
export function draftsAbout(document: string): string[] {
  return [...drafts.get()].filter(([key]) => key.includes(document)).map(([, text]) => text)
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
    if (typeof next === 'string') writeDraft(key, next)
    else changeDraft(key, next)
  }
  return [text, write]
}
