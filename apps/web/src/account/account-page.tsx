import type { Account, AuthOptions } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { connectOidc, disconnectOidc, fetchAccount, patchAccount } from '../api/account.ts'
import { describeError } from '../api/client.ts'
import { accountKey } from '../api/query-client.ts'
import { FormProblem } from '../sign-in/enter-card.tsx'
import { oidcProblem } from '../sign-in/use-entering.ts'
import { Button } from '../ui/button.tsx'
import { Switch } from '../ui/switch.tsx'
import { showError } from '../ui/toasts.tsx'
import { KeysSection } from './keys-section.tsx'
import { ListState, PageFrame, Section } from './page-frame.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** The user's account: name, address, password, mails, sessions, API keys. */
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
          {options.mail && <MailSection account={account} />}
          <SessionsSection account={account} />
          <KeysSection />
        </>
      ) : (
        <ListState error={error ? describeError(error) : undefined} />
      )}
    </PageFrame>
  )
}

/** Whether the account is connected with the OIDC provider. */
function OidcSection({ account: { connected }, name }: { account: Account; name: string }) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: connected ? disconnectOidc : connectOidc,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountKey }),
    onError: showError,
  })
  return (
    <Section
      title={name}
      text={connected ? `You can sign in through ${name}.` : `Connect your account to sign in through ${name}.`}
    >
      <div className="flex flex-col items-start gap-3">
        <FormProblem text={oidcProblem(location.search)} />
        <Button disabled={change.isPending} onClick={() => change.mutate()}>
          {connected ? 'Disconnect' : 'Connect'}
        </Button>
      </div>
    </Section>
  )
}

/** Whether the user is mailed about notifications; for servers that send mail. */
function MailSection({ account: { mails } }: { account: Account }) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (wanted: boolean) => patchAccount({ mails: wanted }),
    onSuccess: (saved) => queryClient.setQueryData(accountKey, saved),
    onError: showError,
  })
  return (
    <Section title="Mail">
      <Switch
        label="Mentions and replies"
        text="What you haven’t read, at most once an hour."
        checked={change.isPending ? change.variables : mails}
        onChange={(wanted) => change.mutate(wanted)}
      />
    </Section>
  )
}
