import { setTimeout } from 'node:timers/promises'

/**
 * Polls a condition every few milliseconds until it holds. Fails after `ms` milliseconds with `what` in the message.
 */
export async function until(condition: () => boolean | Promise<boolean>, what: string, ms = 40_000): Promise<void> {
  const end = Date.now() + ms
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain until ${what}`)
    await setTimeout(5)
  }
}
