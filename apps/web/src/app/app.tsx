import type { Me } from '@copydesk/protocol'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { Component, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { earlyPart, latePart, missingParts, separatePart } from '../common/lazy-part.ts'
import { createQueryClient, meKey } from '../api/query-client.ts'
import { fetchOrReadStoredMe } from '../api/caller/session.ts'
import { noteFirstScreen } from '../common/first-screen.ts'
import { returnFocus } from '../common/commands/editor-commands.ts'
import { readRoute, usePath } from '../common/location.tsx'
import { DocumentListPage } from '../documents/document-list-page.tsx'
import { t } from '../i18n/translate.ts'
import { WithSideBar } from '../side-bar/with-side-bar.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Unreachable } from './unreachable.tsx'
import { DocumentSkeleton, HomeLink, PageNotice } from '../ui/page-notice.tsx'

const ToastList = latePart(async () => (await import('../ui/toasts/toast-list.tsx')).ToastList)
const PageAids = latePart(async () => (await import('./page-aids.tsx')).PageAids)
const AccountPages = separatePart(async () => (await import('./account-pages.tsx')).AccountPages)
const loadEntrance = () => import('./entrance.tsx')
const Entrance = separatePart(async () => (await loadEntrance()).Entrance)
const EntranceOverlay = separatePart(async () => (await loadEntrance()).EntranceOverlay)
const FollowedLinkPage = separatePart(async () => (await import('../sharing/share-link-page.tsx')).FollowedLinkPage)
const { Part: DocumentPage, load: loadDocumentPage } = earlyPart(
  async () => (await import('../document/document-page.tsx')).DocumentPage,
  DocumentSkeleton,
)

// For a document's address its page is needed immediately, for any user.
if (readRoute(location.pathname).page === 'document') void loadDocumentPage().catch(ignore)
else noteFirstScreen()

/** The whole app: fetches the caller, then shows the page of the address. */
export function App() {
  const [queryClient] = useState(createQueryClient)
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <SessionGate />
        <ToastList />
        <MissingParts />
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
    queryFn: ({ signal }) => fetchOrReadStoredMe(signal),
    staleTime: Number.POSITIVE_INFINITY,
    // Also without a network: the caller is known from the last visit.
    networkMode: 'always',
    refetchOnReconnect: 'always',
    // The user may have signed out in another window, or another user may have signed in.
    refetchOnWindowFocus: ({ state }) => (state.data?.auth === 'accounts' ? 'always' : false),
  })
  const { page } = readRoute(usePath())
  const [known, setKnown] = useState<Me>()
  const isSomebodyElse = me?.auth === 'accounts' && known !== undefined && known.user.id !== me.user.id
  if (me && me !== known && !isSomebodyElse) setKnown(me)
  useEffect(() => {
    // No data of the former user may remain for the next; unsent changes are stored under the former account.
    if (isSomebodyElse) location.reload()
  }, [isSomebodyElse])
  if (isSomebodyElse) return null
  // When a session ends the page remains: an open document may contain changes that the server lacks.
  const shown = me ?? known
  if (shown) {
    return (
      <>
        <div className="contents" inert={me === null}>
          <Pages me={shown} />
        </div>
        <PageAids me={shown} hasHelp={me !== null && page !== 'document'} />
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
  // Preloads the document page, the likely next step; it must be available offline.
  useEffect(() => whenIdle(() => void loadDocumentPage().catch(ignore)), [])
  switch (route.page) {
    case 'documents':
      return (
        <WithSideBar place="list" me={me}>
          <DocumentListPage me={me} />
        </WithSideBar>
      )
    case 'document':
      return (
        <WithSideBar place="document" me={me}>
          <DocumentPage key={route.id} id={route.id} me={me} />
        </WithSideBar>
      )
    case 'share':
      return <FollowedLinkPage token={route.token} />
    case 'unknown':
      return <NoSuchPage />
    default:
      if (me.auth !== 'accounts' && !(agentPages.has(route.page) && me.agent.mayConfigure)) return <NoSuchPage />
      return <AccountPages page={route.page} me={me} />
  }
}

/** The pages for users without an account who may configure agents. */
const agentPages: ReadonlySet<string> = new Set(['agents', 'models', 'agent-settings', 'tool-servers', 'usage'])

/** Says that a part of the page is missing, away from toasts. A browser may load it only in a new page. */
function MissingParts() {
  const count = useSyncExternalStore(missingParts.subscribe, missingParts.get)
  const [dismissed, setDismissed] = useState(0)
  // After they are loaded, the next one is news.
  if (dismissed > count) setDismissed(count)
  const dismiss = () => {
    setDismissed(count)
    returnFocus(null)
  }
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-20 z-50 flex justify-center px-4 min-[900px]:bottom-4"
    >
      {count > dismissed && (
        <div className="pointer-events-auto flex max-w-md items-center gap-3 rounded-lg border border-line bg-surface py-2 ps-4 pe-2 text-sm text-ink shadow-raised">
          <span className="min-w-0">{t('A part of this page couldn’t be loaded.')}</span>
          <Button className="shrink-0" onClick={() => location.reload()}>
            {t('Reload')}
          </Button>
          <IconButton label={t('Dismiss')} icon={X} size={16} onClick={dismiss} />
        </div>
      )}
    </div>
  )
}

function NoSuchPage() {
  return (
    <PageNotice title={t('There is no such page')}>
      <HomeLink />
    </PageNotice>
  )
}

function whenIdle(action: () => void): () => void {
  const timer = setTimeout(action, 1500)
  return () => clearTimeout(timer)
}

function ignore(): void {
  // The page is loaded again when it is shown.
}

type Props = { children: ReactNode }

/** Shows a page with a Reload button when rendering fails. */
class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <PageNotice title={t('This page stopped working')} text={t('What the server has saved is not affected.')}>
        <Button look="primary" onClick={() => location.reload()}>
          {t('Reload')}
        </Button>
      </PageNotice>
    )
  }
}
