import { test as base } from '@playwright/test'

/**
 * A test that leaves no window open: pages of earlier tests would go on drawing carets and answering the server, and slow down all that
 * come after them.
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
