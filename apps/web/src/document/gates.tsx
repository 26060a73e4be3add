import type { Editor } from '@tiptap/core'
import type { DocumentConnection } from '../collaboration/connection.ts'
import type { LocalUser } from '../collaboration/presence.ts'
import type { EditingModeStore } from '../editor/suggesting/editing-mode.ts'
import { HistoryGate } from '../history/history-gate.tsx'
import { SplitGate } from './split/split-gate.tsx'

type GatesProps = {
  connection: DocumentConnection
  editor: Editor
  user: LocalUser
  mode: EditingModeStore
  canEdit: boolean
}

/** Overlays that open over the text on request: its history, and moving a part of it to a new document. */
export function Gates({ connection, editor, user, mode, canEdit }: GatesProps) {
  return (
    <>
      <HistoryGate connection={connection} canEdit={canEdit} onClosed={() => editor.commands.focus()} />
      <SplitGate {...{ connection, editor, user, mode, canEdit }} />
    </>
  )
}
