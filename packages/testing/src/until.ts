import { setTimeout } from 'node:timers/promises'

/**
 * Polls a condition until it is true, at first every 5 milliseconds. Waits a tenth of the elapsed time between polls,
 * so that a long wait on a busy machine uses little processor time; 50 milliseconds at most. Fails after `ms`
 * milliseconds with `what` in the message; a function is called then, and can describe the state. The default is just
 * below the minute after which servers poll for missed notifications.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string),
  ms = 55_000,
): Promise<void> {
  const start = Date.now()
  while (!(await condition())) {
    const passed = Date.now() - start
    if (passed > ms) throw new Error(`waited ${ms} ms in vain until ${typeof what === 'string' ? what : what()}`)
    await setTimeout(Math.min(Math.max(5, passed / 10), 50))
  }
}
