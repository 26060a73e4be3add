import type { Version } from '@copydesk/protocol'
import { dayMs, startOfDay } from '../common/relative-time.ts'
import { formatDate, timeOfDay } from '../i18n/format.ts'
import { t } from '../i18n/translate.ts'

/** Versions that are one entry of the list, newest first; `before` is the version that precedes them, if any. */
export type Entry = { versions: readonly [Version, ...Version[]]; before: Version | undefined }

/** The entries of one day, newest first. */
export type Day = { title: string; entries: readonly Entry[] }

const closeMs = 60 * 60_000

/**
 * Versions by day, in the browser's time zone: today, yesterday, and dates before that. Versions without a name within
 * an hour of each other form one entry.
 */
export function inDays(versions: readonly Version[], now: Date): Day[] {
  const entries: { versions: [Version, ...Version[]]; before: Version | undefined }[] = []
  for (const version of versions) {
    const last = entries.at(-1)
    const newer = last?.versions.at(-1)
    if (last && newer && isClose(newer, version)) last.versions.push(version)
    else {
      if (last) last.before = version
      entries.push({ versions: [version], before: undefined })
    }
  }
  const groups = Map.groupBy(entries, ({ versions: [newest] }) => dayOf(newest))
  return [...groups].map(([day, each]) => ({ title: titleOf(day, now), entries: each }))
}

function isClose(newer: Version, older: Version): boolean {
  if (newer.name !== null || older.name !== null || newer.restored || older.restored) return false
  return Date.parse(newer.createdAt) - Date.parse(older.createdAt) < closeMs && dayOf(newer) === dayOf(older)
}

function dayOf({ createdAt }: Version): number {
  return startOfDay(new Date(createdAt))
}

/** The time of day at which a version was saved. */
export function timeOf({ createdAt }: Pick<Version, 'createdAt'>): string {
  return formatDate(createdAt, timeOfDay)
}

/** The date and time at which a version was saved. */
export function formatSavedAt({ createdAt }: Pick<Version, 'createdAt'>, now: Date): string {
  const title = titleOf(startOfDay(new Date(createdAt)), now)
  return `${title}, ${timeOf({ createdAt })}`
}

function titleOf(day: number, now: Date): string {
  const then = new Date(day)
  const days = Math.round((startOfDay(now) - day) / dayMs)
  if (days === 0) return t('Today')
  if (days === 1) return t('Yesterday')
  const year = then.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return formatDate(then, { weekday: 'long', day: 'numeric', month: 'long', ...year })
}
