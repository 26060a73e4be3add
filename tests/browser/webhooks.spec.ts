import { createServer } from 'node:http'
import { type Listening, listenLocally } from '@copydesk/testing'
import { expect } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { findings } from './findings.ts'
import { signUpOperator } from './people.ts'
import { test } from './test.ts'

let receiver: Listening
let server: Copydesk
/** What the receiver answers, and how often it has. */
let status = 500
let received = 0

test.beforeEach(async () => {
  receiver = await listenLocally(
    createServer((_request, response) => {
      received += 1
      response.writeHead(status).end()
    }),
  )
  server = await startCopydesk({ AUTH: 'accounts', ALLOW_PRIVATE_HOSTS: '127.0.0.1' })
})
test.afterEach(async () => {
  await server.dispose()
  await receiver.close()
})

test('[HOOK-11] an operator adds a webhook, sees its secret once, how its calls end and what they hold, sends one again, and deletes it', async ({
  browser,
}) => {
  const { page } = await signUpOperator(browser, server)

  await page.goto('/')
  await page.getByRole('button', { name: 'Ana: account' }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).click()
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Address').fill('http://example.org/')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await expect(page.getByRole('alert')).toContainText('has to begin with https://')
  await page.getByLabel('Address').fill(receiver.origin)
  await page.getByLabel('Chat messages').uncheck()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await expect(page.getByLabel('Secret')).toHaveValue(/^whsec_.{44}$/)
  await expect(page.getByLabel('Secret')).toBeFocused()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'New webhook' })).toBeFocused()
  const webhook = page.getByRole('list', { name: 'Webhooks' }).locator('> li')
  await expect(webhook).toContainText('Not called yet')
  await expect(webhook).toContainText('Agent runs · Changes of the text · Comments · Versions')

  await page.getByRole('button', { name: 'Send a test event' }).click()
  const deliveries = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
  await expect(deliveries).toContainText('The receiver answered 500')
  await expect(webhook).toContainText('Failing')
  await expect(webhook).toContainText('0 of 1 call succeeded')
  // A test event is sent once only.
  await expect(webhook).toContainText(/No call has succeeded since [^;]+\.Send/)
  expect(await findings(page, 'webhooks')).toEqual([])
  status = 204
  await deliveries.getByRole('button', { name: 'Send again' }).click()
  await expect(deliveries).toContainText('Delivered')
  await expect(webhook).toContainText('Healthy')
  await expect(webhook).toContainText('1 of 1 call succeeded')
  await deliveries.getByRole('button', { name: 'Details' }).click()
  await expect(deliveries).toContainText('"type": "test"')
  expect(await findings(page, 'the details of a delivery')).toEqual([])
  await deliveries.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => received).toBe(3)
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'Not delivered' }).click()
  await expect(webhook).toContainText('There are none of these.')

  await page.getByRole('button', { name: 'Actions for' }).click()
  await page.getByRole('menuitem', { name: 'New secret' }).click()
  await expect(webhook.getByLabel('Secret')).toBeFocused()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'Actions for' })).toBeFocused()
  await page.getByRole('button', { name: 'Actions for' }).click()
  await page.getByRole('menuitem', { name: 'Switch off' }).click()
  await expect(webhook).toContainText('Switched off')
  await webhook.getByRole('button', { name: 'Switch on' }).click()
  await expect(webhook).toContainText('Healthy')

  await page.getByRole('button', { name: 'Actions for' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('There are no webhooks yet.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New webhook' })).toBeFocused()
})
