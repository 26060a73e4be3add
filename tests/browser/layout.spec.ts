import { expect, type Page } from '@playwright/test'
import { ask, clickEndOf, enter, openNew } from './people.ts'
import { test } from './test.ts'

const sections = Array.from(
  { length: 40 },
  (_, index) => `## Section ${index + 1}\n\nThe text of section ${index + 1}.`,
)

/** By how many pixels the page is higher and wider than its window. */
function excessOf(page: Page): Promise<{ height: number; width: number }> {
  return page.evaluate(() => {
    const { scrollHeight, scrollWidth } = document.documentElement
    return { height: scrollHeight - innerHeight, width: scrollWidth - innerWidth }
  })
}

test('[LAYOUT-1] the page of a document never scrolls as a whole, however much its panels hold', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const { page } = ana
  const path = await openNew(ana, sections.join('\n\n'))
  const stays = async (what: string) => expect(await excessOf(page), what).toEqual({ height: 0, width: 0 })

  await ask(ana, Array.from({ length: 60 }, (_, index) => `Line ${index + 1} of a long request.`).join('\n'))
  await expect(ana.conversation.locator('[data-run]')).not.toHaveAttribute('data-tone', 'going')
  await stays('chat')
  await clickEndOf(ana, 'The text of section 1.')
  await page.keyboard.type(' @')
  await expect(page.getByRole('option', { name: /agent/i })).toBeVisible()
  await expect(ana.saved).toBeInViewport()
  await stays('list of mentions')
  await page.keyboard.press('Escape')

  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) {
    const data = { quote: `The text of section ${number}.`, text: 'What is meant by this?\n\nAnd why here?' }
    expect((await page.request.post(`/api${path.replace('/d/', '/documents/')}/threads`, { data })).status()).toBe(201)
  }
  await page.getByRole('tab', { name: 'Comments 12' }).click()
  await stays('comments')
  await page.getByRole('button', { name: 'Close panel' }).click()
  await page.getByRole('list', { name: 'Beside the text' }).getByRole('listitem').first().waitFor()
  await page.getByRole('button', { name: 'Show outline' }).click()
  await page.keyboard.press('ControlOrMeta+f')
  await stays('margin, outline and find')
  await page.getByRole('button', { name: 'Document menu' }).click()
  await page.getByRole('menuitem', { name: 'Version history' }).click()
  await expect(page.getByRole('region', { name: 'The chosen version' })).toContainText('The text of section 40.')
  await stays('history')
})
