import { expect } from '@playwright/test'
import { clickEndOf, enter, openNew, writeWithoutSession } from './people.ts'
import { test } from './test.ts'

test('going offline shows at once, and what is written then arrives', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, 'Text')
  await ana.context.setOffline(true)
  await expect(ana.saved).toHaveText(/^Offline/)
  await clickEndOf(ana, 'Text')
  await ana.page.keyboard.type(' offline')
  await expect(ana.saved).toHaveText(/^Offline/)
  await ana.context.setOffline(false)
  await expect(ana.saved).toHaveText(/^Saved/)
  await ana.page.reload()
  await expect(ana.editor).toContainText('Text offline')
})

test('what was written without a session stays, and is sent after giving a name', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, 'Text')
  await writeWithoutSession(ana, 'Text', ' kept')
  await ana.page.getByLabel('Your name').fill('Ana again')
  await ana.page.getByRole('button', { name: 'Continue' }).click()
  await expect(ana.saved).toHaveText(/^Saved/)
  await expect(ana.here.getByRole('button', { name: 'Ana again (you)' })).toBeVisible()
  await ana.page.reload()
  await expect(ana.editor).toContainText('Text kept')
})

test('a refused change can be copied', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await ana.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await ana.page.routeWebSocket(/\/collab/, (socket) => {
    const server = socket.connectToServer()
    let refused = false
    socket.onMessage((message) => {
      refused ||= message.includes('too much')
      if (refused) void socket.close({ code: 4413 })
      else server.send(message)
    })
  })
  await ana.page.route('**/updates*', (route) =>
    route.fulfill({ status: 413, json: { error: { code: 'too_large', message: 'Too large.' } } }),
  )
  await openNew(ana, 'Text')
  await clickEndOf(ana, 'Text')
  await ana.page.keyboard.insertText(' too much')
  const banner = ana.page.getByRole('alert')
  await expect(banner).toContainText(/The server refused what was written here since \d\d:\d\d as too large/)
  await banner.getByRole('button', { name: 'Copy the text' }).click()
  await expect(ana.page.getByText('Text copied.')).toBeVisible()
  expect(await ana.page.evaluate(() => navigator.clipboard.readText())).toBe('Text too much')
  // Until it is discarded it is there again with every visit, and refused again.
  await ana.page.reload()
  await expect(banner).toContainText('as too large')
  await expect(ana.editor).toContainText('Text too much')
  await banner.getByRole('button', { name: 'Discard and reload' }).click()
  await expect(ana.editor).toHaveText('Text')
  await expect(ana.saved).toHaveText(/^Saved/)
})
