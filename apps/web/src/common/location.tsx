import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'

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

/** Calls back whenever the address changes within the app; returns a function that unsubscribes. */
export function subscribeToAddress(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  const stop = subscribe(listener)
  return () => {
    removeEventListener('hashchange', listener)
    stop()
  }
}

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname)
}

/** The current query, with its question mark; empty without one. */
export function useSearch(): string {
  return useSyncExternalStore(subscribe, () => location.search)
}

/**
 * Navigates to another page of the app without a reload. `isNew`: the document there was just created; `replace`
 * replaces the history entry.
 */
export function navigate(path: string, { isNew = false, replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path)
  else history.pushState(isNew ? newState : null, '', path)
  dispatchEvent(new Event(moved))
}

/** Whether the current page is that of a document just created; false after `forgetNew`. */
export function isNewDocument(): boolean {
  return history.state === newState
}

/** Clears the mark of a new document, also for a reload. */
export function forgetNew(): void {
  if (isNewDocument()) history.replaceState(null, '')
}

const pages = {
  '/': 'documents',
  '/trash': 'documents',
  '/sign-in': 'sign-in',
  '/set-up': 'link',
  '/join': 'link',
  '/reset': 'link',
  '/stop-mail': 'link',
  '/account': 'account',
  '/sessions': 'sessions',
  '/keys': 'keys',
  '/people': 'people',
  '/ownerless': 'ownerless',
  '/storage': 'storage',
  '/tool-servers': 'tool-servers',
  '/agents': 'agents',
  '/agent-settings': 'agent-settings',
  '/usage': 'usage',
  '/webhooks': 'webhooks',
  '/models': 'models',
  '/audit': 'audit',
} as const

type PageName = (typeof pages)[keyof typeof pages]

/** The pages of an account, and those of operators. */
export type AccountPageName = Exclude<PageName, 'documents'>

/** The routes of the app. */
export type Route = { page: PageName | 'unknown' } | { page: 'document'; id: string } | { page: 'share'; token: string }

const pageAt: Readonly<Record<string, PageName>> = pages

export function readRoute(path: string): Route {
  const id = /^\/d\/([A-Za-z0-9_-]{1,64})\/?$/.exec(path)?.[1]
  if (id !== undefined) return { page: 'document', id }
  if (/^\/f\/[A-Za-z0-9_-]{1,64}\/?$/.test(path)) return { page: 'documents' }
  const token = /^\/s\/([A-Za-z0-9_-]{1,64})\/?$/.exec(path)?.[1]
  if (token !== undefined) return { page: 'share', token }
  return { page: pageAt[path] ?? 'unknown' }
}

export function documentPath(id: string): string {
  return `/d/${id}`
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string }

/** A link to another page of the app; modified clicks (new tab, download) are left to the browser. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !plain) return
    event.preventDefault()
    navigate(to)
  }
  return <a {...rest} href={to} onClick={go} />
}
