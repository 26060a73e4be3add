import type { Me } from '@copydesk/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { DocumentSkeleton } from '../app/document-skeleton.tsx'
import { Link } from '../app/link.tsx'
import { meKey } from '../app/query-client.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { pageState, staysShown } from '../collaboration/connection-state.ts'
import { useConnection, useConnectionState } from '../collaboration/hooks.ts'
import type { LocalUser } from '../collaboration/presence.ts'
import '../styles/document.css'
import '../styles/writing.css'
import '../styles/content.css'
import '../styles/peers.css'
import '../styles/review.css'
import { Button } from '../ui/button.tsx'
import { PageNotice } from '../ui/page-notice.tsx'
import { NoLongerShared } from './no-longer-shared.tsx'
import { useOwnName } from './use-own-name.ts'
import { Workspace } from './workspace.tsx'

type DocumentPageProps = { id: string; me: Me }

/** The page of one document: opens its connection, and shows a full-page notice if it can't be opened. */
export function DocumentPage({ id, me }: DocumentPageProps) {
  const user = useMemo<LocalUser>(() => ({ ...me.user, kind: 'person' }), [me.user])
  const connection = useConnection(id, user)
  return connection ? <OpenedPage connection={connection} me={me} user={user} /> : <DocumentSkeleton />
}

type OpenedPageProps = { connection: DocumentConnection; me: Me; user: LocalUser }

function OpenedPage({ connection, me, user }: OpenedPageProps) {
  const state = useConnectionState(connection, pageState)
  const queryClient = useQueryClient()
  useOwnName(connection, user.name)
  const unauthenticated = state.refusal === 'unauthenticated'
  useEffect(() => {
    if (unauthenticated) queryClient.setQueryData(meKey, null)
  }, [unauthenticated, queryClient])
  if (staysShown(state)) return <Workspace connection={connection} state={state} me={me} user={user} />
  if (state.refusal === 'revoked') return <NoLongerShared document={connection.document} />
  return state.refusal === 'schema_outdated' ? <Outdated /> : <NotFound />
}

function Outdated() {
  return (
    <PageNotice title="Copydesk was updated. Reload to go on.">
      <Button look="primary" onClick={() => location.reload()}>
        Reload
      </Button>
    </PageNotice>
  )
}

function NotFound() {
  return (
    <PageNotice
      title="This document doesn’t exist or isn’t shared with you"
      text="Ask for a new link, or look in the trash."
    >
      <Link to="/" className="text-accent underline underline-offset-2">
        All documents
      </Link>
    </PageNotice>
  )
}
