import { type Account, ChangePassword } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { parse } from '../api/client.ts'
import { t } from '../i18n/translate.ts'
import { showToast } from '../ui/toasts/toasts.tsx'
import { accountQuery, changePassword, keysQuery } from '../api/caller/account.ts'
import { Form, useFields } from '../ui/fields/form.tsx'
import { Section } from './settings/page-frame.tsx'
import { PasswordField, passwordHint } from '../sign-in/password-field.tsx'
import { useSaving } from '../ui/use-action.ts'

const noPasswords = { current: '', password: '' }

/** Changes the password, or sets the first one of an account without a password. */
export function PasswordSection({ account: { hasPassword, email } }: { account: Account }) {
  const { values, field, setValues } = useFields(noPasswords)
  const [keepKeys, setKeepKeys] = useState(false)
  const change = useSaving(
    async () =>
      changePassword(parse(ChangePassword, { ...(hasPassword ? values : { password: values.password }), keepKeys })),
    {
      changes: accountQuery.queryKey,
      onDone: () => {
        setValues(noPasswords)
        setKeepKeys(false)
        showToast(t('Password changed. You are signed out everywhere else.'))
      },
    },
  )
  return (
    <Section title={t('Password')} text={t('A new password signs you out everywhere else.')}>
      <Form
        frame="grid"
        save={t(hasPassword ? 'Change password' : 'Set password')}
        saving={change}
        canSave={values.password !== ''}
      >
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        {hasPassword && (
          <PasswordField label={t('Current password')} autoComplete="current-password" {...field('current')} />
        )}
        <PasswordField
          label={t('New password')}
          autoComplete="new-password"
          hint={t(passwordHint)}
          {...field('password')}
        />
        <KeepKeys isOn={keepKeys} onChange={setKeepKeys} />
      </Form>
    </Section>
  )
}

/** Whether the API keys stay valid after the change; renders nothing if there are none. */
function KeepKeys({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { data: keys = [] } = useQuery(keysQuery)
  if (keys.length === 0) return null
  return (
    <label className="flex items-start gap-2 text-sm sm:col-span-2">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent"
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
