import { CreateWebhook, type Webhook, WebhookEvent } from '@copydesk/protocol'
import { useState } from 'react'
import { parse } from '../../api/client.ts'
import { webhooksQuery } from '../../api/operators/webhooks.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { CheckField, Field } from '../../ui/fields/field.tsx'
import { Form, useFields } from '../../ui/fields/form.tsx'
import { useSaving } from '../../ui/use-action.ts'

export const eventNames: Readonly<Record<WebhookEvent, EnglishText>> = {
  run: 'Agent runs',
  doc_update: 'Changes of the text',
  thread: 'Comments',
  message: 'Chat messages',
  version: 'Versions',
}

type WebhookFormProps<T> = {
  /** The webhook to change; a new one by default. */
  webhook?: Webhook
  save: (given: CreateWebhook) => Promise<T>
  /** Called instead of `onClose` after the webhook is saved. */
  onSaved?: (saved: T) => void
  onClose: () => void
}

/** The address, description and events of a webhook. */
export function WebhookForm<T>({ webhook, save, onClose, onSaved = onClose }: WebhookFormProps<T>) {
  const { values, field } = useFields({ url: webhook?.url ?? '', description: webhook?.description ?? '' })
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? WebhookEvent.options)
  const saving = useSaving(async () => save(parse(CreateWebhook, { ...values, url: values.url.trim(), events })), {
    changes: webhooksQuery.queryKey,
    onDone: onSaved,
  })
  return (
    <Form
      frame="panel"
      label={t(webhook ? 'Edit webhook' : 'New webhook')}
      save={t(webhook ? 'Save' : 'Add webhook')}
      saving={saving}
      onCancel={onClose}
    >
      <Field
        label={t('Address')}
        type="url"
        dir="ltr"
        placeholder="https://"
        autoFocus
        autoComplete="off"
        maxLength={2000}
        {...field('url')}
      />
      <Field label={t('Description (optional)')} dir="auto" maxLength={200} {...field('description')} />
      <fieldset className="col-span-full">
        <legend className="text-sm font-medium">{t('Events')}</legend>
        <div className="mt-1 grid gap-x-4 sm:grid-cols-2">
          {WebhookEvent.options.map((event) => (
            <CheckField
              key={event}
              checked={events.includes(event)}
              onChange={(on) => setEvents(on ? [...events, event] : events.filter((each) => each !== event))}
            >
              {t(eventNames[event])}
              <code className="text-xs text-ink-faint">{event}</code>
            </CheckField>
          ))}
        </div>
      </fieldset>
    </Form>
  )
}
