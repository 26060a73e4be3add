import { type AuthOptions, SignIn, RequestReset } from '@copydesk/protocol'
import { useState } from 'react'
import { goToOidc, signIn, requestReset } from '../api/caller/account.ts'
import { tRich } from '../i18n/rich-text.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Form, FormProblem, useFields } from '../ui/fields/form.tsx'
import { showError } from '../ui/toasts/toasts.tsx'
import { EnterCard, OrLine } from './enter-card.tsx'
import { PasswordField } from './password-field.tsx'
import { oidcProblem, useEntering } from './use-entering.ts'
import { useMutation } from '@tanstack/react-query'
import { parse } from '../api/client.ts'

type SignInPageProps = {
  options: AuthOptions
  /** The user whose session ended on this page. */
  ended?: { email: string; name: string }
}

/** Asks for address and password, or redirects to the OIDC provider. */
export function SignInPage({ options, ended }: SignInPageProps) {
  const [isForgotten, setForgotten] = useState(false)
  if (options.needsSetUp) return <NotSetUp />
  if (isForgotten) return <ForgotPage onBack={() => setForgotten(false)} />
  const text = t(
    ended
      ? 'Sign in again to continue. What you wrote is still here.'
      : 'Write together with people and an agent. Accounts are by invitation.',
  )
  return (
    <EnterCard title={t(ended ? 'Your session has ended' : 'Sign in to Copydesk')} text={text}>
      <SignInForm email={ended?.email} />
      {options.oidc && (
        <>
          <OrLine />
          <OidcButton name={options.oidc.name} />
        </>
      )}
      <p className="mt-5 text-sm text-ink-faint">
        {ended ? (
          <SomebodyElse name={ended.name} />
        ) : options.mail ? (
          <button type="button" className="text-accent underline underline-offset-2" onClick={() => setForgotten(true)}>
            {t('Forgot your password?')}
          </button>
        ) : (
          t('Forgot your password? An operator can give you a link for a new one.')
        )}
      </p>
    </EnterCard>
  )
}

function SignInForm({ email: known }: { email: string | undefined }) {
  const { values, field } = useFields({ email: known ?? '', password: '' })
  const [outside] = useState(() => oidcProblem(location.search))
  const entering = useEntering(SignIn, values, signIn, () => {
    if (location.search !== '') history.replaceState(null, '', location.pathname)
  })
  return (
    <Form frame="card" save={t('Sign in')} saving={entering} note={entering.isIdle && <FormProblem text={outside} />}>
      <Field
        label={t('E-mail address')}
        type="email"
        autoComplete="username"
        autoFocus={known === undefined}
        readOnly={known !== undefined}
        {...field('email')}
      />
      <PasswordField
        label={t('Password')}
        autoComplete="current-password"
        autoFocus={known !== undefined}
        {...field('password')}
      />
    </Form>
  )
}

/** Redirects to the OIDC provider; after signing in the user returns to the same page. */
export function OidcButton({ name, invitation }: { name: string; invitation?: string }) {
  const [isLeaving, setLeaving] = useState(false)
  const go = () => {
    setLeaving(true)
    const isOwnPage = !/^\/(sign-in|join|set-up|reset)\/?$/.test(location.pathname)
    const target = {
      returnTo: isOwnPage ? location.pathname : '/',
      ...(invitation === undefined ? {} : { invitation }),
    }
    goToOidc(target).catch((error: unknown) => {
      setLeaving(false)
      showError(error)
    })
  }
  return (
    <Button className="w-full" disabled={isLeaving} onClick={go}>
      {t('Continue with {name}', { name })}
    </Button>
  )
}

function SomebodyElse({ name }: { name: string }) {
  return (
    <>
      {tRich(
        'Not {name}? <button>Leave this page</button>. What {name} wrote stays in this browser until they sign in.',
        {
          name,
          button: (text) => (
            <button
              type="button"
              className="text-accent underline underline-offset-2"
              onClick={() => location.assign('/')}
            >
              {text}
            </button>
          ),
        },
      )}
    </>
  )
}

function NotSetUp() {
  return (
    <EnterCard
      title={t('This Copydesk isn’t set up yet')}
      text={t('Create the first account with the link that the server prints when it starts.')}
    >
      <p className="text-sm text-ink-soft">
        {tRich('Look for “Make the first account at” in the server’s output, or in <code>docker compose logs</code>.', {
          code: (text) => <code>{text}</code>,
        })}
      </p>
    </EnterCard>
  )
}

/** Asks for the address to which a link for a new password is mailed. */
function ForgotPage({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState('')
  const ask = useMutation({ mutationFn: async () => requestReset(parse(RequestReset, { email })) })
  const back = (
    <Button className="w-full" onClick={onBack}>
      {t('Back to sign-in')}
    </Button>
  )
  if (ask.isSuccess) {
    return (
      <EnterCard
        title={t('Check your e-mail')}
        text={t('If {email} has an account, a link for a new password is on its way. It works for an hour.', {
          email: email.trim(),
        })}
      >
        {back}
      </EnterCard>
    )
  }
  return (
    <EnterCard title={t('Forgot your password?')} text={t('We’ll e-mail you a link to set a new one.')}>
      <Form frame="card" save={t('Send the link')} saving={ask}>
        <Field
          label={t('E-mail address')}
          type="email"
          autoComplete="username"
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Form>
      <div className="mt-3">{back}</div>
    </EnterCard>
  )
}
