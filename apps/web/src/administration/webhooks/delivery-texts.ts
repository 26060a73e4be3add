import type { DeliveryError, WebhookDelivery } from '@copydesk/protocol'
import { formatDate, formatNumber, timeOfDay } from '../../i18n/format.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'

/** The options of `formatDate` for the times of details. */
export const moment = { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' } as const
/** Those for the times of the log, most of which are a few days ago. */
export const shortMoment = { day: 'numeric', month: 'short', ...timeOfDay } as const

/** Whether a delivery is being sent, or about to be sent for the first time. */
export function isUnderway({ state, attempts, error }: WebhookDelivery): boolean {
  return state === 'pending' && (attempts === 0 || error === null)
}

const errors: Readonly<Record<Exclude<DeliveryError, 'status' | 'redirect'>, EnglishText>> = {
  inside: 'The address is in a private network, which ALLOW_PRIVATE_HOSTS would have to allow',
  address: 'The address is not a web address',
  slow: 'The receiver did not answer in time',
  unreachable: 'The receiver could not be reached',
}

/** The outcome of a delivery: the answer, its duration, and the next attempt. */
export function describeDelivery(delivery: WebhookDelivery): string {
  const { state, attempts, dueAt, durationMs, error } = delivery
  if (isUnderway(delivery)) return t(attempts === 0 ? 'Waits to be sent' : 'Being sent…')
  const took = durationMs === null ? [] : [t('{time} ms', { time: formatNumber(durationMs) })]
  const tried = attempts > 1 ? [t('attempt {count}', { count: formatNumber(attempts) })] : []
  const next =
    state === 'pending' && dueAt !== null
      ? [t('next attempt {time}', { time: formatDate(dueAt, shortMoment) })]
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
