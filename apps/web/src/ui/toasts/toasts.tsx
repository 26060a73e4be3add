import { describeError } from '../../api/client.ts'
import { createStore } from '../../common/store.ts'

/**
 * The action of a toast. A toast that `persistent` disappears only when its offer ends, or when it is dismissed. With
 * `offered` the toast disappears as soon as `isOpen` turns from true to false; `subscribe` calls back whenever that may
 * have changed, and returns a function that unsubscribes.
 */
type ToastAction = {
  label: string
  run: () => void
  persistent?: boolean
  offered?: { subscribe: (listener: () => void) => () => void; isOpen: () => boolean }
}

/** A toast that is shown. */
export type Toast = { id: number; text: string; tone: 'plain' | 'error'; action?: ToastAction }

/** The visible toasts, the newest last. */
export const toasts = createStore<readonly Toast[]>([])
let lastId = 0

function add(toast: Omit<Toast, 'id'>): void {
  // Repeated errors of a held key are shown once.
  if (toasts.get().some(({ text, action }) => text === toast.text && !action && !toast.action)) return
  lastId += 1
  const id = lastId
  toasts.set([...toasts.get().slice(-2), { ...toast, id }])
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}

/** Shows a short confirmation for a few seconds, with at most one action. */
export function showToast(text: string, action?: ToastAction): void {
  add({ text, tone: 'plain', ...(action ? { action } : {}) })
}

/** Shows an error, with the server's hint. */
export function showError(error: unknown): void {
  add({ text: describeError(error), tone: 'error' })
}
