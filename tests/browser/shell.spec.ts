import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { ask, clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

/** What axe finds on the page as it is, in both themes, at the levels that keep people out. */
async function findings(page: Page, where: string): Promise<string[]> {
  const found: string[] = []
  for (const theme of ['light', 'dark']) {
    await page.evaluate((next) => (document.documentElement.dataset['theme'] = next), theme)
    // Colours change slowly; what is measured halfway there is no colour that anybody sees. They are brought to their end
    // instead of being waited for: an animation that is paused or out of sight may never say that it has finished.
    await page.evaluate(() => {
      for (const animation of document.getAnimations())
        if (animation.effect?.getTiming().iterations !== Infinity) animation.finish()
    })
    const axe = new AxeBuilder({ page })
    // In the dark only the colours are others.
    const { violations } = await (theme === 'dark' ? axe.withRules('color-contrast') : axe).analyze()
    for (const { id, impact, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue
      for (const { html, failureSummary } of nodes)
        found.push(`${where}, ${theme}: ${id} ${html}\n${failureSummary ?? ''}`)
    }
  }
  return found
}

async function openComments({ page }: Person): Promise<void> {
  await page.getByRole('tab', { name: /Comments/ }).click()
}

test('no page and no panel keeps anybody out, in the light or in the dark', async ({ browser }) => {
  test.slow()
  const found: string[] = []
  const look = async (page: Page, where: string) => void found.push(...(await findings(page, where)))
  const guest = await (await browser.newContext()).newPage()
  await guest.goto('/')
  await guest.getByLabel('Your name').waitFor()
  await look(guest, 'the question for a name')

  const ana = await enter(browser, 'Ana')
  const { page } = ana
  await openNew(
    ana,
    '# Plan\n\nI recieve a letter with [a link](https://example.com) and `code`.\n\n- [ ] a task\n\n| a | b |\n| - | - |\n| 1 | 2 |',
  )
  await look(page, 'a document with an empty chat')
  await ask(ana, 'replace recieve with receive')
  await expect(ana.conversation).toContainText('recieve → receive')
  await look(page, 'a conversation')
  const id = page.url().split('/').at(-1) ?? ''
  for (const [path, data] of [
    ['threads', { quote: 'a letter', text: 'Which one?' }],
    ['changes', { quote: 'a task', replaceWith: 'a job' }],
  ] as const) {
    expect((await page.request.post(`/api/documents/${id}/${path}`, { data })).status()).toBe(201)
  }
  await openComments(ana)
  await expect(page.getByText('Which one?').first()).toBeVisible()
  await look(page, 'comments and a suggestion')
  await page.getByRole('button', { name: 'Document menu' }).click()
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await look(page, 'the menu of a document')
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('dialog', { name: 'Chat and comments' })).toBeVisible()
  await look(page, 'the panel on a phone')
  await page.goto('/')
  await page
    .getByRole('button', { name: /Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await expect(page.getByRole('dialog', { name: 'Rename document' })).toBeVisible()
  await look(page, 'the dialog for a new title')
  await page.keyboard.press('Escape')
  await look(page, 'the documents')
  await page.getByRole('button', { name: 'Trash' }).click()
  await look(page, 'the trash')
  await page.goto('/d/nowhere')
  await expect(page.getByText(/doesn’t exist/)).toBeVisible()
  await look(page, 'a document that does not exist')
  expect(found).toEqual([])
})

test('one follows somebody by their avatar until one scrolls, and labels of carets come back', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const path = await openNew(
    ana,
    Array.from({ length: 80 }, (_, index) => `Paragraph ${index + 1} of many.`).join('\n\n'),
  )
  await ben.page.goto(path)
  await isOpen(ben)
  const last = ana.editor.getByText('Paragraph 80 of many')
  await clickEndOf(ben, 'Paragraph 80 of many')
  await expect(last).not.toBeInViewport()
  const avatar = ana.here.getByRole('button', { name: 'Ben' })
  await avatar.click()
  await expect(avatar).toHaveAttribute('aria-pressed', 'true')
  await expect(ana.page.getByText('Following Ben')).toBeVisible()
  await expect(last).toBeInViewport()
  // Wherever they go.
  await clickEndOf(ben, 'Paragraph 2 of many')
  await expect(ana.editor.getByText('Paragraph 2 of many')).toBeInViewport()
  await expect(last).not.toBeInViewport()

  const label = ana.page.locator('.peer-label', { hasText: 'Ben' })
  await expect(label).toHaveCSS('opacity', '0')
  const box = await ana.page.locator('.peer-caret').boundingBox()
  await ana.page.mouse.move((box?.x ?? 0) + 4, (box?.y ?? 0) + 8)
  await expect(label).not.toHaveCSS('opacity', '0')

  await ana.page.mouse.wheel(0, 300)
  await expect(ana.page.getByText('Following Ben')).toHaveCount(0)
  await clickEndOf(ben, 'Paragraph 79 of many')
  await expect(ana.page.locator('.peer-label', { hasText: 'Ben' })).toHaveCount(1)
  await expect(last).not.toBeInViewport()

  // What the agent does where nobody looks is told: to whom asked with a way to take it back, to others with a way there.
  for (const { page } of [ana, ben]) await page.getByRole('button', { name: 'Close panel' }).click()
  await clickEndOf(ben, 'Paragraph 79 of many')
  await ben.page.keyboard.press('Enter')
  await ben.page.keyboard.type('@age')
  await expect(ben.page.getByRole('option', { name: /agent/i })).toBeVisible()
  await ben.page.keyboard.press('Enter')
  await ben.page.keyboard.type('replace Paragraph 1 of with Beginning of')
  await ben.page.keyboard.press('Enter')
  await expect(ben.page.getByText('The agent changed 1 paragraph.')).toBeVisible()
  const first = ana.editor.locator('p').first()
  await expect(first).toContainText('Beginning')
  await ben.page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expect(first).toContainText('Paragraph 1')

  // Whom one follows may leave.
  await avatar.click()
  await expect(last).toBeInViewport()
  await ben.context.close()
  await expect(ana.page.getByText('Following Ben')).toHaveCount(0)
})
