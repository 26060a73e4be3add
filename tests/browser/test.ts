import { test as base } from '@playwright/test'

/**
 * A test that leaves no window open: pages of earlier tests would keep drawing carets and answering the server, and
 * slow down later tests.
 */
export const test = base.extend<{ closedWindows: undefined }>({
  closedWindows: [
    async ({ browser }, use) => {
      await use(undefined)
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
})
