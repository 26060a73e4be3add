import type { Me } from '@copydesk/protocol'
import { useEffect, useState } from 'react'
import { TextSkeleton } from '../app/document-skeleton.tsx'
import { forgetNew, isNewDocument } from '../app/location.ts'
import { ChatPanel } from '../chat/chat-panel.tsx'
import type { DocumentConnection } from '../collaboration/connection.ts'
import type { ConnectionState } from '../collaboration/connection-state.ts'
import type { LocalUser } from '../collaboration/presence.ts'
import { EditorPane } from '../editor/editor-pane.tsx'
import { readText } from '../editor/document-text.ts'
import { createEditorUi } from '../editor/editor-ui.ts'
import { readRelativeSelection } from '../editor/relative-selection.ts'
import { useDocumentEditor } from '../editor/use-document-editor.ts'
import { ChatDock } from './chat-dock.tsx'
import { DocumentHeader } from './document-header.tsx'
import { RefusalBanner } from './refusal-banner.tsx'
import { usePanel } from './use-panel.ts'

type WorkspaceProps = { connection: DocumentConnection; state: ConnectionState; me: Me; user: LocalUser }

/** Header, text and chat of one document. The editor is bound only once the document has arrived. */
export function Workspace({ connection, state, me, user }: WorkspaceProps) {
  const panel = usePanel()
  const isNew = useIsNew(state.opened)
  return (
    <div className="flex h-full flex-col overflow-hidden">
      <DocumentHeader
        connection={connection}
        state={state}
        me={me}
        isNew={isNew}
        panelOpen={panel.open}
        onTogglePanel={panel.toggle}
      />
      {state.refusal && <RefusalBanner state={state} readText={() => readText(connection.fragment)} />}
      {state.opened ? (
        <Desk connection={connection} state={state} me={me} user={user} panel={panel} isNew={isNew} />
      ) : (
        <Waiting />
      )}
    </div>
  )
}

// In a document that has just been created the title comes first; only once, not after a reload.
function useIsNew(opened: boolean): boolean {
  const [isNew] = useState(isNewDocument)
  useEffect(() => {
    if (opened) forgetNew()
  }, [opened])
  return isNew
}

function Waiting() {
  return (
    <div aria-busy="true" className="flex-1">
      <div className="h-12 border-b border-line bg-surface" />
      <TextSkeleton />
    </div>
  )
}

type DeskProps = WorkspaceProps & { panel: ReturnType<typeof usePanel>; isNew: boolean }

function Desk({ connection, state, me, user, panel, isNew }: DeskProps) {
  const [ui] = useState(createEditorUi)
  const readOnly = state.readOnly || state.refusal !== null
  const editor = useDocumentEditor({ connection, user, ui, onOpenRun: panel.showRun }, { readOnly, takesFocus: !isNew })
  return (
    <div className="flex min-h-0 flex-1">
      <main className="flex min-w-0 flex-1">
        <EditorPane editor={editor} ui={ui} readOnly={readOnly} />
      </main>
      <ChatDock open={panel.open} onOpenChange={panel.setOpen}>
        <ChatPanel
          connection={connection}
          me={me}
          shownRun={panel.shownRun}
          readSelection={() => readRelativeSelection(editor.state)}
          onClose={() => panel.setOpen(false)}
        />
      </ChatDock>
    </div>
  )
}
