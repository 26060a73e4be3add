import type { Me } from '@copydesk/protocol'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { openSideBarSheet, useSideBar } from '../common/page-layout.ts'
import { libraryDialog } from '../documents/folders/dialogs.ts'

const LibraryDialogs = lazy(async () => ({
  default: (await import('../documents/folders/library-dialogs.tsx')).LibraryDialogs,
}))
const SideBar = lazy(async () => ({ default: (await import('./side-bar.tsx')).SideBar }))
const SideBarSheet = lazy(async () => ({ default: (await import('./side-bar-sheet.tsx')).SideBarSheet }))

type WithSideBarProps = { me: Me; place: 'list' | 'document'; children: ReactNode }

/**
 * A page with the side bar beside it, or where that has no room in a sheet over it, and the dialogs about documents and folders. Stays mounted from page to page, so
 * that the side bar keeps its place.
 */
export function WithSideBar({ me, place, children }: WithSideBarProps) {
  const { isDocked, isSheetOpen, toggle } = useSideBar(place)
  const hasDialog = useSyncExternalStore(libraryDialog.subscribe, () => libraryDialog.get() !== null)
  useToggleKey(toggle)
  return (
    <div className={`flex ${place === 'list' ? 'min-h-full' : 'h-full'} ${isDocked ? 'beside-side-bar' : ''}`}>
      {isDocked && (
        <aside
          aria-label="Documents and folders"
          className="sticky top-0 flex h-dvh w-(--side-bar) shrink-0 flex-col border-e border-line bg-page print:hidden"
        >
          <Suspense>
            <SideBar me={me} />
          </Suspense>
        </aside>
      )}
      <div className="min-w-0 flex-1">{children}</div>
      {isSheetOpen && (
        <Suspense>
          <SideBarSheet me={me} onClose={() => openSideBarSheet(false)} />
        </Suspense>
      )}
      {hasDialog && (
        <Suspense fallback={null}>
          <LibraryDialogs me={me} />
        </Suspense>
      )}
    </div>
  )
}

// The shortcut `viewKeys.sideBar`.
function useToggleKey(toggle: () => void): void {
  const ask = useEffectEvent(toggle)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isAsked = (event.ctrlKey || event.metaKey) && event.altKey && event.shiftKey && event.code === 'KeyB'
      if (!isAsked || event.defaultPrevented || event.isComposing) return
      event.preventDefault()
      ask()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
