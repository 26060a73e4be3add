import { lazy, Suspense, useEffect } from 'react'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { showHistory, useHistory } from './shown-history.ts'

const HistoryView = lazy(async () => ({ default: (await import('./history-view.tsx')).HistoryView }))

type HistoryGateProps = { connection: DocumentConnection; canEdit: boolean; onClosed: () => void }

/** Opens the history of a document for users with the right to it: by its shortcut, or from the document's menu. */
export function HistoryGate({ connection, canEdit, onClosed }: HistoryGateProps) {
  const { document } = connection
  const isShown = useHistory(document)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isAsked = (event.ctrlKey || event.metaKey) && event.altKey && event.shiftKey && event.code === 'KeyH'
      if (!isAsked || event.defaultPrevented || event.isComposing || !canEdit) return
      event.preventDefault()
      showHistory(document)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [document, canEdit])
  // After navigating to another document the history is closed.
  useEffect(() => () => showHistory(null), [])
  if (!isShown || !canEdit) return null
  return (
    <Suspense fallback={null}>
      <HistoryView
        connection={connection}
        onClose={() => {
          showHistory(null)
          onClosed()
        }}
      />
    </Suspense>
  )
}
