import { expect } from '@playwright/test'
import { connectMcp } from '../../apps/server/src/testing/mcp-client.ts'
import { findings } from './findings.ts'
import { enter, openNew } from './people.ts'
import { test } from './test.ts'

test('[MCP-1] [MCP-2] people see what an agent over MCP does in their document, approve it, stop it, and undo it', async ({
  browser,
  request,
  baseURL,
}) => {
  const ana = await enter(browser, 'Ana')
  const path = await openNew(ana, '# Plan\n\nThe price is low and the date is open.')
  const document = path.replace('/d/', '')
  const { token } = (await (await request.post('/api/session', { data: { name: 'Claude Code' } })).json()) as {
    token: string
  }
  const agent = await connectMcp(baseURL ?? '', token)
  await agent.call('open_document', { document })
  await expect(ana.here.getByRole('button', { name: /^Claude Code/ })).toBeVisible()
  await agent.call('edit_document', { document, find: 'low', replace: 'fair' })
  await expect(ana.editor).toContainText('The price is fair')
  await expect(ana.page.locator('.peer-label', { hasText: 'Claude Code' })).toBeAttached()
  await expect(ana.conversation).toContainText('connected an agent: Claude Code')

  // The mode holds once the server has it.
  const saved = ana.page.waitForResponse((response) => response.request().method() === 'PATCH')
  await ana.page.getByRole('radio', { name: 'Ask', exact: true }).check()
  expect((await saved).status()).toBe(200)
  const asked = agent.call('edit_document', { document, find: 'open', replace: '1 June' })
  const card = ana.conversation.getByText('Claude Code wants to make a change')
  await expect(card).toBeVisible()
  expect(await findings(ana.page, 'an agent over MCP')).toEqual([])
  await ana.conversation.getByRole('button', { name: 'Approve' }).click()
  expect(await asked).toContain('Replaced')
  await expect(ana.editor).toContainText('the date is 1 June')

  await ana.conversation.getByRole('button', { name: 'Stop' }).click()
  await expect(ana.here.getByRole('button', { name: /^Claude Code/ })).toHaveCount(0)
  expect(await agent.fail('edit_document', { document, find: 'fair', replace: 'high' })).toContain('has stopped you')
  await expect(ana.conversation.getByText('Stopped')).toBeVisible()
  await ana.conversation.getByRole('button', { name: 'Undo' }).last().click()
  await expect(ana.editor).toContainText('The price is fair and the date is open.')
})
