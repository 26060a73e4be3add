import type { Editor } from '@tiptap/core'
import { useEffect } from 'react'
import { useWideShortcut } from '../common/commands/use-key-down.ts'
import { separatePart } from '../common/lazy-part.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import type { LocalUser } from '../collaboration/presence.ts'
import { historyView, type OverlayStore, splitView, useIsShown } from '../common/layout/page-layout.ts'
import type { EditingModeStore } from '../editor/suggesting/editing-mode.ts'

const HistoryView = separatePart(async () => (await import('../history/history-view.tsx')).HistoryView)
const SplitDialog = separatePart(async () => (await import('./split/split-dialog.tsx')).SplitDialog)

type OverlaysProps = {
  connection: DocumentConnection
  editor: Editor
  user: LocalUser
  mode: EditingModeStore
  canEdit: boolean
}

/**
 * Overlays that open over the text by a shortcut or from a menu, for users with the right to them: its history, and
 * moving a part of it to a new document.
 */
export function Overlays({ connection, editor, user, mode, canEdit }: OverlaysProps) {
  const { document } = connection
  const showsHistory = useOverlay(historyView, document, 'KeyH', canEdit)
  const showsSplit = useOverlay(splitView, document, 'KeyN', canEdit)
  const closeHistory = () => {
    historyView.set(null)
    editor.commands.focus()
  }
  return (
    <>
      {showsHistory && <HistoryView connection={connection} onClose={closeHistory} />}
      {showsSplit && <SplitDialog {...{ connection, editor, user, mode }} onClose={() => splitView.set(null)} />}
    </>
  )
}

/** Whether the view is open; its shortcut (`code` with Ctrl or Cmd, Alt and Shift) opens it. */
function useOverlay(view: OverlayStore, document: string, code: string, canEdit: boolean): boolean {
  const isShown = useIsShown(view, document)
  useWideShortcut(canEdit ? code : '', () => view.set(document))
  // Closed after navigating to another document.
  useEffect(() => () => view.set(null), [view])
  return isShown && canEdit
}
