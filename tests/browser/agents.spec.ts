import { expect } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { findings } from './findings.ts'
import { signUpOperator } from './people.ts'
import { test } from './test.ts'

let server: Copydesk

test.beforeEach(async () => {
  server = await startCopydesk({ AUTH: 'accounts' })
})
test.afterEach(() => server.dispose())

test('[AGENT-4] [AGENT-11] an operator sets up an agent, which people call in the text and the chat and see under its name, pauses and deletes it', async ({
  browser,
}) => {
  const { page } = await signUpOperator(browser, server)

  await page.goto('/')
  await page.getByRole('button', { name: 'Ana: account' }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).click()
  await page.getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('button', { name: 'New agent' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Name' }).fill('Editor')
  await page.getByLabel('Handle').fill('agent')
  await page.getByLabel('Picture').fill('✂️')
  await page.getByLabel('Description').fill('shortens texts')
  await page.getByLabel('Instructions').fill('Shorten what you are shown.')
  await page.getByRole('button', { name: 'At comments' }).click()
  await page.getByLabel('Task').fill('Say whether it is right.')
  await page.getByRole('button', { name: 'Add agent' }).click()
  await expect(page.getByRole('alert')).toContainText('The default agent has this handle')
  await page.getByLabel('Handle').fill('editor')
  expect(await findings(page, 'agents')).toEqual([])
  await page.getByRole('button', { name: 'Add agent' }).click()
  const agent = page.getByRole('main').getByRole('list', { name: 'Agents', exact: true }).getByRole('listitem')
  await expect(agent).toContainText('@editor')
  await expect(agent).toContainText('Begins at each new comment')
  await expect(page.getByRole('button', { name: 'New agent' })).toBeFocused()

  const made = await page.request.post('/api/documents', { data: { markdown: 'A cheap plan.\n\nLast.' } })
  const { id } = (await made.json()) as { id: string }
  const known = page.waitForResponse((response) => response.url().endsWith(`/documents/${id}/people`))
  await page.goto(`/d/${id}`)
  await known
  const text = page.locator('.tiptap')
  await text.getByText('Last.').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('@edi')
  const option = page.getByRole('option', { name: 'editor' })
  await expect(option).toContainText('shortens texts')
  await page.keyboard.press('Enter')
  await page.keyboard.type('replace "cheap" with "fair"')
  await page.keyboard.press('Enter')
  await expect(page.locator('.peer-label')).toContainText('✂️ Editor')
  await expect(text).toContainText('A fair plan.')
  const chip = text.locator('.mention')
  await expect(chip).toHaveText('@editordone')
  await expect(chip).toHaveAttribute('style', /--agent-color: ?#/)

  await page.keyboard.type('@editor replace "plan" with "idea"')
  await expect(chip).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(text).toContainText('A fair idea.')

  const asked = await page.request.post(`/api/documents/${id}/messages`, { data: { text: '@Editor hello' } })
  expect(asked.status()).toBe(202)
  // Of the two mentions and the message.
  await expect(page.getByRole('tabpanel', { name: 'Chat' }).getByText('✂️ Editor', { exact: true })).toHaveCount(3)

  await page.goto('/agents')
  await expect(agent).toContainText('It last worked on')
  const actions = page.getByRole('button', { name: 'Actions for Editor' })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await expect(agent).toContainText('Paused')
  await actions.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('There are no agents yet.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New agent' })).toBeFocused()
})
