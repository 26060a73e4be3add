import type { Me } from '@copydesk/protocol'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { fetchMe } from '../api/session.ts'
import { DocumentListPage } from '../documents/document-list-page.tsx'
import { PageNotice } from '../ui/page-notice.tsx'
import { TooltipLayer } from '../ui/tooltip-layer.tsx'
import { DocumentSkeleton } from './document-skeleton.tsx'
import { Entrance, EntranceOverlay, FollowedLink, Unreachable } from './entrance.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Link } from './link.tsx'
import { readRoute, usePath } from './location.ts'
import { useOwnNews } from './own-news.ts'
import { createQueryClient, meKey } from './query-client.ts'
import { Toasts } from './toasts.tsx'

const AccountPages = lazy(async () => ({ default: (await import('../account/account-pages.tsx')).AccountPages }))
const loadDocumentPage = () => import('../document/document-page.tsx')
const DocumentPage = lazy(async () => ({ default: (await loadDocumentPage()).DocumentPage }))

// Who opens a document's address needs its page at once, whoever they turn out to be.
if (readRoute(location.pathname).page === 'document') void loadDocumentPage().catch(ignore)

/** The whole app: asks who is there, then shows the page that the address names. */
export function App() {
  const [queryClient] = useState(createQueryClient)
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <SessionGate />
        <Toasts />
        <TooltipLayer />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

function SessionGate() {
  const {
    data: me,
    error,
    refetch,
  } = useQuery({
    queryKey: meKey,
    queryFn: ({ signal }) => fetchMe(signal),
    staleTime: Number.POSITIVE_INFINITY,
    // In another window somebody may have signed out, or in as somebody else.
    refetchOnWindowFocus: ({ state }) => (state.data?.auth === 'accounts' ? 'always' : false),
  })
  useOwnNews()
  const [known, setKnown] = useState<Me>()
  const isSomebodyElse = me?.auth === 'accounts' && known !== undefined && known.user.id !== me.user.id
  if (me && me !== known && !isSomebodyElse) setKnown(me)
  useEffect(() => {
    // Nothing of the one may stay for the other; what the one wrote is kept under their name.
    if (isSomebodyElse) location.reload()
  }, [isSomebodyElse])
  if (isSomebodyElse) return null
  // A session that ends leaves the page where it is: an open document may hold what the server lacks.
  const shown = me ?? known
  if (shown) {
    return (
      <>
        <div className="contents" inert={me === null}>
          <Pages me={shown} />
        </div>
        {me === null && <EntranceOverlay me={shown} />}
      </>
    )
  }
  if (me === null) return <Entrance />
  if (error) return <Unreachable error={error} onRetry={() => void refetch()} />
  return null
}

function Pages({ me }: { me: Me }) {
  const route = readRoute(usePath())
  // The next step is mostly a document; and it has to be here when the line goes down.
  useEffect(() => whenIdle(() => void loadDocumentPage().catch(ignore)), [])
  switch (route.page) {
    case 'documents':
      return <DocumentListPage me={me} />
    case 'document':
      return (
        <Suspense fallback={<DocumentSkeleton />}>
          <DocumentPage key={route.id} id={route.id} me={me} />
        </Suspense>
      )
    case 'share':
      return <FollowedLink token={route.token} />
    case 'sign-in':
    case 'link':
    case 'account':
    case 'people':
    case 'ownerless':
    case 'storage':
    case 'audit':
      if (me.auth !== 'accounts') return <NoSuchPage />
      return (
        <Suspense>
          <AccountPages page={route.page} me={me} />
        </Suspense>
      )
    case 'unknown':
      return <NoSuchPage />
  }
}

function NoSuchPage() {
  return (
    <PageNotice title="There is no such page">
      <Link to="/" className="text-accent underline underline-offset-2">
        All documents
      </Link>
    </PageNotice>
  )
}

function whenIdle(action: () => void): () => void {
  const timer = setTimeout(action, 1500)
  return () => clearTimeout(timer)
}

function ignore(): void {
  // It is asked for again when it is shown.
}
