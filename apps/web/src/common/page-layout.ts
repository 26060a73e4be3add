import { useCallback, useState, useSyncExternalStore } from 'react'
import { createStore, type Store } from './store.ts'

/** The run that the panel should scroll into view; `at` distinguishes repeated requests. */
export type ShownRun = { id: string; at: number }

/** The tabs of the panel next to the text. */
export type PanelTab = 'chat' | 'comments'

/** Whether the panel next to the text is open, its tab, and the run to show. Initially open if there is room for it. */
export function usePanel() {
  const [open, setOpen] = useState(() => !isNarrow())
  const [tab, setTab] = useState<PanelTab>('chat')
  const [shownRun, setShownRun] = useState<ShownRun>()
  const showRun = useCallback((run: string) => {
    setOpen(true)
    setTab('chat')
    setShownRun((before) => ({ id: run, at: (before?.at ?? 0) + 1 }))
  }, [])
  const askAgent = useCallback(() => {
    setOpen(true)
    setTab('chat')
    // The message box is mounted in the next frame.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-label="Message the agent"]')?.focus())
  }, [])
  const showComments = useCallback(() => {
    setOpen(true)
    setTab('comments')
  }, [])
  return {
    open,
    setOpen,
    tab,
    setTab,
    shownRun,
    toggle: () => setOpen((before) => !before),
    showRun,
    askAgent,
    showComments,
  }
}

// Not of paper: while the browser prints, the panel would become a dialog over the text.
const narrow = 'screen and (max-width: 899px)'

/** Windows with room left of the text for the outline, for the side bar, and for both, of which the side bar is first. */
const room = { outline: '(min-width: 1360px)', sideBar: '(min-width: 1440px)', both: '(min-width: 1920px)' } as const

const sideBarKey = 'copydesk side bar'

/** Whether the user wants the side bar next to documents, and whether it is open as a sheet where it has no room. */
const sideBar = createStore({ isWanted: recallSideBar(), isSheetOpen: false })

function recallSideBar(): boolean {
  try {
    return localStorage.getItem(sideBarKey) === 'shown'
  } catch {
    return false
  }
}

/** Opens or closes the side bar where it has no room beside the page. */
export function openSideBarSheet(isSheetOpen: boolean): void {
  sideBar.set({ ...sideBar.get(), isSheetOpen })
}

function wantSideBar(isWanted: boolean): void {
  sideBar.set({ ...sideBar.get(), isWanted })
  try {
    localStorage.setItem(sideBarKey, isWanted ? 'shown' : 'hidden')
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}

/**
 * The side bar of a page: always beside a list that has room for it, beside a document only if the user wants it, else
 * a sheet.
 */
export function useSideBar(place: 'list' | 'document') {
  const { isWanted, isSheetOpen } = useSyncExternalStore(sideBar.subscribe, sideBar.get)
  const isListWide = !useNarrow()
  const isDocumentWide = useMediaQuery(room.sideBar)
  const hasRoom = place === 'list' ? isListWide : isDocumentWide
  const isDocked = hasRoom && (place === 'list' || isWanted)
  const toggle = () => (hasRoom ? place === 'document' && wantSideBar(!isWanted) : openSideBarSheet(!isSheetOpen))
  return { isDocked, isSheetOpen: isSheetOpen && !hasRoom, toggle }
}

/** Whether the outline has room left of the text, which `--outline` measures. */
export function useRoomForOutline(): boolean {
  const { isDocked } = useSideBar('document')
  return useMediaQuery(isDocked ? room.both : room.outline)
}

/** Whether the window is too narrow for text and chat side by side. */
export function isNarrow(): boolean {
  return matchMedia(narrow).matches
}

/** `isNarrow`, kept current. */
export function useNarrow(): boolean {
  return useMediaQuery(narrow)
}

/** Whether the window matches a media query, kept current. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** A view that opens over a document's text on request; the value is the id of the document for which it is open. */
export type ShownView = Store<string | null>

/** The version history. */
export const historyView: ShownView = createStore<string | null>(null)

/** The dialog that moves what follows to a new document. */
export const splitView: ShownView = createStore<string | null>(null)

/** The authorship view. */
export const authorshipView: ShownView = createStore<string | null>(null)

/** The shortcuts of the side bar, the history and the split dialog. */
export const viewKeys = { sideBar: 'Mod-Alt-Shift-b', history: 'Mod-Alt-Shift-h', split: 'Mod-Alt-Shift-n' } as const

/** Whether a view is open for a document. */
export function useIsShown(view: ShownView, document: string): boolean {
  return useSyncExternalStore(view.subscribe, () => view.get() === document)
}
