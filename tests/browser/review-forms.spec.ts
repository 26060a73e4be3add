import { expect } from '@playwright/test'
import { enter, openNew } from './people.ts'
import { test } from './test.ts'

test('a reply keeps its box on a small screen and when its thread is resolved', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  const { page } = ana
  const path = await openNew(ana, 'Pay fifty\n\nThe end')
  const api = `/api${path.replace('/d/', '/documents/')}/threads`
  const answer = await page.request.post(api, { data: { quote: 'fifty', text: 'Why so much?' } })
  const { id } = (await answer.json()) as { id: string }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Close panel' }).click()
  await expect(page.getByRole('list', { name: 'Beside the text' })).toContainText('Why so much?')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Open chat and comments' }).click()
  await page.getByRole('tab', { name: /Comments/ }).click()
  const threads = page.getByRole('list', { name: 'Comment threads' })
  await threads.getByRole('button', { name: 'Reply' }).click()
  const box = threads.getByRole('textbox', { name: 'Reply' })
  await expect(box).toBeFocused()
  await page.keyboard.type('Because')

  await page.request.patch(`${api}/${id}`, { data: { resolved: true } })
  await page.getByRole('button', { name: 'Resolved 1' }).click()
  await expect(box).toHaveValue('Because')
})
