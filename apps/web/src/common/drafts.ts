import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

const drafts = createStore<ReadonlyMap<string, string>>(new Map())

type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The drafts of one component that keeps several, each under its own key, such as edited proposals. They survive a
 * reload of this tab, for the same user only; if the browser blocks storage, they last as long as the page.
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
    // Storage is full or blocked: the draft lasts as long as the page.
  }
}

/** The key of the unsent comment on selected text. */
export function newCommentDraft(document: string): string {
  return `new comment ${document}`
}

/** Changes the draft under `key` from outside of the field that shows it. */
export function changeDraft(key: string, change: (now: string) => string): void {
  writeDraft(key, change(drafts.get().get(key) ?? ''))
}

/** All unsent drafts about a document, from all parts of its page. */
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
 * An unsent draft, kept under `key` for the lifetime of the page: closing a panel or another page loses nothing. The
 * second value sets it; it also takes an updater function.
 */
export function useDraft(key: string): [string, (next: string | ((now: string) => string)) => void] {
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.get().get(key) ?? '')
  const write = (next: string | ((now: string) => string)) => {
    if (typeof next === 'string') writeDraft(key, next)
    else changeDraft(key, next)
  }
  return [text, write]
}
