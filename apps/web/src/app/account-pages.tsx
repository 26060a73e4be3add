import type { Me } from '@copydesk/protocol'
import { lazy, Suspense, useEffect } from 'react'
import { useAuthOptions } from './entrance.tsx'
import { Unreachable } from './unreachable.tsx'
import { navigate, type Route } from '../common/location.tsx'

const SignInPage = lazy(async () => ({ default: (await import('../sign-in/sign-in-page.tsx')).SignInPage }))
const LinkPage = lazy(async () => ({ default: (await import('../sign-in/link-page.tsx')).LinkPage }))
const AccountPage = lazy(async () => ({ default: (await import('../account/account-page.tsx')).AccountPage }))
const AuditPage = lazy(async () => ({ default: (await import('../administration/audit-page.tsx')).AuditPage }))
const OwnerlessPage = lazy(async () => ({
  default: (await import('../administration/ownerless-page.tsx')).OwnerlessPage,
}))
const StoragePage = lazy(async () => ({ default: (await import('../administration/storage-page.tsx')).StoragePage }))
const PeoplePage = lazy(async () => ({ default: (await import('../administration/people-page.tsx')).PeoplePage }))

/** The account pages, for signed-in users. */
export function AccountPages({ page, me }: { page: Route['page']; me: Me }) {
  const { data: options, error, refetch } = useAuthOptions()
  const isGuest = me.guest === true
  useEffect(() => {
    if (page === 'sign-in' && !isGuest) navigate('/', { replace: true })
  }, [page, isGuest])
  if (error && !options) return <Unreachable error={error} onRetry={() => void refetch()} />
  if (!options || (page === 'sign-in' && !isGuest)) return null
  return (
    <Suspense>
      {page === 'sign-in' && <SignInPage options={options} />}
      {page === 'link' && <LinkPage options={options} me={me} />}
      {page === 'account' && <AccountPage options={options} />}
      {page === 'people' && <PeoplePage me={me} />}
      {page === 'ownerless' && <OwnerlessPage me={me} />}
      {page === 'storage' && <StoragePage />}
      {page === 'audit' && <AuditPage />}
    </Suspense>
  )
}
