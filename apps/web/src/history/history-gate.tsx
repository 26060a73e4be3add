import { lazy, Suspense, useEffect } from 'react'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { showHistory, useHistory } from './shown-history.ts'

const HistoryView = lazy(async () => ({ default: (await import('./history-view.tsx')).HistoryView }))

type HistoryGateProps = { connection: DocumentConnection; canEdit: boolean; onClosed: () => void }

/** The history of a document where somebody asks for it, who may: by its keys here, or from the document's menu. */
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
  // Who goes to another document comes back to its text.
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
