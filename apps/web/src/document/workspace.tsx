import { type Access, type Me, readAccessMessage } from '@copydesk/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { documentKey, useDocumentSummary } from '../api/documents.ts'
import type { ConnectionState } from '../collaboration/connection-state.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import type { LocalUser } from '../collaboration/presence.ts'
import { loadLate, loadPart, separatePart } from '../common/lazy-part.ts'
import { forgetNew, isNewDocument } from '../common/location.tsx'
import { splitView, usePanel } from '../common/layout/page-layout.ts'
import { useKeptTitle } from '../documents/kept/kept-titles.ts'
import { createFollowing } from '../editor/peers/following.ts'
import { type EnglishText, t } from '../i18n/translate.ts'
import { createRunChips, RunChipsContext } from '../mentions/chip-state.ts'
import { TextSkeleton } from '../ui/page-notice.tsx'
import { showToast } from '../ui/toasts/toasts.tsx'
import { DocumentHeader } from './header/document-header.tsx'
import { DocumentView } from './document-view.tsx'
import { FirstBlocks } from './first-blocks.tsx'
import { createTitleInView } from './title/title-in-view.tsx'

const loadBanners = () => loadLate(() => import('./banners.tsx'))
const FullnessBar = separatePart(async () => (await loadBanners()).FullnessBar)
const RefusalBanner = separatePart(async () => (await loadBanners()).RefusalBanner)

type WorkspaceProps = { connection: DocumentConnection; state: ConnectionState; me: Me; user: LocalUser }

/** Header, text and panel of one document. The editor is bound only once the document has loaded. */
export function Workspace({ connection, state, me, user }: WorkspaceProps) {
  const panel = usePanel()
  useAccessChanges(connection)
  // Once access is lost or the server was updated, their file may not be there any more.
  useEffect(() => void loadPart(loadBanners), [])
  useKeptTitle(me.user.id, useDocumentSummary(connection.document).data)
  const isNew = useIsNew(state.opened)
  const [following] = useState(createFollowing)
  const [titleInView] = useState(createTitleInView)
  const [chips] = useState(() => createRunChips(connection.room))
  return (
    // Positioned, so that no descendant can extend the page, which would then scroll as a whole.
    <div className="relative flex h-full flex-col overflow-clip">
      <DocumentHeader
        connection={connection}
        state={state}
        me={me}
        following={following}
        titleInView={titleInView}
        panelOpen={panel.open}
        onTogglePanel={panel.toggle}
      />
      {state.refusal && (
        <RefusalBanner
          state={state}
          fragment={connection.fragment}
          onDiscard={connection.forget}
          onTryAgain={connection.tryAgain}
          onSplit={() => splitView.set(connection.document)}
        />
      )}
      {state.refusal === null && !state.readOnly && <FullnessBar connection={connection} />}
      {state.opened ? (
        <FirstBlocks connection={connection} hasPanel={panel.open}>
          <RunChipsContext value={chips}>
            <DocumentView
              connection={connection}
              state={state}
              me={me}
              user={user}
              panel={panel}
              following={following}
              isNew={isNew}
              titleInView={titleInView}
            />
          </RunChipsContext>
        </FirstBlocks>
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
    <div aria-busy="true" className="flex flex-1 flex-col">
      <div className="h-12 border-b border-line bg-page" />
      <TextSkeleton />
    </div>
  )
}

const accessTexts: Readonly<Record<Access, EnglishText>> = {
  read: 'You can only read this document now.',
  comment: 'You can read, comment and suggest now.',
  write: 'You can edit this document now.',
  manage: 'You are an owner of this document now.',
}

/**
 * Notifies the user when their role in the open document changes, and refreshes the parts of the page that depend on
 * it.
 */
function useAccessChanges({ document, provider }: DocumentConnection): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const onStateless = ({ payload }: { payload: string }) => {
      const access = readAccessMessage(payload)
      if (access === undefined) return
      showToast(t(accessTexts[access]))
      void queryClient.invalidateQueries({ queryKey: documentKey(document) })
    }
    provider.on('stateless', onStateless)
    return () => void provider.off('stateless', onStateless)
  }, [document, provider, queryClient])
}
