import type { AgentTrigger } from '@copydesk/protocol'
import { t } from '../../i18n/translate.ts'

/** The times of a schedule that has its own form; `own` is any other cron expression. */
export type CronSchedule = { every: 'hour' | 'day' | 'weekday' | 'week' | 'own'; time: string }

const days: Readonly<Record<string, CronSchedule['every']>> = { '*': 'day', '1-5': 'weekday', '1': 'week' }

/** Reads a cron expression as a rhythm with its time of day, `hh:mm`. */
export function parseCron(cron: string): CronSchedule {
  if (cron === '0 * * * *') return { every: 'hour', time: '09:00' }
  const found = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5|1)$/.exec(cron)
  if (!found) return { every: 'own', time: '09:00' }
  const [, minute = '0', hour = '9', day = '*'] = found
  return { every: days[day] ?? 'own', time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` }
}

/** The cron expression of a rhythm; `own` keeps the current one. */
export function toCron({ every, time }: CronSchedule, cron: string): string {
  if (every === 'own') return cron
  if (every === 'hour') return '0 * * * *'
  const [hour, minute] = time.split(':').map(Number)
  const day = Object.entries(days).find(([, each]) => each === every)?.[0] ?? '*'
  return `${minute ?? 0} ${hour ?? 9} * * ${day}`
}

/** The event that a trigger waits for, in words. */
export function describeTrigger(trigger: AgentTrigger): string {
  if (trigger.kind !== 'schedule') {
    return t(trigger.kind === 'comment' ? 'Begins at each new comment' : 'Begins at each new document')
  }
  const { every, time } = parseCron(trigger.cron)
  const { zone } = trigger
  switch (every) {
    case 'hour':
      return t('Begins every hour')
    case 'day':
      return t('Begins every day at {time} ({zone})', { time, zone })
    case 'weekday':
      return t('Begins Monday to Friday at {time} ({zone})', { time, zone })
    case 'week':
      return t('Begins every Monday at {time} ({zone})', { time, zone })
    case 'own':
      return t('Begins at {cron} ({zone})', { cron: trigger.cron, zone })
  }
}
