import { CreateWebhook, type Webhook, WebhookEvent } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { parse } from '../../sign-in/use-entering.ts'
import { Field } from '../../ui/fields/field.tsx'
import { FormFrame } from '../form-frame.tsx'

/** The events, in words. */
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
  onSaved: (saved: T) => void
  onCancel: () => void
}

/** The address, description and events of a webhook. */
export function WebhookForm<T>({ webhook, save, onSaved, onCancel }: WebhookFormProps<T>) {
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? WebhookEvent.options)
  const saving = useMutation({
    mutationFn: async () => save(parse(CreateWebhook, { url: url.trim(), description, events })),
    onSuccess: onSaved,
  })
  return (
    <FormFrame
      label={t(webhook ? 'Edit webhook' : 'New webhook')}
      save={t(webhook ? 'Save' : 'Add webhook')}
      saving={saving}
      onCancel={onCancel}
    >
      <Field
        label={t('Address')}
        type="url"
        dir="ltr"
        placeholder="https://"
        autoFocus
        autoComplete="off"
        maxLength={2000}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Field
        label={t('Description (optional)')}
        dir="auto"
        maxLength={200}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <Events chosen={events} onChange={setEvents} />
    </FormFrame>
  )
}

type EventsProps = { chosen: readonly WebhookEvent[]; onChange: (chosen: readonly WebhookEvent[]) => void }

function Events({ chosen, onChange }: EventsProps) {
  return (
    <fieldset className="sm:col-span-2">
      <legend className="text-sm font-medium">{t('Events')}</legend>
      <div className="mt-1 grid sm:grid-cols-2">
        {WebhookEvent.options.map((event) => (
          <label key={event} className="flex min-h-8 items-center gap-2 text-sm pointer-coarse:min-h-10">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={chosen.includes(event)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, event] : chosen.filter((each) => each !== event))
              }
            />
            {t(eventNames[event])}
            <code className="text-xs text-ink-faint">{event}</code>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
