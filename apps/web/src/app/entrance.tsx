import type { Me } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '../common/lazy-part.ts'
import { describeError } from '../api/client.ts'
import { fetchAuthOptions } from '../api/session.ts'
import { readRoute, usePath } from '../common/location.tsx'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { PageNotice } from '../ui/page-notice.tsx'

const NamePrompt = lazyPart(async () => (await import('../sign-in/name-prompt.tsx')).NamePrompt)
const SignInPage = lazyPart(async () => (await import('../sign-in/sign-in-page.tsx')).SignInPage)
const LinkPage = lazyPart(async () => (await import('../sign-in/link-page.tsx')).LinkPage)
const SharePage = lazyPart(async () => (await import('../sharing/share-link-page.tsx')).SharePage)

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
  if (options.auth === 'open') {
    return (
      <Suspense>
        <NamePrompt />
      </Suspense>
    )
  }
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
  const title = t('Your session has ended')
  const isOpen = me.auth === 'open'
  return (
    <div role="dialog" aria-modal aria-label={title} className="fixed inset-0 z-50 overflow-y-auto bg-black/40">
      <Suspense>
        {isOpen && <NamePrompt title={title} text={t('Enter your name to continue. What you wrote is still here.')} />}
        {!isOpen && options && <SignInPage options={options} ended={{ email: me.email ?? '', name: me.user.name }} />}
      </Suspense>
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
    <PageNotice title={t('Copydesk can’t be reached')} text={describeError(error)}>
      <Button look="primary" onClick={onRetry}>
        {t('Try again')}
      </Button>
    </PageNotice>
  )
}
