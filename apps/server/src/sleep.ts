import { setTimeout } from 'node:timers/promises'

/** Waits without keeping the process alive: a bound for a shutdown, or a pause before something that failed is tried again. */
export function sleep(ms: number): Promise<void> {
  return setTimeout(ms, undefined, { ref: false })
}
