import type { DeliveryError, Webhook, WebhookDelivery } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchDeliveries, redeliver, webhooksQuery } from '../../api/operators/webhooks.ts'
import { documentPath, Link } from '../../common/location.tsx'
import { relativeTime } from '../../common/relative-time.ts'
import { formatDate, formatNumber } from '../../i18n/format.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { useAction } from '../../ui/use-action.ts'
import { eventNames } from './webhook-form.tsx'

/** The key under which the deliveries of a webhook are cached. */
export function deliveriesKey(id: string): readonly string[] {
  return [...webhooksQuery.queryKey, id]
}

const moment = { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' } as const

/** The last deliveries of a webhook, which follow what is being sent. */
export function WebhookLog({ webhook: { id } }: { webhook: Webhook }) {
  const deliveries = useQuery({
    queryKey: deliveriesKey(id),
    queryFn: ({ signal }) => fetchDeliveries(id, signal),
    refetchInterval: ({ state }) => (state.data?.some(isUnderway) ? 1000 : 10_000),
    gcTime: 0,
  })
  return (
    <Loaded query={deliveries}>
      {(rows) => (
        <Rows label={t('Deliveries')} rows={rows} empty={t('Nothing has been sent yet.')} className="">
          {(delivery) => <Delivery key={delivery.id} webhook={id} delivery={delivery} />}
        </Rows>
      )}
    </Loaded>
  )
}

function isUnderway({ state, attempts, error }: WebhookDelivery): boolean {
  return state === 'pending' && (attempts === 0 || error === null)
}

function Delivery({ webhook, delivery }: { webhook: string; delivery: WebhookDelivery }) {
  const { id, event, document, createdAt, state } = delivery
  const [now] = useState(() => new Date())
  const again = useAction(() => redeliver(webhook, id), { changes: webhooksQuery.queryKey })
  const name = event === 'test' ? t('Test event') : t(eventNames[event])
  const at = formatDate(createdAt, moment)
  return (
    <li className="flex items-center gap-3 py-2 text-sm">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{name}</span>
          {document !== null && (
            <Link to={documentPath(document)} className="text-accent underline-offset-2 hover:underline">
              {t('document')}
            </Link>
          )}
          <time dateTime={createdAt} title={relativeTime(createdAt, now)} className="text-ink-faint tabular-nums">
            {at}
          </time>
        </p>
        <p className={`break-words ${state === 'failed' ? 'text-danger' : 'text-ink-soft'}`}>{inWords(delivery)}</p>
      </div>
      {!isUnderway(delivery) && (
        <Button
          size="small"
          className="pointer-coarse:h-10"
          aria-label={t('Send again: {event}, {time}', { event: name, time: at })}
          aria-disabled={again.isPending}
          onClick={() => !again.isPending && again.mutate()}
        >
          {t('Send again')}
        </Button>
      )}
    </li>
  )
}

const errors: Readonly<Record<Exclude<DeliveryError, 'status' | 'redirect'>, EnglishText>> = {
  inside: 'The address is in a private network, which ALLOW_PRIVATE_HOSTS would have to allow',
  address: 'The address is not a web address',
  slow: 'The receiver did not answer in time',
  unreachable: 'The receiver could not be reached',
}

function inWords(delivery: WebhookDelivery): string {
  const { state, attempts, dueAt, durationMs, error } = delivery
  if (isUnderway(delivery)) return t(attempts === 0 ? 'Waits to be sent' : 'Being sent…')
  const took = durationMs === null ? [] : [t('{time} ms', { time: formatNumber(durationMs) })]
  const tried = attempts > 1 ? [t('attempt {count}', { count: formatNumber(attempts) })] : []
  const next =
    state === 'pending' && dueAt !== null
      ? [t('next attempt {time}', { time: formatDate(dueAt, moment) })]
      : state === 'failed' && attempts > 1
        ? [t('given up')]
        : []
  return [error === null ? t('Delivered') : describe(error, delivery), ...took, ...tried, ...next].join(' · ')
}

function describe(error: DeliveryError, { status }: WebhookDelivery): string {
  const number = String(status)
  if (error === 'status') return t('The receiver answered {status}', { status: number })
  if (error === 'redirect') return t('The receiver answered {status}: redirects are not followed', { status: number })
  return t(errors[error])
}
