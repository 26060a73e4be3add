import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
type Update = string | ((now: string) => string)

/**
 * The unsent texts of one user in this tab, by key; an empty text counts as none. They survive closing a panel,
 * navigation and a reload. If the storage is blocked or full, they last as long as the page.
 */
export class DraftStore {
  readonly #memory: () => Memory
  readonly #texts = createStore<ReadonlyMap<string, string>>(new Map())
  #prefix = ''
  readonly subscribe = this.#texts.subscribe

  /** `memory` is called at each access, since merely reading `sessionStorage` throws where storage is blocked. */
  constructor(memory: () => Memory) {
    this.#memory = memory
  }

  /** Switches to the drafts of this user. */
  open(user: string): void {
    const prefix = `copydesk draft ${user} `
    if (prefix === this.#prefix) return
    this.#prefix = prefix
    this.#texts.set(new Map(this.#stored()))
  }

  get(key: string): string {
    return this.#texts.get().get(key) ?? ''
  }

  set(key: string, next: Update): void {
    const text = typeof next === 'string' ? next : next(this.get(key))
    const all = new Map(this.#texts.get())
    if (text === '') all.delete(key)
    else all.set(key, text)
    this.#store(key, text)
    this.#texts.set(all)
  }

  /** All drafts whose key names this document. */
  about(document: string): string[] {
    return [...this.#texts.get()].filter(([key]) => key.includes(document)).map(([, text]) => text)
  }

  #stored(): [string, string][] {
    try {
      const memory = this.#memory()
      const names = Array.from(memory, (_, index) => memory.key(index) ?? '')
      return names
        .filter((name) => name.startsWith(this.#prefix))
        .map((name) => [name.slice(this.#prefix.length), memory.getItem(name) ?? ''])
    } catch {
      return []
    }
  }

  #store(key: string, text: string): void {
    try {
      if (text === '') this.#memory().removeItem(this.#prefix + key)
      else this.#memory().setItem(this.#prefix + key, text)
    } catch {
      // The draft lasts as long as the page.
    }
  }
}

/** The drafts of the user of this tab. */
export const drafts = new DraftStore(() => sessionStorage)

/** The drafts of one component that keeps several, such as edited proposals, each under its own key. */
export function draftsUnder(place: string): Pick<DraftStore, 'get' | 'set' | 'subscribe'> {
  return {
    get: (key) => drafts.get(`${place} ${key}`),
    set: (key, text) => drafts.set(`${place} ${key}`, text),
    subscribe: drafts.subscribe,
  }
}

/** The key of the unsent comment on selected text. */
export function newCommentDraft(document: string): string {
  return `new comment ${document}`
}

/** The key of the unsaved text of a comment that its author changes. */
export function editCommentDraft(document: string, comment: string): string {
  return `edit comment ${document} ${comment}`
}

/** The draft under `key`, and a function that sets it, which also takes an updater. */
export function useDraft(key: string): [string, (next: Update) => void] {
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.get(key))
  return [text, (next) => drafts.set(key, next)]
}
