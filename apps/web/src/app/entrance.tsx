import type { Me } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { describeError } from '../api/client.ts'
import { fetchAuthOptions } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { PageNotice } from '../ui/page-notice.tsx'
import { readRoute, usePath } from './location.ts'
import { NamePrompt } from './name-prompt.tsx'

const SignInPage = lazy(async () => ({ default: (await import('../account/sign-in-page.tsx')).SignInPage }))
const LinkPage = lazy(async () => ({ default: (await import('../account/link-page.tsx')).LinkPage }))
const SharePage = lazy(async () => ({ default: (await import('../share/share-link-page.tsx')).SharePage }))

/** The server's sign-in options. */
export function useAuthOptions() {
  return useQuery({
    queryKey: ['auth'],
    queryFn: ({ signal }) => fetchAuthOptions(signal),
    staleTime: 60_000,
  })
}

/**
 * The page for callers without a session: a name prompt, the sign-in form, or the page of the link that they followed.
 */
export function Entrance() {
  const { data: options, error, refetch } = useAuthOptions()
  const route = readRoute(usePath())
  if (error && !options) return <Unreachable error={error} onRetry={() => void refetch()} />
  if (!options) return null
  if (options.auth === 'open') return <NamePrompt />
  return (
    <Suspense>
      {route.page === 'share' && <SharePage token={route.token} options={options} />}
      {route.page === 'link' && <LinkPage options={options} me={null} />}
      {route.page !== 'share' && route.page !== 'link' && <SignInPage options={options} />}
    </Suspense>
  )
}

/** The same as an overlay, when the session has ended on an open page. */
export function EntranceOverlay({ me }: { me: Me }) {
  const { data: options } = useAuthOptions()
  const title = 'Your session has ended'
  const isOpen = me.auth === 'open'
  return (
    <div role="dialog" aria-modal aria-label={title} className="fixed inset-0 z-50 overflow-y-auto bg-black/40">
      {isOpen && <NamePrompt title={title} text="Give your name to go on. What you wrote is still here." />}
      {!isOpen && options && (
        <Suspense>
          <SignInPage options={options} ended={{ email: me.email ?? '', name: me.user.name }} />
        </Suspense>
      )}
    </div>
  )
}

/** Redirects a caller with a session to the target of a share link. */
export function FollowedLink({ token }: { token: string }) {
  return (
    <Suspense>
      <SharePage token={token} />
    </Suspense>
  )
}

/** Says that the server is unreachable. */
export function Unreachable({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <PageNotice title="Copydesk can’t be reached" text={describeError(error)}>
      <Button look="primary" onClick={onRetry}>
        Try again
      </Button>
    </PageNotice>
  )
}
