import { expect } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { findings } from './findings.ts'
import { test } from './test.ts'

let server: Copydesk

test.beforeEach(async () => {
  server = await startCopydesk({ AUTH: 'accounts', QUOTAS: '{"documentsPerPerson": 1, "imageMiBPerDocument": 25}' })
})
test.afterEach(() => server.dispose())

test('[QUOTA-12] [QUOTA-11] an operator sees how much of the quotas is used, and a person why they can’t make another document', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const link = () => /first account at (\S+)/.exec(server.output())?.[1] ?? ''
  await expect.poll(link).not.toBe('')
  await page.goto(link())
  await page.getByLabel('Your name').fill('Ana')
  await page.getByLabel('E-mail address').fill('ana@example.org')
  await page.getByLabel('Password', { exact: true }).fill('copper lantern walnut')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible()
  await page.request.post('/api/documents', { data: { title: 'A title' } })

  await page.getByRole('button', { name: 'Ana: account' }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).click()
  await page.getByRole('link', { name: 'Storage' }).click()
  await expect(page.getByRole('heading', { name: 'Storage' })).toBeVisible()
  const people = page.getByRole('region', { name: 'People' })
  await expect(people.getByRole('listitem')).toContainText('Ana')
  await expect(people.getByRole('listitem')).toContainText('1 of 1')
  await expect(page.getByRole('region', { name: 'Documents' })).toContainText('of 25 MiB')
  await expect(page.getByText('A title')).toHaveCount(0)
  expect(await findings(page, 'storage')).toEqual([])

  await page.goto('/')
  await page.getByRole('button', { name: 'New document' }).first().click()
  await expect(page.getByText('Your quota of documents (1) is used up')).toContainText('documentsPerPerson in QUOTAS')
  await context.close()
})
