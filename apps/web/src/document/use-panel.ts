import { useCallback, useState } from 'react'
import { isNarrow } from './use-narrow.ts'

/** The run that the panel should bring into view; `at` tells one request from the next. */
export type ShownRun = { run: string; at: number }

/** Whether the chat panel is open, and which run it should show. Open at first where there is room for it. */
export function usePanel() {
  const [open, setOpen] = useState(() => !isNarrow())
  const [shownRun, setShownRun] = useState<ShownRun>()
  const showRun = useCallback((run: string) => {
    setOpen(true)
    setShownRun((before) => ({ run, at: (before?.at ?? 0) + 1 }))
  }, [])
  return {
    open,
    setOpen,
    shownRun,
    toggle: () => setOpen((before) => !before),
    showRun,
  }
}
