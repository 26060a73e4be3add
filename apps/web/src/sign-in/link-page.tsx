import { type AuthOptions, type Me, type OpenedLink, ResetPassword, SignUp } from '@copydesk/protocol'
import { useQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { lookAtLink, resetPassword, signUp, stopMails } from '../api/caller/account.ts'
import { ApiError, describeError } from '../api/client.ts'
import { navigate } from '../common/location.tsx'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Form, useFields } from '../ui/fields/form.tsx'
import { HomeLink, PageNotice } from '../ui/page-notice.tsx'
import { EnterCard, OrLine } from './enter-card.tsx'
import { PasswordField, passwordHint } from './password-field.tsx'
import { OidcButton } from './sign-in-page.tsx'
import { useEntering } from './use-entering.ts'

type LinkPageProps = { options: AuthOptions; me: Me | null }

/** The page of a link from a mail or an operator. Its token follows the `#`, which browsers don't send to servers. */
export function LinkPage(props: LinkPageProps) {
  return location.pathname === '/stop-mail' ? <StopMailPage /> : <AccountLinkPage {...props} />
}

/** The page of a link for set-up, an invitation or a new password. */
function AccountLinkPage({ options, me }: LinkPageProps) {
  const [token] = useState(() => location.hash.slice(1))
  const {
    data: link,
    error,
    refetch,
  } = useQuery({ queryKey: ['link', token], queryFn: () => lookAtLink(token), retry: false })
  if (error) return <NoLink error={error} isSignedIn={me !== null} onRetry={() => void refetch()} />
  if (!link) return null
  if (me && link.kind !== 'reset') return <SignedInAlready me={me} />
  if (link.kind === 'reset') return <ResetForm token={token} email={link.email ?? ''} />
  return <SignUpForm token={token} link={link} options={options} />
}

function SignUpForm({ token, link, options }: { token: string; link: OpenedLink; options: AuthOptions }) {
  const { values, field } = useFields({ name: '', email: link.email ?? '', password: '' })
  const entering = useEntering(SignUp, { token, ...values }, signUp, openDocumentList)
  const isFirst = link.kind === 'set-up'
  return (
    <EnterCard
      title={t(isFirst ? 'Set up Copydesk' : 'Welcome to Copydesk')}
      text={
        isFirst
          ? t('The first account administers this server and invites the others.')
          : t('You have been invited. Create your account.')
      }
    >
      <Form frame="card" save={t('Create account')} saving={entering}>
        <Field label={t('Your name')} autoComplete="name" autoFocus maxLength={80} {...field('name')} />
        <Field
          label={t('E-mail address')}
          type="email"
          autoComplete="username"
          readOnly={link.email !== undefined}
          {...field('email')}
        />
        <PasswordField
          label={t('Password')}
          hint={t(passwordHint)}
          autoComplete="new-password"
          {...field('password')}
        />
      </Form>
      {options.oidc && (
        <>
          <OrLine />
          <OidcButton name={options.oidc.name} invitation={token} />
        </>
      )}
    </EnterCard>
  )
}

function ResetForm({ token, email }: { token: string; email: string }) {
  const [password, setPassword] = useState('')
  const entering = useEntering(ResetPassword, { token, password }, resetPassword, openDocumentList)
  return (
    <EnterCard
      title={t('Set a new password')}
      text={t('For {email}. You will be signed out everywhere else, and your keys end.', { email })}
    >
      <Form frame="card" save={t('Set password')} saving={entering}>
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label={t('New password')}
          hint={t(passwordHint)}
          autoComplete="new-password"
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Form>
    </EnterCard>
  )
}

function SignedInAlready({ me }: { me: Me }) {
  return (
    <PageNotice
      title={t('You are signed in as {name}', { name: me.user.name })}
      text={t('This link creates an account for another person. Sign out first, or open it in another browser.')}
    >
      <HomeLink />
    </PageNotice>
  )
}

type NoLinkProps = { error: Error; isSignedIn: boolean; onRetry: () => void }

function NoLink({ error, isSignedIn, onRetry }: NoLinkProps) {
  const isOver = error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_input')
  return (
    <PageNotice
      title={t(isOver ? 'This link is no longer valid' : 'The link can’t be opened now')}
      text={isOver ? t('It was used or revoked, or has expired. Ask for a new one.') : describeError(error)}
    >
      {isOver ? (
        <HomeLink text={t(isSignedIn ? 'All documents' : 'Sign in')} />
      ) : (
        <Button look="primary" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </PageNotice>
  )
}

// The link is used up: the back button must not return to it.
function openDocumentList(): void {
  navigate('/', { replace: true })
}

/** The page of the link that stops mails about notifications, for signed-in and other people. */
function StopMailPage() {
  const [token] = useState(() => location.hash.slice(1))
  const stop = useMutation({ mutationFn: () => stopMails(token) })
  if (stop.isSuccess) {
    return (
      <EnterCard
        title={t('E-mails are off')}
        text={t('Mentions and replies are still under the bell. Turn e-mails on again on your account page.')}
      />
    )
  }
  return (
    <EnterCard title={t('Stop e-mails?')} text={t('Copydesk will no longer e-mail you about mentions and replies.')}>
      <Form frame="card" save={t('Stop e-mails')} saving={stop} />
    </EnterCard>
  )
}
