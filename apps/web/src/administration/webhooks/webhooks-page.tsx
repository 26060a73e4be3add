import type { Webhook } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Pencil, Power } from 'lucide-react'
import { type RefObject, useId, useState } from 'react'
import { PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { ShownOnce } from '../../account/settings/shown-once.tsx'
import {
  createWebhook,
  deleteWebhook,
  patchWebhook,
  replaceSecret,
  testWebhook,
  webhooksQuery,
} from '../../api/operators/webhooks.ts'
import { dateAndTime, formatDate, formatList } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { useOpening } from '../../ui/focus/use-opening.ts'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { MenuItem } from '../../ui/menus/menu.tsx'
import { RowMenu } from '../../ui/menus/row-menu.tsx'
import { useAction } from '../../ui/use-action.ts'
import { eventNames, WebhookForm } from './webhook-form.tsx'
import { deliveriesKey, WebhookLog } from './webhook-log.tsx'

/** For operators: the addresses that are called when something happens, and the log of deliveries. */
export function WebhooksPage() {
  const [opener, making] = useOpening()
  const [secret, setSecret] = useState<string>()
  const close = () => {
    making.close()
    setSecret(undefined)
  }
  const showSecret = (made: string) => {
    // Closing it gives the focus to the button for a new webhook.
    making.open()
    setSecret(made)
  }
  return (
    <PageFrame title={t('Webhooks')}>
      <Section
        title={t('Calls to other programs')}
        text={t('This server calls these addresses when something happens in any document. A call holds ids, no text.')}
      >
        <div className="flex flex-col gap-4">
          {secret !== undefined && (
            <ShownOnce
              label={t('Secret')}
              value={secret}
              text={t('The receiver checks the signature of each call with this secret. It is not shown again.')}
              onDone={close}
            />
          )}
          <Loaded query={useQuery(webhooksQuery)}>
            {(webhooks) => (
              <Rows label={t('Webhooks')} rows={webhooks} empty={t('There are no webhooks.')}>
                {(webhook) => <Row key={webhook.id} webhook={webhook} rest={opener} onSecret={showSecret} />}
              </Rows>
            )}
          </Loaded>
          {making.isOpen && secret === undefined ? (
            <WebhookForm save={createWebhook} onSaved={(made) => setSecret(made.secret)} onClose={close} />
          ) : (
            <Button ref={opener} className="self-start" onClick={making.open}>
              {t('New webhook')}
            </Button>
          )}
        </div>
      </Section>
    </PageFrame>
  )
}

type RowProps = {
  webhook: Webhook
  /** Gets the focus when the webhook is removed from the list. */
  rest: RefObject<HTMLElement | null>
  onSecret: (secret: string) => void
}

function Row({ webhook, rest, onSecret }: RowProps) {
  const { id, url, active } = webhook
  const uid = useId()
  const [menu, editing] = useOpening()
  const [isOpen, setOpen] = useState(false)
  const test = useAction(() => testWebhook(id), { changes: deliveriesKey(id), onDone: () => setOpen(true) })
  const turn = useAction(() => patchWebhook(id, { active: !active }), { changes: webhooksQuery.queryKey })
  const renew = useAction(() => replaceSecret(id), { onDone: onSecret })
  return (
    <li className="flex flex-col gap-3 py-4">
      <div className="flex items-start gap-3">
        <Description urlId={`${uid}-url`} webhook={webhook} />
        <RowMenu
          name={url}
          button={menu}
          removal={{
            title: t('Delete this webhook?'),
            text: t('{url} gets no more calls, and the log is deleted.', { url }),
            remove: () => deleteWebhook(id),
            rest,
            changes: webhooksQuery.queryKey,
          }}
        >
          <MenuItem icon={Pencil} onSelect={editing.open} text={t('Edit')} />
          <MenuItem icon={Power} onSelect={() => turn.mutate()} text={t(active ? 'Switch off' : 'Switch on')} />
          <MenuItem icon={KeyRound} onSelect={() => renew.mutate()} text={t('New secret')} />
        </RowMenu>
      </div>
      {editing.isOpen ? (
        <WebhookForm webhook={webhook} save={(given) => patchWebhook(id, given)} onClose={editing.close} />
      ) : (
        <RowButtons uid={uid} isOpen={isOpen} onTest={() => test.mutate()} onToggle={() => setOpen(!isOpen)} />
      )}
      <div id={`${uid}-log`}>{isOpen && <WebhookLog webhook={webhook} />}</div>
    </li>
  )
}

type RowButtonsProps = { uid: string; isOpen: boolean; onTest: () => void; onToggle: () => void }

function RowButtons({ uid, isOpen, onTest, onToggle }: RowButtonsProps) {
  const shared = { size: 'small', className: 'pointer-coarse:h-10', 'aria-describedby': `${uid}-url` } as const
  return (
    <div className="flex flex-wrap gap-2">
      <Button {...shared} onClick={onTest}>
        {t('Send a test event')}
      </Button>
      <Button {...shared} aria-expanded={isOpen} aria-controls={`${uid}-log`} onClick={onToggle}>
        {t(isOpen ? 'Hide deliveries' : 'Show deliveries')}
      </Button>
    </div>
  )
}

function Description({ urlId, webhook }: { urlId: string; webhook: Webhook }) {
  const { url, description, events, active } = webhook
  const problem = problemOf(webhook)
  return (
    <div className="min-w-0 flex-1">
      {description !== '' && (
        <p dir="auto" className="font-medium wrap-anywhere">
          {description}
        </p>
      )}
      <p id={urlId} dir="ltr" className="font-mono text-sm break-all">
        {url}
      </p>
      <p className="text-sm text-ink-faint">
        <span aria-hidden className={`me-1.5 inline-block size-2 rounded-full ${lampOf(webhook)}`} />
        {[t(active ? 'Switched on' : 'Switched off'), formatList(events.map((event) => t(eventNames[event])))].join(
          ' · ',
        )}
      </p>
      {problem !== undefined && <p className="text-sm text-danger">{problem}</p>}
    </div>
  )
}

function lampOf({ active, stopped, failingSince, dropped }: Webhook): string {
  if (stopped !== null || failingSince !== null || dropped > 0) return 'bg-danger'
  return active ? 'bg-accent' : 'bg-line-strong'
}

function problemOf({ stopped, failingSince, dropped, waiting }: Webhook): string | undefined {
  const since = failingSince === null ? '' : formatDate(failingSince, dateAndTime)
  if (stopped === 'gone') return t('The receiver answered 410: it wants no more calls.')
  if (stopped === 'failing') return t('No call has succeeded since {time}, so it was switched off.', { time: since })
  if (dropped > 0) {
    return t('Too many calls wait: {count, plural, one {# event was} other {# events were}} dropped.', {
      count: dropped,
    })
  }
  if (failingSince === null) return undefined
  return t('No call has succeeded since {time}; {count, plural, one {# waits} other {# wait}}.', {
    time: since,
    count: waiting,
  })
}
