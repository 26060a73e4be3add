import type { AuthOptions } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { describeError } from '../api/client.ts'
import { accountKey } from '../app/query-client.ts'
import { fetchAccount } from './account-api.ts'
import { KeysSection } from './keys-section.tsx'
import { OidcSection } from './oidc-section.tsx'
import { ListState, PageFrame } from './page-frame.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** The user's account: name, address, password, sessions, API keys. */
export function AccountPage({ options }: { options: AuthOptions }) {
  const { data: account, error } = useQuery({
    queryKey: accountKey,
    queryFn: ({ signal }) => fetchAccount(signal),
  })
  return (
    <PageFrame title="Your account">
      {account ? (
        <>
          <ProfileSection account={account} />
          <PasswordSection account={account} />
          {options.oidc && <OidcSection account={account} name={options.oidc.name} />}
          <SessionsSection account={account} />
          <KeysSection />
        </>
      ) : (
        <ListState error={error ? describeError(error) : undefined} />
      )}
    </PageFrame>
  )
}
