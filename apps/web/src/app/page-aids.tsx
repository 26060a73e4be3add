import type { Me } from '@copydesk/protocol'
import { startTransition, useEffect, useState, useSyncExternalStore } from 'react'
import { separatePart } from '../common/lazy-part.ts'
import { useCallerChanges } from '../api/caller/caller-changes.ts'
import { type PaletteAdditions, paletteAdditions, paletteShown } from '../common/commands/palette-additions.ts'
import { isModKey } from '../common/commands/shortcut-keys.ts'
import { useHelpKeys } from '../common/commands/use-help-keys.ts'
import { useKeyDown } from '../common/commands/use-key-down.ts'
import { showError } from '../ui/toasts/toasts.tsx'
import { TooltipLayer } from '../ui/tooltips/tooltip-layer.tsx'
import { useFocusFallback } from '../ui/focus/use-focus-fallback.ts'
import { bringsFiles } from '../common/files/brings-files.ts'

const ShortcutsOverview = separatePart(
  async () => (await import('../document/editor/shortcuts-overview.tsx')).ShortcutsOverview,
)

const idleAfterMs = 3000

type PageAidsProps = {
  me: Me
  /** Whether the shortcuts for help are handled here and not by the page. */
  hasHelp: boolean
}

/** The parts of every page that it doesn't need at first. */
export function PageAids({ me, hasHelp }: PageAidsProps) {
  useFileDropGuard()
  useFocusFallback()
  useCallerChanges()
  useEffect(registerServiceWorker, [])
  return (
    <>
      <TooltipLayer />
      {hasHelp && <Help />}
      <PaletteOnDemand me={me} />
    </>
  )
}

const loadPalette = () => import('../palette/palette.tsx')
type Loaded = { Palette: Awaited<ReturnType<typeof loadPalette>>['Palette']; offers: PaletteAdditions | undefined }

/** The palette, loaded when it is first opened or some time after the page, with the page's own entries. */
function PaletteOnDemand({ me }: { me: Me }) {
  const isShown = useSyncExternalStore(paletteShown.subscribe, paletteShown.get)
  // A page that has just opened offers its entries a moment later.
  const readOffers = useSyncExternalStore(paletteAdditions.subscribe, paletteAdditions.get)
  const [loaded, setLoaded] = useState<Loaded>()
  usePaletteKeys()
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), idleAfterMs)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (!isShown) return undefined
    let isLeft = false
    // Until the palette is loaded, it can't close itself.
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && paletteShown.set(false)
    addEventListener('keydown', onKeyDown)
    const load = async () => {
      const [{ Palette }, offers] = await Promise.all([loadPalette(), readOffers?.()])
      if (!isLeft) setLoaded({ Palette, offers })
      removeEventListener('keydown', onKeyDown)
    }
    load().catch((error: unknown) => {
      paletteShown.set(false)
      showError(error)
    })
    return () => {
      isLeft = true
      removeEventListener('keydown', onKeyDown)
    }
  }, [isShown, readOffers])
  useEffect(() => () => setLoaded(undefined), [isShown])
  return loaded && <loaded.Palette me={me} offers={loaded.offers} />
}

/** Mod-K opens the palette and closes it, unless a dialog is open over the page. */
function usePaletteKeys(): void {
  useKeyDown((event) => {
    if (event.defaultPrevented || event.isComposing || !isModKey(event, 'k')) return
    // The browser would search the web, or go to its address bar.
    event.preventDefault()
    const isCovered = document.querySelector('main')?.closest('[aria-hidden="true"], [inert]') != null
    if (paletteShown.get()) paletteShown.set(false)
    else if (!isCovered) paletteShown.set(true)
  })
}

/** The overview of all keyboard shortcuts, opened by its keys, for pages without an editor, which has its own. */
function Help() {
  const [isOpen, setOpen] = useState(false)
  useHelpKeys(() => startTransition(() => setOpen(true)))
  if (!isOpen) return null
  return <ShortcutsOverview onClose={() => setOpen(false)} />
}

/**
 * Registers the service worker that keeps the app for reloads without the server, once the page has loaded. Does
 * nothing in development, and where browsers have no service workers (plain HTTP).
 */
function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  setTimeout(() => void register().catch(() => undefined), idleAfterMs)
}

// A browser that refuses service workers only lacks offline reloads.
async function register(): Promise<void> {
  await navigator.serviceWorker.register('/service-worker.js')
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage({ loaded: performance.getEntriesByType('resource').map(({ name }) => name) })
}

/**
 * Prevents drops of files where no element accepts them. Otherwise the browser would leave the page and open the file.
 */
function useFileDropGuard(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !bringsFiles(event.dataTransfer) || isFileField(event.target)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
    }
    addEventListener('dragover', refuse)
    addEventListener('drop', refuse)
    return () => {
      removeEventListener('dragover', refuse)
      removeEventListener('drop', refuse)
    }
  }, [])
}

function isFileField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'file'
}
