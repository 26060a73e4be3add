import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { stopMails } from '../api/caller/account.ts'
import { t } from '../i18n/translate.ts'
import { Form } from '../ui/fields/form.tsx'
import { EnterCard } from './enter-card.tsx'

/** The page of the link with which people stop mails about notifications, signed in or not. */
export function StopMailPage() {
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
