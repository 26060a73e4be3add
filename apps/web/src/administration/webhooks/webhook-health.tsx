import type { Webhook, WebhookResult } from '@copydesk/protocol'
import { relativeTime } from '../../common/relative-time.ts'
import { dateAndTime, formatDate, formatNumber } from '../../i18n/format.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'

type State = 'healthy' | 'failing' | 'overloaded' | 'off' | 'stopped' | 'new'

const states: Readonly<Record<State, EnglishText>> = {
  healthy: 'Healthy',
  failing: 'Failing',
  overloaded: 'Overloaded',
  off: 'Switched off',
  stopped: 'Switched off',
  new: 'Not called yet',
}

/** The state of a webhook in one or two words. */
export function WebhookBadge({ webhook }: { webhook: Webhook }) {
  const state = stateOf(webhook)
  const look =
    state === 'healthy'
      ? 'bg-accent-soft text-accent-strong'
      : state === 'off' || state === 'new'
        ? 'bg-hover text-ink-soft'
        : 'bg-danger-soft text-danger'
  return <span className={`rounded-full px-2 py-0.5 text-xs font-medium ${look}`}>{t(states[state])}</span>
}

function stateOf({ active, stopped, failingSince, dropped, recent }: Webhook): State {
  if (!active) return stopped === null ? 'off' : 'stopped'
  if (failingSince !== null) return 'failing'
  if (dropped > 0) return 'overloaded'
  return recent.some(({ result }) => result === 'delivered') ? 'healthy' : 'new'
}

const marks: Readonly<Record<WebhookResult['result'], string>> = {
  delivered: 'h-3.5 bg-good',
  failed: 'h-3.5 bg-danger',
  waiting: 'h-1.5 bg-line-strong',
}

type WebhookHealthProps = {
  webhook: Webhook
  /** The time at which the webhook was read, in milliseconds. */
  at: number
}

/** The outcome of the last calls, and the problem if they fail. */
export function WebhookHealth({ webhook, at }: WebhookHealthProps) {
  const { recent } = webhook
  const problem = problemOf(webhook)
  const ended = recent.filter(({ result }) => result !== 'waiting')
  const last = recent
    .flatMap((call) => call.at ?? [])
    .toSorted()
    .at(-1)
  return (
    <>
      {ended.length > 0 && (
        <p className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-ink-soft">
          <span aria-hidden className="flex items-end gap-0.5">
            {recent.toReversed().map(({ result }, index) => (
              <span key={index} className={`w-1 rounded-xs ${marks[result]}`} />
            ))}
          </span>
          <span>
            {t('{done} of {count, plural, one {# call} other {the last # calls}} succeeded', {
              done: formatNumber(ended.filter(({ result }) => result === 'delivered').length),
              count: ended.length,
            })}
            {last !== undefined && (
              <time dateTime={last} title={formatDate(last, dateAndTime)} className="text-ink-faint">
                {` · ${t('the latest {time}', { time: relativeTime(last, new Date(at)) })}`}
              </time>
            )}
          </span>
        </p>
      )}
      {problem !== undefined && <p className="mt-1 text-danger">{problem}</p>}
    </>
  )
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
  if (waiting === 0) return t('No call has succeeded since {time}.', { time: since })
  return t('No call has succeeded since {time}; {count, plural, one {# call is} other {# calls are}} waiting.', {
    time: since,
    count: waiting,
  })
}
