import { type Account, PatchAccount, type PatchMe } from '@copydesk/protocol'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { patchAccount, patchMe } from '../api/caller/account.ts'
import { parse } from '../api/client.ts'
import { tellOwnWindows } from '../api/caller/own-news.ts'
import { accountKey, meKey } from '../api/query-client.ts'
import { t } from '../i18n/translate.ts'
import { PasswordField } from '../sign-in/password-field.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Form } from '../ui/fields/form.tsx'
import { showToast } from '../ui/toasts/toasts.tsx'
import { ColorField } from './color-field.tsx'
import { Section } from './settings/page-frame.tsx'

/** The fields' values, and saving them. Fields that aren't edited here may change in another window. */
function useProfile(account: Account) {
  const [newName, setName] = useState<string>()
  const [newColor, setColor] = useState<PatchMe['color']>()
  const [newEmail, setEmail] = useState<string>()
  const [password, setPassword] = useState('')
  const queryClient = useQueryClient()
  const name = newName ?? account.user.name
  const color = newColor ?? account.user.color
  const email = newEmail ?? account.email
  const isNewEmail = email.trim().toLowerCase() !== account.email
  const save = useMutation({
    mutationFn: async () => {
      const change = { name, ...(isNewEmail ? { email, ...(password ? { password } : {}) } : {}) }
      const saved = await patchAccount(parse(PatchAccount, change))
      return newColor === undefined ? saved : { ...saved, user: await patchMe({ color: newColor }) }
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(accountKey, saved)
      setName(undefined)
      setColor(undefined)
      setEmail(undefined)
      setPassword('')
      tellOwnWindows()
      showToast(t('Saved.'))
      return queryClient.invalidateQueries({ queryKey: meKey })
    },
  })
  return { name, setName, color, setColor, email, setEmail, isNewEmail, password, setPassword, save }
}

/** Name, colour and address. A change of the address requires the password. */
export function ProfileSection({ account }: { account: Account }) {
  const { name, setName, color, setColor, email, setEmail, isNewEmail, password, setPassword, save } =
    useProfile(account)
  const isNew = name.trim() !== account.user.name || color !== account.user.color || isNewEmail
  return (
    <Section title={t('Profile')} text={t('Others see your name and colour next to what you write.')}>
      <Form frame="grid" save={t('Save')} saving={save} canSave={isNew}>
        <Field
          label={t('Name')}
          autoComplete="name"
          maxLength={80}
          dir="auto"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label={t('E-mail address')}
          type="email"
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        {isNewEmail && account.hasPassword && (
          <PasswordField
            label={t('Current password')}
            autoComplete="current-password"
            hint={t('Needed to change the address that you sign in with.')}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
        <div className="sm:col-span-2">
          <ColorField name={name} color={color} onColor={setColor} />
        </div>
      </Form>
    </Section>
  )
}
