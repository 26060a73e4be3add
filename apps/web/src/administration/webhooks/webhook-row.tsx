import type { Webhook } from '@copydesk/protocol'
import { KeyRound, Pencil, Power } from 'lucide-react'
import { type RefObject, useId, useState } from 'react'
import { OneTimeSecret } from '../../account/settings/one-time-secret.tsx'
import { deleteWebhook, patchWebhook, replaceSecret, testWebhook, webhooksQuery } from '../../api/operators/webhooks.ts'
import { formatList } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useOpening } from '../../ui/focus/use-opening.ts'
import { MenuItem } from '../../ui/menus/menu.tsx'
import { RowMenu } from '../../ui/menus/row-menu.tsx'
import { useAction } from '../../ui/use-action.ts'
import { eventNames, WebhookForm } from './webhook-form.tsx'
import { WebhookBadge, WebhookHealth } from './webhook-health.tsx'
import { WebhookLog } from './webhook-log.tsx'

type WebhookRowProps = {
  webhook: Webhook
  /** The time at which the webhook was read, in milliseconds. */
  at: number
  /** Gets the focus when the webhook is removed from the list. */
  rest: RefObject<HTMLElement | null>
}

const changes = webhooksQuery.queryKey

/** A webhook: its address, its health, its log, and the actions on it. */
export function WebhookRow({ webhook, at, rest }: WebhookRowProps) {
  const { id, url, active } = webhook
  const uid = useId()
  const [menu, editing] = useOpening()
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  const turn = useAction(() => patchWebhook(id, { active: !active }), { changes })
  const renew = useAction(() => replaceSecret(id), { onDone: setSecret })
  return (
    <li className="flex flex-col gap-3 py-4">
      <div className="flex items-start gap-3">
        <Description urlId={`${uid}-url`} webhook={webhook} at={at} />
        <RowMenu
          name={url}
          button={menu}
          removal={{
            title: t('Delete this webhook?'),
            text: t('{url} gets no more calls, and the log is deleted.', { url }),
            remove: () => deleteWebhook(id),
            rest,
            changes,
          }}
        >
          <MenuItem icon={Pencil} onSelect={editing.open} text={t('Edit')} />
          <MenuItem icon={Power} onSelect={() => turn.mutate()} text={t(active ? 'Switch off' : 'Switch on')} />
          <MenuItem icon={KeyRound} onSelect={() => renew.mutate()} text={t('New secret')} />
        </RowMenu>
      </div>
      {secret !== undefined && (
        <OneTimeSecret
          label={t('Secret')}
          value={secret}
          text={t('Calls are signed with this secret, and for a day with the old one, too. It is not shown again.')}
          onDone={() => {
            setSecret(undefined)
            menu.current?.focus()
          }}
        />
      )}
      {editing.isOpen ? (
        <WebhookForm webhook={webhook} save={(given) => patchWebhook(id, given)} onClose={editing.close} />
      ) : (
        <RowButtons
          uid={uid}
          webhook={webhook}
          isOpen={isOpen}
          onOpen={setOpen}
          onSwitchOn={active ? undefined : () => turn.mutate()}
        />
      )}
      <div id={`${uid}-log`} className="empty:hidden">
        {isOpen && <WebhookLog webhook={webhook} />}
      </div>
    </li>
  )
}

type RowButtonsProps = {
  uid: string
  webhook: Webhook
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onSwitchOn: (() => void) | undefined
}

function RowButtons({ uid, webhook: { id }, isOpen, onOpen, onSwitchOn }: RowButtonsProps) {
  // The key is a prefix of the keys of the logs.
  const test = useAction(() => testWebhook(id), { changes, onDone: () => onOpen(true) })
  const shared = { size: 'small', className: 'pointer-coarse:h-10', 'aria-describedby': `${uid}-url` } as const
  return (
    <div className="flex flex-wrap gap-2">
      {onSwitchOn && (
        <Button {...shared} onClick={onSwitchOn}>
          {t('Switch on')}
        </Button>
      )}
      <Button {...shared} onClick={() => test.mutate()}>
        {t('Send a test event')}
      </Button>
      <Button {...shared} aria-expanded={isOpen} aria-controls={`${uid}-log`} onClick={() => onOpen(!isOpen)}>
        {t(isOpen ? 'Hide deliveries' : 'Show deliveries')}
      </Button>
    </div>
  )
}

type DescriptionProps = { urlId: string; webhook: Webhook; at: number }

function Description({ urlId, webhook, at }: DescriptionProps) {
  const { url, description, events } = webhook
  const address = (
    <p id={urlId} dir="ltr" className="font-mono text-sm wrap-anywhere">
      {url}
    </p>
  )
  return (
    <div className="min-w-0 flex-1 text-sm">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {description === '' ? (
          address
        ) : (
          <p dir="auto" className="text-base font-medium wrap-anywhere">
            {description}
          </p>
        )}
        <WebhookBadge webhook={webhook} />
      </div>
      {description !== '' && address}
      <p className="text-ink-faint">{formatList(events.map((event) => t(eventNames[event])))}</p>
      <WebhookHealth webhook={webhook} at={at} />
    </div>
  )
}
