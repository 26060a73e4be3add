import { useSyncExternalStore } from 'react'

const moved = 'copydesk:moved'

const newState = 'new'

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener(moved, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(moved, listener)
  }
}

/** Calls back whenever the address changes within the app; answers what ends that. */
export function subscribeToAddress(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  const stop = subscribe(listener)
  return () => {
    removeEventListener('hashchange', listener)
    stop()
  }
}

/** The path of the page that is shown, kept current. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname)
}

/**
 * Goes to another page of the app without loading it anew. `isNew` says that the document there was just created; with
 * `replace` the way back doesn't lead here any more.
 */
export function navigate(path: string, { isNew = false, replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path)
  else history.pushState(isNew ? newState : null, '', path)
  dispatchEvent(new Event(moved))
}

/**
 * Whether the page that is shown is that of a document just created; asked again after `forgetNew`, it isn't any more.
 */
export function isNewDocument(): boolean {
  return history.state === newState
}

/** Makes the page that is shown one like any other, also when it is loaded again. */
export function forgetNew(): void {
  if (isNewDocument()) history.replaceState(null, '')
}

/** The pages that the app has. */
export type Route =
  | { page: 'documents' | 'sign-in' | 'link' | 'account' | 'people' | 'ownerless' | 'storage' | 'audit' | 'unknown' }
  | { page: 'document'; id: string }
  | { page: 'share'; token: string }

const pages: Readonly<Record<string, Exclude<Route['page'], 'document' | 'share'>>> = {
  '/': 'documents',
  '/sign-in': 'sign-in',
  '/set-up': 'link',
  '/join': 'link',
  '/reset': 'link',
  '/account': 'account',
  '/people': 'people',
  '/ownerless': 'ownerless',
  '/storage': 'storage',
  '/audit': 'audit',
}

/** Which page a path stands for. */
export function readRoute(path: string): Route {
  const id = /^\/d\/([A-Za-z0-9_-]{1,64})\/?$/.exec(path)?.[1]
  if (id !== undefined) return { page: 'document', id }
  const token = /^\/s\/([A-Za-z0-9_-]{1,64})\/?$/.exec(path)?.[1]
  if (token !== undefined) return { page: 'share', token }
  return { page: pages[path] ?? 'unknown' }
}

/** The path of a document's page. */
export function documentPath(id: string): string {
  return `/d/${id}`
}
