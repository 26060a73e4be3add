import type { Me } from '@copydesk/protocol'
import { lazy, Suspense, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { openSideBarSheet } from '../common/side-bar-state.ts'
import { libraryDialog } from '../documents/folders/dialogs.ts'

const SideBarSheet = lazy(async () => ({ default: (await import('./side-bar-sheet.tsx')).SideBarSheet }))
const LibraryDialogs = lazy(async () => ({
  default: (await import('../documents/folders/library-dialogs.tsx')).LibraryDialogs,
}))

type SideBarAidsProps = { me: Me; place: 'list' | 'document'; isSheetOpen: boolean; onToggle: () => void }

/** What belongs to the side bar and isn't needed at first: its key, its sheet, and dialogs about folders. */
export function SideBarAids({ me, place, isSheetOpen, onToggle }: SideBarAidsProps) {
  const hasDialog = useSyncExternalStore(libraryDialog.subscribe, () => libraryDialog.get() !== null)
  useToggleKey(onToggle)
  return (
    <Suspense>
      {isSheetOpen && <SideBarSheet me={me} place={place} onClose={() => openSideBarSheet(false)} />}
      {hasDialog && <LibraryDialogs me={me} />}
    </Suspense>
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
