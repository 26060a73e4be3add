import { createModelServer, type ModelServer } from '@copydesk/agent/testing'
import { expect } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { findings } from './findings.ts'
import { ask, enter, openNew } from './people.ts'
import { test } from './test.ts'

const key = 'sk-ant-0123456789-wxyz'
let model: ModelServer
let server: Copydesk
/** Whether the model refuses its key. */
let refuses = true

test.beforeEach(async () => {
  const script = ({ tools }: { tools: string[] }) => {
    if (refuses) return { error: { status: 401, message: `invalid x-api-key ${key}` } }
    return tools.includes('confirm') ? { chunks: [{ toolCall: { name: 'confirm', arguments: {} } }] } : 'Hello, Ana.'
  }
  model = await createModelServer({ provider: 'anthropic', models: ['claude-one'], script })
  server = await startCopydesk()
})
test.afterEach(async () => {
  await server.dispose()
  await model.close()
})

test('[MODEL-11] from the hint in the panel to a provider with a key, a model with a price and a test that says what fails; then the model answers', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  const { page } = ana
  const path = await openNew(ana, 'A text')
  await page.getByRole('link', { name: 'Set one up' }).click()
  await page.getByRole('button', { name: 'New provider' }).click()
  await page.getByLabel('Other address (optional)').fill(model.baseURL)
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Add provider' }).click()

  await expect(page.getByText('1 model is offered.')).toBeVisible()
  await page.getByLabel('Model', { exact: true }).fill('claude-one')
  await page.getByLabel('Price of a million tokens in').fill('many')
  await page.getByRole('button', { name: 'Add model' }).click()
  await expect(page.getByRole('alert')).toHaveText('Give a price as a number.')
  await page.getByLabel('Price of a million tokens in').fill('3')
  await page.getByLabel('Price of a million tokens out').fill('15,5')
  await page.getByRole('button', { name: 'Add model' }).click()
  await expect(page.getByRole('button', { name: 'Add model' })).toBeFocused()
  const provider = page.getByRole('listitem', { name: 'Anthropic' })
  await expect(provider).toContainText('Key ends with wxyz')
  await expect(provider).toContainText('3.00 in, 15.50 out')
  await expect(provider).toContainText('Default')

  await page.getByRole('button', { name: 'New provider' }).click()
  const name = page.getByLabel('Name', { exact: true })
  await expect(name).toHaveAttribute('placeholder', 'Anthropic 2')
  await name.fill('anthropic ')
  await expect(name).toHaveAccessibleDescription('Another provider has this name.')
  await expect(page.getByRole('button', { name: 'Add provider' })).toBeDisabled()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await provider.getByRole('button', { name: 'Test' }).click()
  await expect(provider).toContainText('The key is not accepted.')
  await expect(page.getByText(key)).toHaveCount(0)
  expect(await findings(page, 'models')).toEqual([])
  refuses = false
  await provider.getByRole('button', { name: 'Test' }).click()
  await expect(provider).toContainText(/It works: it answered in [\d.]+ s/)

  await page.goto(path)
  await ask(ana, 'greet me')
  await expect(ana.conversation).toContainText('Hello, Ana.')
  await expect(page.getByText('No model is configured.')).toHaveCount(0)

  await page.goto('/models')
  await page.getByRole('button', { name: 'Actions for Anthropic' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toContainText('It is the default')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(provider).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'New provider' })).toBeFocused()
})
