import type { Me } from '@copydesk/protocol'
import { useEffect, useSyncExternalStore } from 'react'
import { useWideShortcut } from '../common/commands/use-key-down.ts'
import { separatePart } from '../common/lazy-part.ts'
import { openSideBarSheet } from '../common/layout/side-bar-state.ts'
import { libraryDialog } from '../documents/folders/dialogs.ts'

const loadSheet = () => import('./side-bar-sheet.tsx')
const SideBarSheet = separatePart(async () => (await loadSheet()).SideBarSheet)
const loadDialogs = () => import('../documents/folders/library-dialogs.tsx')
const LibraryDialogs = separatePart(async () => (await loadDialogs()).LibraryDialogs)

const idleAfterMs = 3000

type SideBarAidsProps = { me: Me; place: 'list' | 'document'; isSheetOpen: boolean; onToggle: () => void }

/** The parts of the side bar that aren't needed at first: its key, its sheet, and dialogs about folders. */
export function SideBarAids({ me, place, isSheetOpen, onToggle }: SideBarAidsProps) {
  const hasDialog = useSyncExternalStore(libraryDialog.subscribe, () => libraryDialog.get() !== null)
  // `shownKeys.sideBar`.
  useWideShortcut('KeyB', onToggle)
  useEffect(loadWhenIdle, [])
  return (
    <>
      {isSheetOpen && <SideBarSheet me={me} place={place} onClose={() => openSideBarSheet(false)} />}
      {hasDialog && <LibraryDialogs me={me} />}
    </>
  )
}

// Parts that aren't loaded yet couldn't be opened without the server.
function loadWhenIdle(): () => void {
  const timer = setTimeout(() => void Promise.allSettled([loadSheet(), loadDialogs()]), idleAfterMs)
  return () => clearTimeout(timer)
}
