import '@fontsource-variable/inter/wght-italic.css'
import '@fontsource-variable/jetbrains-mono/wght-italic.css'
import '@fontsource-variable/source-serif-4/wght-italic.css'
import '@fontsource-variable/source-serif-4/wght.css'
import type { Me } from '@copydesk/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { meKey } from '../api/query-client.ts'
import { pageState, remainsShown } from '../collaboration/connection-state.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { useConnectionState } from '../collaboration/hooks.ts'
import { type LocalUser, ownUser } from '../collaboration/presence.ts'
import { drafts } from '../common/drafts.ts'
import '../styles/document/content.css'
import '../styles/document/images.css'
import '../styles/document/tables.css'
import '../styles/document/document.css'
import '../styles/document/title.css'
import '../styles/document/peers.css'
import '../styles/document/print.css'
import '../styles/document/review.css'
import '../styles/document/writing.css'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { HomeLink, PageNotice } from '../ui/page-notice.tsx'
import { NoLongerShared } from './no-longer-shared.tsx'
import { Workspace } from './workspace.tsx'

type OpenedPageProps = { connection: DocumentConnection; me: Me; user: LocalUser }

/** The page of one document whose connection is opened; a full-page notice if the document can't be opened. */
export function OpenedPage({ connection, me, user }: OpenedPageProps) {
  // Runs before the page reads a draft.
  useState(() => drafts.open(me.user.id))
  const state = useConnectionState(connection, pageState)
  const queryClient = useQueryClient()
  useProfileChanges(connection, user)
  const unauthenticated = state.refusal === 'unauthenticated'
  useEffect(() => {
    if (unauthenticated) queryClient.setQueryData(meKey, null)
  }, [unauthenticated, queryClient])
  if (remainsShown(state)) return <Workspace connection={connection} state={state} me={me} user={user} />
  if (state.refusal === 'revoked') return <NoLongerShared document={connection.document} />
  return state.refusal === 'schema_outdated' ? <Outdated /> : <NotFound />
}

function Outdated() {
  return (
    <PageNotice title={t('Copydesk was updated. Reload to continue.')}>
      <Button look="primary" onClick={() => location.reload()}>
        {t('Reload')}
      </Button>
    </PageNotice>
  )
}

function NotFound() {
  return (
    <PageNotice
      title={t('This document doesn’t exist or isn’t shared with you')}
      text={t('Ask for a new link, or look in the trash.')}
    >
      <HomeLink />
    </PageNotice>
  )
}

type Changes = Record<'added' | 'updated' | 'removed', number[]>

/**
 * Refetches the caller when the server reports another name or colour than this page: the user has changed it in
 * another window, perhaps on another machine.
 */
function useProfileChanges({ provider }: DocumentConnection, { name, color }: LocalUser): void {
  const queryClient = useQueryClient()
  const { awareness } = provider
  useEffect(() => {
    if (!awareness) return undefined
    const onChange = ({ updated }: Changes, origin: unknown) => {
      // This page already knows its own changes.
      if (origin === 'local' || !updated.includes(awareness.clientID)) return
      const known = ownUser(awareness)
      if (known && (known.name !== name || known.color !== color))
        void queryClient.invalidateQueries({ queryKey: meKey })
    }
    awareness.on('change', onChange)
    return () => awareness.off('change', onChange)
  }, [awareness, name, color, queryClient])
}
