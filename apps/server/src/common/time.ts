import { setTimeout } from 'node:timers/promises'

/** A day in milliseconds. */
export const dayMs = 24 * 60 * 60_000

/** Resolves after a delay without keeping the process alive: for a shutdown timeout or a pause before a retry. */
export function sleep(ms: number): Promise<void> {
  return setTimeout(ms, undefined, { ref: false })
}

/** Waits without keeping the process alive; resolves to false as soon as the signal aborts. */
export async function isOver(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return setTimeout(milliseconds, true, { signal, ref: false }).catch(() => false)
}

/** A time in milliseconds since 1970 as the API shows it (ISO 8601). */
export function iso(time: number): string {
  return new Date(time).toISOString()
}

/** As `iso`; null stays null. */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}
