import { type Account, PatchAccount, type PatchMe } from '@copydesk/protocol'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { patchAccount, patchMe } from '../api/caller/account.ts'
import { parse } from '../api/client.ts'
import { notifyOtherWindows } from '../api/caller/caller-changes.ts'
import { accountKey, meKey } from '../api/query-client.ts'
import { t } from '../i18n/translate.ts'
import { PasswordField } from '../sign-in/password-field.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Form } from '../ui/fields/form.tsx'
import { showToast } from '../ui/toasts/toasts.tsx'
import { ColorField } from './color-field.tsx'
import { Section } from './settings/page-frame.tsx'

type Entered = Pick<PatchAccount, 'name' | 'email' | 'password'> & Pick<PatchMe, 'color'>

/** The entered values, and their saving. Fields that aren't edited here may change in another window. */
function useProfile(account: Account) {
  const [entered, setEntered] = useState<Entered>({})
  const queryClient = useQueryClient()
  const { name = account.user.name, email = account.email, password = '', color } = entered
  const isNewEmail = email.trim().toLowerCase() !== account.email
  const save = useMutation({
    mutationFn: async () => {
      const change = { name, ...(isNewEmail ? { email, ...(password ? { password } : {}) } : {}) }
      const saved = await patchAccount(parse(PatchAccount, change))
      return color === undefined ? saved : { ...saved, user: await patchMe({ color }) }
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(accountKey, saved)
      setEntered({})
      notifyOtherWindows()
      showToast(t('Saved.'))
      return queryClient.invalidateQueries({ queryKey: meKey })
    },
  })
  const set = (changed: Entered) => setEntered({ ...entered, ...changed })
  return { name, color: color ?? account.user.color, email, isNewEmail, password, set, save }
}

/** Name, colour and address. A change of the address requires the password. */
export function ProfileSection({ account }: { account: Account }) {
  const { name, color, email, isNewEmail, password, set, save } = useProfile(account)
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
          onChange={({ target }) => set({ name: target.value })}
        />
        <Field
          label={t('E-mail address')}
          type="email"
          autoComplete="email"
          value={email}
          onChange={({ target }) => set({ email: target.value })}
        />
        {isNewEmail && account.hasPassword && (
          <PasswordField
            label={t('Current password')}
            autoComplete="current-password"
            hint={t('Needed to change the address that you sign in with.')}
            value={password}
            onChange={({ target }) => set({ password: target.value })}
          />
        )}
        <div className="sm:col-span-2">
          <ColorField name={name} color={color} onColor={(chosen) => set({ color: chosen })} />
        </div>
      </Form>
    </Section>
  )
}
