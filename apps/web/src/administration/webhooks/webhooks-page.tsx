import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { OneTimeSecret } from '../../account/settings/one-time-secret.tsx'
import { createWebhook, webhooksQuery } from '../../api/operators/webhooks.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useOpening } from '../../ui/focus/use-opening.ts'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookRow } from './webhook-row.tsx'

/** For operators: the addresses that are called on events, and the log of deliveries. */
export function WebhooksPage() {
  const webhooks = useQuery(webhooksQuery)
  const [opener, making] = useOpening()
  const [secret, setSecret] = useState<string>()
  const close = () => {
    making.close()
    setSecret(undefined)
  }
  return (
    <PageFrame title={t('Webhooks')}>
      <Section
        title={t('Calls to other programs')}
        text={t('This server calls these addresses when something happens in any document. A call holds ids, no text.')}
        tool={
          !making.isOpen && (
            <Button ref={opener} look="primary" onClick={making.open}>
              {t('New webhook')}
            </Button>
          )
        }
      >
        <div className="flex flex-col gap-4">
          {secret !== undefined && (
            <OneTimeSecret
              label={t('Secret')}
              value={secret}
              text={t('The receiver checks the signature of each call with this secret. It is not shown again.')}
              onDone={close}
            />
          )}
          {making.isOpen && secret === undefined && (
            <WebhookForm save={createWebhook} onSaved={(made) => setSecret(made.secret)} onClose={close} />
          )}
          <Loaded query={webhooks}>
            {(rows) => (
              <Rows
                label={t('Webhooks')}
                rows={rows}
                empty={making.isOpen ? undefined : t('There are no webhooks yet.')}
                className="-my-4"
              >
                {(webhook) => (
                  <WebhookRow key={webhook.id} webhook={webhook} at={webhooks.dataUpdatedAt} rest={opener} />
                )}
              </Rows>
            )}
          </Loaded>
        </div>
      </Section>
    </PageFrame>
  )
}
