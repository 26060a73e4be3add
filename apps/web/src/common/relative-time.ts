import { t } from '../i18n/translate.ts'
import { formatDate, formatRelative } from '../i18n/format.ts'

const minute = 60_000
const hour = 60 * minute

/** A day in milliseconds. */
export const dayMs = 24 * hour

/**
 * A relative time: "just now", "5 minutes ago", "yesterday", and the date from a week on. `iso` is ISO 8601; a time in
 * the future (clocks differ) yields "just now", an invalid one an empty text.
 */
export function relativeTime(iso: string, now: Date): string {
  const then = new Date(iso)
  const passed = now.getTime() - then.getTime()
  if (Number.isNaN(passed)) return ''
  if (passed < minute) return t('just now')
  if (passed < hour) return formatRelative(-Math.floor(passed / minute), 'minute')
  if (passed < dayMs && then.getDate() === now.getDate()) return formatRelative(-Math.floor(passed / hour), 'hour')
  const days = Math.max(1, Math.round((startOfDay(now) - startOfDay(then)) / dayMs))
  if (days < 7) return formatRelative(-days, 'day')
  const sameYear = then.getFullYear() === now.getFullYear()
  return formatDate(then, { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) })
}

/** The first moment of a date's day in the browser's time zone, in milliseconds. */
export function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
