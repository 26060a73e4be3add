import { X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react'
import { t } from '../../i18n/translate.ts'
import { dismissToast, type Toast, toasts } from './toasts.tsx'

/** The container of toasts. Rendered once; announces politely and never takes the focus. */
export function ToastList() {
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
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => dismissInTime(toast, card), [toast])
  return (
    <div
      ref={card}
      className={`pop pointer-events-auto flex max-w-md items-center gap-3 rounded-lg border px-4 py-2.5 text-sm shadow-raised ${tone}`}
    >
      <span className="min-w-0 break-words">{toast.text}</span>
      {toast.action && (
        <button
          type="button"
          className="shrink-0 font-medium text-accent underline underline-offset-2"
          onClick={() => {
            toast.action?.run()
            dismissToast(toast.id)
          }}
        >
          {toast.action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={t('Dismiss')}
        className="shrink-0 rounded p-0.5 opacity-70 hover:opacity-100"
        onClick={() => dismissToast(toast.id)}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  )
}

const shownFor = 6000

// Its time begins when it is drawn, because a page may be busy when it is added. It remains while the pointer or the
// focus is on it.
function dismissInTime({ id, action }: Toast, card: RefObject<HTMLDivElement | null>): (() => void) | undefined {
  if (action?.persistent) return undefined
  const timer = setInterval(() => {
    if (!card.current?.matches(':hover, :focus-within')) dismissToast(id)
  }, shownFor)
  return () => clearInterval(timer)
}

function dismissWhenOver({ id, action }: Toast): (() => void) | undefined {
  const offered = action?.offered
  if (!offered) return undefined
  let wasOpen = offered.isOpen()
  return offered.subscribe(() => {
    const isOpen = offered.isOpen()
    if (wasOpen && !isOpen) dismissToast(id)
    wasOpen = isOpen
  })
}
