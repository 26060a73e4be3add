import { useCallback, useState } from 'react'
import { isNarrow } from './use-narrow.ts'

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
