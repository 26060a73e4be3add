import { RequestReset } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { requestReset } from '../api/caller/account.ts'
import { parse } from '../api/client.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/fields/field.tsx'
import { Form } from '../ui/fields/form.tsx'
import { EnterCard } from './enter-card.tsx'

/** Asks for the address to which a link for a new password is mailed. */
export function ForgotPage({ onBack }: { onBack: () => void }) {
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
