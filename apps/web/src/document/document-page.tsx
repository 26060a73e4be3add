import type { Me } from '@copydesk/protocol'
import { useEffect, useMemo } from 'react'
import { useConnection } from '../collaboration/hooks.ts'
import type { LocalUser } from '../collaboration/presence.ts'
import { earlyPart } from '../common/lazy-part.ts'
import { noteOpened } from '../common/recent-documents.ts'
import { DocumentSkeleton } from '../ui/page-notice.tsx'

const { Part: OpenedPage, load } = earlyPart(
  async () => (await import('./opened-page.tsx')).OpenedPage,
  DocumentSkeleton,
)

// Rendering loads it again after a failure.
void load().catch(() => undefined)

type DocumentPageProps = { id: string; me: Me }

/**
 * The page of one document. Opens its connection while the editor's code is still loaded, so that the text arrives
 * meanwhile.
 */
export function DocumentPage({ id, me }: DocumentPageProps) {
  const user = useMemo<LocalUser>(() => ({ ...me.user, kind: 'person' }), [me.user])
  const connection = useConnection(id, user)
  useEffect(() => noteOpened(me.user.id, id), [me.user.id, id])
  return connection ? <OpenedPage connection={connection} me={me} user={user} /> : <DocumentSkeleton />
}
