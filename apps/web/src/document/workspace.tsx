import type { Me } from '@copydesk/protocol'
import { useEffect, useState } from 'react'
import { TextSkeleton } from '../app/document-skeleton.tsx'
import { forgetNew, isNewDocument } from '../app/location.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import type { ConnectionState } from '../collaboration/connection-state.ts'
import type { LocalUser } from '../collaboration/presence.ts'
import { createFollowing } from '../editor/follow/following.ts'
import { readText } from '../editor/document-text.ts'
import { createRunChips, RunChipsContext } from '../mentions/run-chips.ts'
import { DocumentView } from './document-view.tsx'
import { DocumentHeader } from './document-header.tsx'
import { FullnessBar } from './fullness-bar.tsx'
import { RefusalBanner } from './refusal-banner.tsx'
import { showSplit } from './split/shown-split.ts'
import { useAccessNews } from './use-access-news.ts'
import { usePanel } from './use-panel.ts'

type WorkspaceProps = { connection: DocumentConnection; state: ConnectionState; me: Me; user: LocalUser }

/** Header, text and panel of one document. The editor is bound only once the document has loaded. */
export function Workspace({ connection, state, me, user }: WorkspaceProps) {
  const panel = usePanel()
  useAccessNews(connection)
  const isNew = useIsNew(state.opened)
  const [following] = useState(createFollowing)
  const [chips] = useState(() => createRunChips(connection.room))
  return (
    <div className="flex h-full flex-col overflow-clip">
      <DocumentHeader
        connection={connection}
        state={state}
        me={me}
        following={following}
        isNew={isNew}
        panelOpen={panel.open}
        onTogglePanel={panel.toggle}
      />
      {state.refusal && (
        <RefusalBanner
          state={state}
          readText={() => readText(connection.fragment)}
          onDiscard={connection.forget}
          onTryAgain={connection.tryAgain}
          onSplit={() => showSplit(connection.document)}
        />
      )}
      {state.refusal === null && !state.readOnly && <FullnessBar connection={connection} />}
      {state.opened ? (
        <RunChipsContext value={chips}>
          <DocumentView
            connection={connection}
            state={state}
            me={me}
            user={user}
            panel={panel}
            following={following}
            isNew={isNew}
          />
        </RunChipsContext>
      ) : (
        <Waiting />
      )}
    </div>
  )
}

// In a document that was just created the title gets the focus; only once, not after a reload.
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
