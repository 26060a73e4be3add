import { useCallback, useState, useSyncExternalStore } from 'react'
import { isNarrow, useMediaQuery } from './media-queries.ts'
import { useSideBar } from './side-bar-state.ts'
import { createStore, type Store } from '../store.ts'

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
  const showChat = useCallback(() => {
    setOpen(true)
    setTab('chat')
  }, [])
  const askAgent = useCallback(() => {
    showChat()
    // The message box is mounted in the next frame.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('textarea.ap-box-text')?.focus())
  }, [showChat])
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
    showChat,
    askAgent,
    showComments,
  }
}

/** Windows with space left of the text for the outline: alone, and next to the side bar. */
const roomForOutline = { alone: '(min-width: 1360px)', withSideBar: '(min-width: 1920px)' } as const

/** Whether the outline fits left of the text, which `--outline` measures. */
export function useRoomForOutline(): boolean {
  const { isDocked } = useSideBar('document')
  return useMediaQuery(isDocked ? roomForOutline.withSideBar : roomForOutline.alone)
}

/** A view that opens over a document's text on request; the value is the id of the document for which it is open. */
export type OverlayStore = Store<string | null>

export const historyView: OverlayStore = createStore<string | null>(null)

/** The dialog that moves the following content to a new document. */
export const splitView: OverlayStore = createStore<string | null>(null)

export const authorshipView: OverlayStore = createStore<string | null>(null)

/** Whether a view is open for a document. */
export function useIsShown(view: OverlayStore, document: string): boolean {
  return useSyncExternalStore(view.subscribe, () => view.get() === document)
}
