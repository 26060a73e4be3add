import { setTimeout } from 'node:timers/promises'

/**
 * Polls a condition until it holds, at first every 5 milliseconds. Waits a tenth of the time that has passed, so that a
 * long wait on a busy machine doesn't take its processor for questions; 50 milliseconds at most. Fails after `ms`
 * milliseconds with `what` in the message. By default that is just before the minute after which servers look by
 * themselves for what they should have been told.
 */
export async function until(condition: () => boolean | Promise<boolean>, what: string, ms = 55_000): Promise<void> {
  const start = Date.now()
  while (!(await condition())) {
    const passed = Date.now() - start
    if (passed > ms) throw new Error(`waited ${ms} ms in vain until ${what}`)
    await setTimeout(Math.min(Math.max(5, passed / 10), 50))
  }
}
