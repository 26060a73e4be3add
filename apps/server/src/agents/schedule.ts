import { Cron } from 'croner'

/**
 * The first time after `after` that a cron expression of five fields names in a time zone, in milliseconds since 1970;
 * null if the expression or the zone is none, or if no time is left.
 */
export function nextTime(cron: string, zone: string, after: number): number | null {
  // Seconds, years and nicknames would be read, too, and start agents more often than anyone has paid for.
  if (cron.trim().split(/\s+/).length !== 5) return null
  try {
    return new Cron(cron, { timezone: zone, paused: true, mode: '5-part' }).nextRun(new Date(after))?.getTime() ?? null
  } catch {
    return null
  }
}
