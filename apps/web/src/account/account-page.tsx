import type { Account, AuthOptions } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { connectOidc, disconnectOidc, fetchAccount, patchAccount } from '../api/caller/account.ts'
import { describeError } from '../api/client.ts'
import { accountKey } from '../api/query-client.ts'
import { chooseLanguage, currentWording, languages } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { FormProblem } from '../sign-in/enter-card.tsx'
import { oidcProblem } from '../sign-in/use-entering.ts'
import { Button } from '../ui/button.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { showError } from '../ui/toasts/toasts.tsx'
import { AgentSection } from './own-agent.tsx'
import { KeysSection } from './keys-section.tsx'
import { ListState, PageFrame, Section, SelectField } from './settings/page-frame.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

function useAccount() {
  return useQuery({ queryKey: accountKey, queryFn: ({ signal }) => fetchAccount(signal) })
}

/** The user's account: name, address, mails, language. */
export function AccountPage({ options }: { options: AuthOptions }) {
  const { data: account, error } = useAccount()
  return (
    <PageFrame title={t('Your account')}>
      {account ? (
        <>
          <ProfileSection account={account} />
          {options.oidc && <OidcSection account={account} name={options.oidc.name} />}
          {options.mail && <MailSection account={account} />}
          <LanguageSection />
          <AgentSection />
        </>
      ) : (
        <ListState error={error ? describeError(error) : undefined} />
      )}
    </PageFrame>
  )
}

/** How the user signs in, and where the user is signed in. */
export function SessionsPage() {
  const { data: account, error } = useAccount()
  return (
    <PageFrame title={t('Password and sessions')}>
      {account ? (
        <>
          <PasswordSection account={account} />
          <SessionsSection account={account} />
        </>
      ) : (
        <ListState error={error ? describeError(error) : undefined} />
      )}
    </PageFrame>
  )
}

/** The keys of programs that act as the user. */
export function KeysPage() {
  return (
    <PageFrame title={t('API keys')}>
      <KeysSection />
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
      text={
        connected
          ? t('You can sign in through {name}.', { name })
          : t('Connect your account to sign in through {name}.', { name })
      }
    >
      <div className="flex flex-col items-start gap-3">
        <FormProblem text={oidcProblem(location.search)} />
        <Button disabled={change.isPending} onClick={() => change.mutate()}>
          {t(connected ? 'Disconnect' : 'Connect')}
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
    <Section title={t('Mail')}>
      <Switch
        label={t('Mentions and replies')}
        text={t('What you haven’t read, at most once an hour.')}
        checked={change.isPending ? change.variables : mails}
        onChange={(wanted) => change.mutate(wanted)}
      />
    </Section>
  )
}

/** The language of the interface in this browser. */
function LanguageSection() {
  return (
    <Section
      title={t('Language')}
      text={t('It applies in this browser and to e-mails to you. What the agent writes follows your request.')}
    >
      <div className="max-w-60">
        <SelectField
          label={t('Language of the interface')}
          value={currentWording().language}
          options={languages}
          onChange={chooseLanguage}
        />
      </div>
    </Section>
  )
}
