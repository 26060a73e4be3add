import type { AgentSettings, StorageReport } from '@copydesk/protocol'
import { expect } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { findings } from './findings.ts'
import { test } from './test.ts'
import { openWindow } from './windows.ts'

let server: Copydesk

test.beforeEach(async () => {
  server = await startCopydesk({
    AUTH: 'accounts',
    TOOL_LIMITS: '{"fileMatches": 20}',
    QUOTAS: '{"documentsPerPerson": 1, "imageMiBPerDocument": 25}',
  })
})
test.afterEach(() => server.dispose())

test('[QUOTA-12] [QUOTA-11] [PREF-8] an operator sees how much of the quotas is used, and a person why they can’t make another document; both set what the agent does', async ({
  browser,
}) => {
  const { page } = await openWindow(browser, { origin: server.url })
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
  await expect(people.getByRole('listitem')).toContainText('Documents: 100% used')
  await expect(people.getByRole('listitem')).toContainText('raise documentsPerPerson in QUOTAS')
  await expect(page.getByRole('region', { name: 'Documents' })).toContainText('of 25 MiB')
  await expect(page.getByRole('link', { name: 'A title' })).toBeVisible()
  expect(await findings(page, 'storage')).toEqual([])
  await page.route('/api/storage', async (route) => {
    const report = (await (await route.fetch()).json()) as StorageReport
    const quotas = { ...report.quotas, documentsOfServer: 2000 }
    await route.fulfill({ json: { ...report, quotas, server: { ...report.server, documents: 1999 } } })
  })
  await page.reload()
  const use = page.getByRole('region', { name: 'This server' })
  await expect(use).toContainText('99%')
  await expect(use).toContainText('Delete documents for good, or raise documentsOfServer in QUOTAS.')

  await page.getByRole('link', { name: 'Agent settings' }).click()
  const rounds = page.getByLabel('Answers of the model in a run')
  await expect(page.getByLabel('Lines that a search shows')).toBeDisabled()
  await expect(page.getByText('Set by TOOL_LIMITS')).toBeVisible()
  await rounds.fill('101')
  await expect(page.getByRole('alert')).toHaveText('1 to 100; 8 by default')
  await expect(page.getByRole('button', { name: 'Save limits' })).toBeDisabled()
  await rounds.fill('12')
  await rounds.press('Enter')
  await expect(page.getByText('Saved.')).toBeVisible()
  const save = async (region: string, words: string) => {
    const form = page.getByRole('region', { name: region })
    await form.getByRole('textbox', { name: 'Instructions' }).fill(words)
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await form.getByRole('button', { name: 'Save' }).click()
    expect((await saved).status()).toBe(200)
  }
  await save('Instructions for everybody', 'Use British spelling.')
  expect(await findings(page, 'the settings of the agent')).toEqual([])
  await page.goto('/account')
  await save('Agent', 'Be brief.')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Instructions' })).toHaveValue('Be brief.')
  const { limits, instructions } = (await (await page.request.get('/api/agent-settings')).json()) as AgentSettings
  expect([limits[0]?.value, instructions]).toEqual([12, 'Use British spelling.'])

  await page.goto('/')
  await page.getByRole('button', { name: 'New document' }).first().click()
  await expect(page.getByText('Your quota of documents (1) is used up')).toContainText('documentsPerPerson in QUOTAS')
})
