import type { Account, AuthOptions } from '@copydesk/protocol'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { accountQuery, connectOidc, disconnectOidc, patchAccount } from '../api/caller/account.ts'
import { chooseLanguage, currentWording, languages } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { oidcProblem } from '../sign-in/use-entering.ts'
import { Button } from '../ui/button.tsx'
import { FormProblem } from '../ui/fields/form.tsx'
import { SelectField } from '../ui/fields/select.tsx'
import { Switch } from '../ui/fields/switch.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { useAction } from '../ui/use-action.ts'
import { AgentSection } from './own-agent.tsx'
import { KeysSection } from './keys-section.tsx'
import { PageFrame, Section } from './settings/page-frame.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** The user's account: name, address, mails, language. */
export function AccountPage({ options }: { options: AuthOptions }) {
  return (
    <PageFrame title={t('Your account')}>
      <Loaded query={useQuery(accountQuery)}>
        {(account) => (
          <>
            <ProfileSection account={account} />
            {options.oidc && <OidcSection account={account} name={options.oidc.name} />}
            {options.mail && <MailSection account={account} />}
            <LanguageSection />
            <AgentSection />
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}

/** The ways to sign in, and the user's sessions. */
export function SessionsPage() {
  return (
    <PageFrame title={t('Password and sessions')}>
      <Loaded query={useQuery(accountQuery)}>
        {(account) => (
          <>
            <PasswordSection account={account} />
            <SessionsSection account={account} />
          </>
        )}
      </Loaded>
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
  const change = useAction(connected ? disconnectOidc : connectOidc, { changes: accountQuery.queryKey })
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
  const change = useAction((wanted: boolean) => patchAccount({ mails: wanted }), {
    onDone: (saved) => queryClient.setQueryData(accountQuery.queryKey, saved),
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
