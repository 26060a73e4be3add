import { X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { describeError } from '../api/client.ts'
import { createStore } from '../common/store.ts'
import { t } from '../i18n/translate.ts'

/**
 * The action of a toast. A toast that `stays` disappears only when its offer ends, or when it is dismissed. With
 * `offered` the toast disappears as soon as `isOpen` turns from true to false; `subscribe` calls back whenever that may
 * have changed, and returns a function that unsubscribes.
 */
type ToastAction = {
  label: string
  run: () => void
  stays?: boolean
  offered?: { subscribe: (listener: () => void) => () => void; isOpen: () => boolean }
}

type Toast = { id: number; text: string; tone: 'plain' | 'error'; action?: ToastAction }

const toasts = createStore<readonly Toast[]>([])
const shownFor = 6000
let lastId = 0

function add(toast: Omit<Toast, 'id'>): void {
  // Repeated errors of a held key are shown once.
  if (toasts.get().some(({ text, action }) => text === toast.text && !action && !toast.action)) return
  lastId += 1
  const id = lastId
  toasts.set([...toasts.get().slice(-2), { ...toast, id }])
  if (toast.action?.stays !== true) setTimeout(() => dismiss(id), shownFor)
}

function dismiss(id: number): void {
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

/** The container of toasts. Rendered once; announces politely and never takes the focus. */
export function Toasts() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get)
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 z-50 flex flex-col items-center gap-2 px-4 max-[899px]:top-28 min-[900px]:bottom-24"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const tone =
    toast.tone === 'error' ? 'border-danger/40 bg-danger-soft text-danger' : 'border-line bg-surface text-ink'
  useEffect(() => dismissWhenOver(toast), [toast])
  return (
    <div
      className={`pop pointer-events-auto flex max-w-md items-center gap-3 rounded-lg border px-4 py-2.5 text-sm shadow-raised ${tone}`}
    >
      <span className="min-w-0 break-words">{toast.text}</span>
      {toast.action && (
        <button
          type="button"
          className="shrink-0 font-medium text-accent underline underline-offset-2"
          onClick={() => {
            toast.action?.run()
            dismiss(toast.id)
          }}
        >
          {toast.action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={t('Dismiss')}
        className="shrink-0 rounded p-0.5 opacity-70 hover:opacity-100"
        onClick={() => dismiss(toast.id)}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  )
}

function dismissWhenOver({ id, action }: Toast): (() => void) | undefined {
  const offered = action?.offered
  if (!offered) return undefined
  let wasOpen = offered.isOpen()
  return offered.subscribe(() => {
    const isOpen = offered.isOpen()
    if (wasOpen && !isOpen) dismiss(id)
    wasOpen = isOpen
  })
}
