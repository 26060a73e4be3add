import type { Me } from '@copydesk/protocol'
import { useEffect } from 'react'
import { SettingsFrame } from '../account/settings/settings-frame.tsx'
import { lazyPart } from '../common/lazy-part.ts'
import { useAuthOptions } from './entrance.tsx'
import { Unreachable } from './unreachable.tsx'
import { navigate, type Route } from '../common/location.tsx'

const SignInPage = lazyPart(async () => (await import('../sign-in/sign-in-page.tsx')).SignInPage)
const LinkPage = lazyPart(async () => (await import('../sign-in/link-page.tsx')).LinkPage)
const AccountPage = lazyPart(async () => (await import('../account/account-page.tsx')).AccountPage)
const AgentsPage = lazyPart(async () => (await import('../administration/agents/agents-page.tsx')).AgentsPage)
const SessionsPage = lazyPart(async () => (await import('../account/account-page.tsx')).SessionsPage)
const KeysPage = lazyPart(async () => (await import('../account/account-page.tsx')).KeysPage)
const AuditPage = lazyPart(async () => (await import('../administration/audit/audit-page.tsx')).AuditPage)
const OwnerlessPage = lazyPart(async () => (await import('../administration/people/ownerless-page.tsx')).OwnerlessPage)
const StoragePage = lazyPart(async () => (await import('../administration/storage-page.tsx')).StoragePage)
const ToolServersPage = lazyPart(
  async () => (await import('../administration/tool-servers/tool-servers-page.tsx')).ToolServersPage,
)
const UsagePage = lazyPart(async () => (await import('../administration/usage/usage-page.tsx')).UsagePage)
const WebhooksPage = lazyPart(async () => (await import('../administration/webhooks/webhooks-page.tsx')).WebhooksPage)
const AgentSettingsPage = lazyPart(
  async () => (await import('../administration/agent-settings-page.tsx')).AgentSettingsPage,
)
const ModelsPage = lazyPart(async () => (await import('../administration/models/models-page.tsx')).ModelsPage)
const PeoplePage = lazyPart(async () => (await import('../administration/people/people-page.tsx')).PeoplePage)

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
    <SettingsFrame me={me}>
      {page === 'sign-in' && <SignInPage options={options} />}
      {page === 'link' && <LinkPage options={options} me={me} />}
      {page === 'account' && <AccountPage options={options} />}
      {page === 'sessions' && <SessionsPage />}
      {page === 'keys' && <KeysPage />}
      {page === 'people' && <PeoplePage me={me} />}
      {page === 'ownerless' && <OwnerlessPage me={me} />}
      {page === 'storage' && <StoragePage />}
      {page === 'tool-servers' && <ToolServersPage />}
      {page === 'agents' && <AgentsPage />}
      {page === 'agent-settings' && <AgentSettingsPage />}
      {page === 'usage' && <UsagePage />}
      {page === 'webhooks' && <WebhooksPage />}
      {page === 'models' && <ModelsPage />}
      {page === 'audit' && <AuditPage />}
    </SettingsFrame>
  )
}
