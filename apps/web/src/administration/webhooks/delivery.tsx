import type { WebhookDelivery } from '@copydesk/protocol'
import { ChevronDown, CircleAlert, CircleCheck, Clock, RotateCw } from 'lucide-react'
import { useId, useState } from 'react'
import { redeliver, webhooksQuery } from '../../api/operators/webhooks.ts'
import { formatDate, formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { DocumentLink } from '../document-link.tsx'
import { describeDelivery, isUnderway, moment, shortMoment } from './delivery-texts.ts'
import { eventNames } from './webhook-form.tsx'

type DeliveryProps = {
  /** The id of the webhook. */
  webhook: string
  delivery: WebhookDelivery
  titles: Readonly<Record<string, string>>
}

/** A delivery in the log: its outcome, and its content when opened. */
export function Delivery({ webhook, delivery, titles }: DeliveryProps) {
  const { id, event, document, createdAt, error } = delivery
  const uid = useId()
  const [isOpen, setOpen] = useState(false)
  const again = useAction(() => redeliver(webhook, id), { changes: webhooksQuery.queryKey })
  const send = () => !again.isPending && again.mutate()
  const name = event === 'test' ? t('Test event') : t(eventNames[event])
  const names = { event: name, time: formatDate(createdAt, moment) }
  const isWaiting = isUnderway(delivery)
  const isFailed = error !== null && !isWaiting
  return (
    <li className="py-2 text-sm">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2.5">
        <StateIcon delivery={delivery} />
        <p className="flex gap-x-1.5 max-sm:flex-col">
          <span className="shrink-0 font-medium">{name}</span>
          {document !== null && (
            <span className="min-w-0 truncate">
              <DocumentLink id={document} titles={titles} />
            </span>
          )}
          <time
            dateTime={createdAt}
            title={formatDate(createdAt, moment)}
            className="shrink-0 text-ink-faint tabular-nums sm:ms-auto sm:ps-2"
          >
            {formatDate(createdAt, shortMoment)}
          </time>
        </p>
        <span className="-my-2 flex justify-end sm:min-w-18 sm:pointer-coarse:min-w-20">
          {isFailed && (
            <IconButton
              icon={RotateCw}
              size={15}
              label={t('Send again: {event}, {time}', names)}
              aria-disabled={again.isPending}
              onClick={send}
            />
          )}
          <IconButton
            className={isOpen ? '[&_svg]:rotate-180' : ''}
            icon={ChevronDown}
            size={16}
            label={t('Details: {event}, {time}', names)}
            aria-expanded={isOpen}
            aria-controls={`${uid}-details`}
            onClick={() => setOpen(!isOpen)}
          />
        </span>
        <p className={`col-span-2 col-start-2 wrap-anywhere ${isFailed ? 'text-danger' : 'text-ink-soft'}`}>
          {describeDelivery(delivery)}
        </p>
      </div>
      <div id={`${uid}-details`} className="pe-2 empty:hidden sm:ps-6.5">
        {isOpen && <Details delivery={delivery} onSend={isFailed || isWaiting ? undefined : send} />}
      </div>
    </li>
  )
}

function StateIcon({ delivery }: { delivery: WebhookDelivery }) {
  const shared = { size: 16, 'aria-hidden': true } as const
  if (delivery.state === 'delivered') return <CircleCheck {...shared} className="mt-0.5 shrink-0 text-good" />
  if (isUnderway(delivery)) return <Clock {...shared} className="mt-0.5 shrink-0 text-ink-faint" />
  return <CircleAlert {...shared} className="mt-0.5 shrink-0 text-danger" />
}

const idHeader = 'webhook-id'

type DetailsProps = { delivery: WebhookDelivery; onSend: (() => void) | undefined }

function Details({ delivery, onSend }: DetailsProps) {
  const { id, event, data, createdAt, attempts, attemptedAt, dueAt } = delivery
  const body = JSON.stringify({ type: event, timestamp: createdAt, data }, null, 2)
  const rows: [label: string, value: string | null][] = [
    [t('Happened'), formatDate(createdAt, moment)],
    [t('Attempts'), formatNumber(attempts)],
    [t('Latest attempt'), attemptedAt && formatDate(attemptedAt, moment)],
    [t('Next attempt'), dueAt && formatDate(dueAt, moment)],
  ]
  return (
    <div className="mt-2 mb-1 flex flex-col items-start gap-3 rounded-md bg-sunken p-3 text-xs">
      <dl className="grid w-full gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)] max-sm:[&_dd]:mb-1">
        <dt className="text-ink-soft">{idHeader}</dt>
        <dd dir="ltr" className="font-mono break-all select-all">
          {id}
        </dd>
        {rows.map(
          ([label, value]) =>
            value !== null && (
              <div key={label} className="contents">
                <dt className="text-ink-soft">{label}</dt>
                <dd className="tabular-nums">{value}</dd>
              </div>
            ),
        )}
        <dt className="text-ink-soft">{t('Content')}</dt>
        <dd dir="ltr">
          <pre className="font-mono break-all whitespace-pre-wrap">{body}</pre>
        </dd>
      </dl>
      {onSend && (
        <Button size="small" className="pointer-coarse:h-10" onClick={onSend}>
          {t('Send again')}
        </Button>
      )}
    </div>
  )
}
