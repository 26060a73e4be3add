import { test as base } from '@playwright/test'
import { leaveWindows } from './windows.ts'

/**
 * A test that leaves no page open: pages of earlier tests would keep drawing carets and answering the server, and slow
 * down later tests. Playwright ends the worker of a test that fails, and takes a picture of each window that closes.
 */
export const test = base.extend<{ closedWindows: undefined }>({
  closedWindows: [
    async ({ browser }, use, test) => {
      await use(undefined)
      await leaveWindows(browser, { mayKeep: test.status === test.expectedStatus })
    },
    { auto: true },
  ],
})
