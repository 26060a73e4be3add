import { type Account, ChangePassword } from '@copydesk/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { describeError } from '../api/client.ts'
import { accountKey } from '../api/query-client.ts'
import { t } from '../i18n/translate.ts'
import { showToast } from '../ui/toasts/toasts.tsx'
import { Button } from '../ui/button.tsx'
import { changePassword, fetchKeys } from '../api/caller/account.ts'
import { FormProblem } from '../sign-in/enter-card.tsx'
import { keysKey } from './keys-section.tsx'
import { Section } from './settings/page-frame.tsx'
import { PasswordField, passwordHint } from '../sign-in/password-field.tsx'
import { parse } from '../sign-in/use-entering.ts'

/** Changes the password, or sets the first one of an account without a password. */
export function PasswordSection({ account: { hasPassword, email } }: { account: Account }) {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [keepKeys, setKeepKeys] = useState(false)
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: async () =>
      changePassword(parse(ChangePassword, { ...(hasPassword ? { current } : {}), password, keepKeys })),
    onSuccess: () => {
      setCurrent('')
      setPassword('')
      setKeepKeys(false)
      showToast(t('Password changed. You are signed out everywhere else.'))
      return queryClient.invalidateQueries({ queryKey: accountKey })
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <Section title={t('Password')} text={t('A new password signs you out everywhere else.')}>
      <form onSubmit={onSubmit} noValidate className="grid gap-4 sm:grid-cols-2">
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        {hasPassword && (
          <PasswordField
            label={t('Current password')}
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        )}
        <PasswordField
          label={t('New password')}
          autoComplete="new-password"
          hint={t(passwordHint)}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <KeepKeys isOn={keepKeys} onChange={setKeepKeys} />
        <div className="flex flex-col items-start gap-3 sm:col-span-2">
          <FormProblem text={change.error ? describeError(change.error) : undefined} />
          <Button type="submit" disabled={password === '' || change.isPending}>
            {t(hasPassword ? 'Change password' : 'Set password')}
          </Button>
        </div>
      </form>
    </Section>
  )
}

/** Whether the API keys stay valid after the change; nothing if there are none. */
function KeepKeys({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { data: keys = [] } = useQuery({ queryKey: keysKey, queryFn: ({ signal }) => fetchKeys(signal) })
  if (keys.length === 0) return null
  return (
    <label className="flex items-start gap-2 text-sm sm:col-span-2">
      <input
        type="checkbox"
        className="mt-0.5 size-4 accent-accent"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {t('Keep my keys')}
        <span className="block text-ink-soft">
          {t('Otherwise they all end. Tick this only if no one else can have known the old password.')}
        </span>
      </span>
    </label>
  )
}
