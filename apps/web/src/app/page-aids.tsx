import { lazy, startTransition, Suspense, useEffect, useState } from 'react'
import { useOwnNews } from '../api/own-news.ts'
import { useHelpKeys } from '../common/use-help-keys.ts'
import { TooltipLayer } from '../ui/tooltip-layer.tsx'
import { useFocusFallback } from '../ui/use-focus-fallback.ts'
import { useFileDropGuard } from './use-file-drop-guard.ts'

const ShortcutsOverview = lazy(async () => ({
  default: (await import('../document/editor/shortcuts-overview.tsx')).ShortcutsOverview,
}))

const idleAfterMs = 3000

/** What every page has and no page needs at first. `hasHelp`: whether the page leaves the keys for help to this. */
export function PageAids({ hasHelp }: { hasHelp: boolean }) {
  useFileDropGuard()
  useFocusFallback()
  useOwnNews()
  useEffect(keepApp, [])
  return (
    <>
      <TooltipLayer />
      {hasHelp && <Help />}
    </>
  )
}

/** The overview of all keyboard shortcuts by its keys, for pages without an editor, which has its own. */
function Help() {
  const [isOpen, setOpen] = useState(false)
  useHelpKeys(() => startTransition(() => setOpen(true)))
  if (!isOpen) return null
  return (
    <Suspense>
      <ShortcutsOverview onClose={() => setOpen(false)} />
    </Suspense>
  )
}

/**
 * Registers the service worker that keeps the app for reloads without the server, once the page has loaded. Does
 * nothing in development, and where browsers have no service workers (plain HTTP).
 */
function keepApp(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  setTimeout(() => void register().catch(() => undefined), idleAfterMs)
}

// A browser that refuses loses nothing else.
async function register(): Promise<void> {
  await navigator.serviceWorker.register('/service-worker.js')
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage({ loaded: performance.getEntriesByType('resource').map(({ name }) => name) })
}
