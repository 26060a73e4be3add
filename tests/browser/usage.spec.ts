import { createModelServer, type ModelServer } from '@copydesk/agent/testing'
import { expect } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { findings } from './findings.ts'
import { signUpOperator } from './people.ts'
import { test } from './test.ts'

let server: Copydesk
let model: ModelServer

test.beforeEach(async () => {
  model = await createModelServer({ provider: 'openai', script: () => 'Hello.' })
  server = await startCopydesk({ ...model.environment, AUTH: 'accounts', AGENT_RUN_TOKEN_LIMIT: '5000' })
})
test.afterEach(async () => {
  await server.dispose()
  await model.close()
})

test('[BUDGET-6] an operator sees what agents use as a chart and as tables, and sets budgets; [BUDGET-7] one of a person; [BUDGET-5] the panel says how much is used', async ({
  browser,
}) => {
  const { page } = await signUpOperator(browser, server)
  const made = await page.request.post('/api/documents', { data: { markdown: 'Text' } })
  const { id } = (await made.json()) as { id: string }
  await page.goto(`/d/${id}`)
  const box = page.getByRole('textbox', { name: 'Message the agent' })
  await box.fill('hello')
  await box.press('Enter')
  await expect(page.getByText('Hello.')).toBeVisible()
  await expect(page.getByText('Answered', { exact: true })).toBeVisible()

  await page.goto('/usage')
  const chart = page.getByRole('region', { name: 'Use by day and model' })
  await expect(page.getByRole('term').filter({ hasText: 'Last 30 days' })).toBeVisible()
  await page.getByText('Show the chart as a table').click()
  const spent = Number(/\d+/.exec((await chart.getByRole('cell').textContent()) ?? '')?.[0])
  expect(spent).toBeGreaterThan(50)
  await expect(page.getByRole('table', { name: 'People' }).getByRole('row').nth(1)).toContainText('Ana')
  expect(await findings(page, 'usage')).toEqual([])
  await page.getByLabel('Show', { exact: true }).click()
  await page.getByRole('option', { name: 'Cost' }).click()
  await expect(page.getByText('Nothing was used in these days.')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toBe('usage.csv')

  const run = page.getByRole('group', { name: 'One run' }).getByLabel('Tokens')
  await expect(run).toHaveAttribute('placeholder', 'At most 5,000')
  await run.fill('5001')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toContainText('AGENT_RUN_TOKEN_LIMIT allows at most 5000 tokens')
  await run.fill('')
  const person = page.getByRole('group', { name: 'One person, a day' }).getByLabel('Tokens')
  await person.fill(`${spent + 10}`)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved')).toBeVisible()

  // Of their own they have more.
  await page.getByRole('button', { name: 'Budget for a person' }).click()
  const own = page.getByRole('form', { name: 'Budget for a person' })
  await own.getByRole('combobox', { name: 'Person' }).click()
  await page.getByRole('option', { name: 'Ana' }).click()
  await own.getByLabel('Tokens').fill('999999')
  await own.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Budget for a person' })).toBeFocused()
  const budgets = page.getByRole('list', { name: 'Budgets of single people' })
  await expect(budgets).toContainText('Ana · 999,999 tokens')
  const { budget } = (await (await page.request.get('/api/me/usage')).json()) as { budget: { tokens: number } }
  expect(budget.tokens).toBe(999_999)
  expect(await findings(page, 'budgets of people')).toEqual([])
  await budgets.getByRole('button', { name: 'Remove the budget of Ana' }).click()
  await expect(budgets.getByRole('listitem')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Budget for a person' })).toBeFocused()

  await page.goto(`/d/${id}`)
  await expect(page.getByText(/You have used \d+% of today’s budget/)).toBeVisible()
  await box.fill('hello again')
  await box.press('Enter')
  await expect(page.getByText('You have used today’s budget for agents.')).toBeVisible()
  await box.fill('once more')
  await box.press('Enter')
  await expect(page.getByText(/You have used today's [\d,.]+ tokens\. Ask again tomorrow/)).toBeVisible()
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toHaveAccessibleDescription(/^Today’s budget for agents is used up\. The next day begins at /)
  type Runs = { runs: { id: string; status: string }[] }
  const { runs } = (await (await page.request.get(`/api/documents/${id}/runs`)).json()) as Runs
  const refused = await page.request.post(`/api/documents/${id}/runs/${runs[0]?.id}/continue`, { data: {} })
  expect(refused.status()).toBe(429)
  const raised = { tokens: 999_999, cost: null }
  const { user } = (await (await page.request.get('/api/me')).json()) as { user: { id: string } }
  await page.request.put(`/api/usage/budgets/people/${user.id}`, { data: raised })
  await page.reload()
  await again.click()
  await expect(page.getByText('Hello.')).toHaveCount(3)
})
