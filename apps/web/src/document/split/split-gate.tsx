import type { Editor } from '@tiptap/core'
import { lazy, Suspense, useEffect } from 'react'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import type { LocalUser } from '../../collaboration/presence.ts'
import type { EditingModeStore } from '../../editor/suggesting/editing-mode.ts'
import { showSplit, useSplit } from './shown-split.ts'

const SplitDialog = lazy(async () => ({ default: (await import('./split-dialog.tsx')).SplitDialog }))

type SplitGateProps = {
  connection: DocumentConnection
  editor: Editor
  user: LocalUser
  mode: EditingModeStore
  canEdit: boolean
}

/** Opens the split dialog for users with the right to it: by its shortcut, or from a menu. */
export function SplitGate({ connection, editor, user, mode, canEdit }: SplitGateProps) {
  const { document } = connection
  const isShown = useSplit(document)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isAsked = (event.ctrlKey || event.metaKey) && event.altKey && event.shiftKey && event.code === 'KeyN'
      if (!isAsked || event.defaultPrevented || event.isComposing || !canEdit) return
      event.preventDefault()
      showSplit(document)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [document, canEdit])
  useEffect(() => () => showSplit(null), [])
  if (!isShown || !canEdit) return null
  return (
    <Suspense fallback={null}>
      <SplitDialog {...{ connection, editor, user, mode }} onClose={() => showSplit(null)} />
    </Suspense>
  )
}
