import { setTimeout } from 'node:timers/promises'

/** Resolves after a delay without keeping the process alive: for a shutdown timeout or a pause before a retry. */
export function sleep(ms: number): Promise<void> {
  return setTimeout(ms, undefined, { ref: false })
}
