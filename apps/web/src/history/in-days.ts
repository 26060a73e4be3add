import type { Version } from '@copydesk/protocol'
import { startOfDay } from '../common/relative-time.ts'

/** The versions of one day, newest first. */
export type Day = { title: string; versions: readonly Version[] }

/** Versions by day, in the browser's time zone: today, yesterday, and dates before that. */
export function inDays(versions: readonly Version[], now: Date): Day[] {
  const groups = Map.groupBy(versions, ({ createdAt }) => startOfDay(new Date(createdAt)))
  return [...groups].map(([day, each]) => ({ title: titleOf(day, now), versions: each }))
}

/** The time of day at which a version was saved. */
export function timeOf({ createdAt }: Pick<Version, 'createdAt'>): string {
  return new Date(createdAt).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

/** The date and time at which a version was saved. */
export function momentOf({ createdAt }: Pick<Version, 'createdAt'>, now: Date): string {
  const title = titleOf(startOfDay(new Date(createdAt)), now)
  return `${title}, ${timeOf({ createdAt })}`
}

function titleOf(day: number, now: Date): string {
  const then = new Date(day)
  const days = Math.round((startOfDay(now) - day) / 86_400_000)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  const year = then.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return then.toLocaleDateString('en', { weekday: 'long', day: 'numeric', month: 'long', ...year })
}
