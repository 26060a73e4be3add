import type { AuthOptions, Me } from '@copydesk/protocol'
import { type ComponentType, useEffect } from 'react'
import { SettingsFrame } from '../account/settings/settings-frame.tsx'
import { lazyPart } from '../common/lazy-part.ts'
import { useAuthOptions } from './entrance.tsx'
import { Unreachable } from './unreachable.tsx'
import { loadFailureTexts } from '../i18n/translate.ts'
import { type AccountPageName, navigate } from '../common/location.tsx'

type PageProps = { me: Me; options: AuthOptions }

const account = () => import('../account/account-page.tsx')

const pages: Readonly<Record<AccountPageName, ComponentType<PageProps>>> = {
  'sign-in': lazyPart<PageProps>(async () => (await import('../sign-in/sign-in-page.tsx')).SignInPage),
  link: lazyPart<PageProps>(async () => (await import('../sign-in/link-page.tsx')).LinkPage),
  account: lazyPart<PageProps>(async () => (await account()).AccountPage),
  sessions: lazyPart(async () => (await account()).SessionsPage),
  keys: lazyPart(async () => (await account()).KeysPage),
  people: lazyPart<PageProps>(async () => (await import('../administration/people/people-page.tsx')).PeoplePage),
  ownerless: lazyPart<PageProps>(
    async () => (await import('../administration/people/ownerless-page.tsx')).OwnerlessPage,
  ),
  storage: lazyPart(async () => (await import('../administration/storage/storage-page.tsx')).StoragePage),
  'tool-servers': lazyPart(
    async () => (await import('../administration/tool-servers/tool-servers-page.tsx')).ToolServersPage,
  ),
  agents: lazyPart(async () => {
    // The reasons why an agent didn't start are texts of runs.
    const [page] = await Promise.all([import('../administration/agents/agents-page.tsx'), loadFailureTexts()])
    return page.AgentsPage
  }),
  'agent-settings': lazyPart(async () => (await import('../administration/agent-settings-page.tsx')).AgentSettingsPage),
  usage: lazyPart(async () => (await import('../administration/usage/usage-page.tsx')).UsagePage),
  webhooks: lazyPart(async () => (await import('../administration/webhooks/webhooks-page.tsx')).WebhooksPage),
  models: lazyPart(async () => (await import('../administration/models/models-page.tsx')).ModelsPage),
  audit: lazyPart(async () => (await import('../administration/audit/audit-page.tsx')).AuditPage),
}

export function AccountPages({ page, me }: { page: AccountPageName; me: Me }) {
  const { data: options, error, refetch } = useAuthOptions()
  const isGuest = me.guest === true
  useEffect(() => {
    if (page === 'sign-in' && !isGuest) navigate('/', { replace: true })
  }, [page, isGuest])
  if (error && !options) return <Unreachable error={error} onRetry={() => void refetch()} />
  if (!options || (page === 'sign-in' && !isGuest)) return null
  const Page = pages[page]
  return (
    <SettingsFrame me={me}>
      <Page me={me} options={options} />
    </SettingsFrame>
  )
}
