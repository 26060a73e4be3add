import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { stopMails } from '../api/account.ts'
import { describeError } from '../api/client.ts'
import { t } from '../i18n/translate.ts'
import { EnterCard, EnterForm } from './enter-card.tsx'

/** The page of the link with which people stop mails about notifications, signed in or not. */
export function StopMailPage() {
  const [token] = useState(() => location.hash.slice(1))
  const stop = useMutation({ mutationFn: () => stopMails(token) })
  if (stop.isSuccess) {
    return (
      <EnterCard
        title={t('No more mails')}
        text={t('You find what others write to you under the bell. Your account page turns mails on again.')}
      >
        {null}
      </EnterCard>
    )
  }
  return (
    <EnterCard
      title={t('Stop mails?')}
      text={t('Copydesk will no longer mail you when people mention you or reply to you.')}
    >
      <EnterForm
        action={t('Stop mails')}
        problem={stop.error ? describeError(stop.error) : undefined}
        isPending={stop.isPending}
        onSubmit={() => stop.mutate()}
      >
        {null}
      </EnterForm>
    </EnterCard>
  )
}
