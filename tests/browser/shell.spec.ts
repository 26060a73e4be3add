import { expect, type Page } from '@playwright/test'
import { findings } from './findings.ts'
import { ask, clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'
import { openWindow } from './windows.ts'

async function openComments({ page }: Person): Promise<void> {
  await page.getByRole('tab', { name: /Comments/ }).click()
}

type Look = (page: Page, where: string, parts?: string) => Promise<void>

/** Elements over and next to the text, several together where they may be open at the same time. */
async function lookAtWritingAids({ page, editor }: Person, look: Look): Promise<void> {
  page.setDefaultTimeout(20_000)
  await page.setViewportSize({ width: 1600, height: 900 })
  await page.getByRole('button', { name: 'Close panel' }).click()
  await page.getByRole('button', { name: 'Show outline' }).click()
  await page.getByRole('button', { name: 'Document menu' }).click()
  await page.getByRole('menuitem', { name: 'Show authorship' }).click()
  await expect(page.getByRole('region', { name: 'Authorship' }).getByRole('listitem').first()).toBeVisible()
  await page.getByRole('button', { name: /^Mode:/ }).click()
  await page.getByRole('menuitemradio', { name: /^Suggesting/ }).click()
  await page.getByRole('list', { name: 'Beside the text' }).getByRole('listitem').nth(1).waitFor()
  await editor.getByRole('cell', { name: '1' }).click()
  await page.getByRole('button', { name: 'Column', exact: true }).waitFor()
  await page.keyboard.press('ControlOrMeta+Alt+f')
  await page.keyboard.type('letter')
  await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1')
  await look(page, 'margin, outline, find bar, table handles, authorship and suggesting')
  await page.keyboard.press('Escape')
  await editor.getByRole('cell', { name: '1' }).click()
  await page.getByRole('button', { name: 'Column', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Insert column after' }).waitFor()
  await look(page, 'the menu of a column', '[role=menu]')
  await page.keyboard.press('Escape')
  await editor.getByText('I receive').dblclick({ position: { x: 24, y: 12 } })
  await page.getByRole('toolbar', { name: 'Selected text' }).waitFor()
  await look(page, 'the bubble at selected text', '[data-bubble]')
  await page.getByRole('button', { name: 'Text formatting' }).click()
  await page.getByRole('menuitem', { name: 'Underline' }).waitFor()
  await look(page, 'the menu of formatting', '[role=menu]')
  await page.keyboard.press('Escape')
  await editor.getByText('I receive').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' /')
  await page.getByRole('listbox', { name: 'Insert' }).waitFor()
  await look(page, 'the list that a slash opens', '[role=listbox]')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+/')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await look(page, 'the overview of the shortcuts', '[role=dialog]')
  await page.keyboard.press('Escape')
}

/** Makes a notification: another user replies to a person's comment. */
async function replyTo({ page }: Person, other: Person, document: string): Promise<void> {
  const answer = await page.request.get(`/api/documents/${document}/threads`)
  const { threads } = (await answer.json()) as { threads: { id: string }[] }
  const path = `/api/documents/${document}/threads/${threads[0]?.id}/comments`
  expect((await other.page.request.post(path, { data: { text: 'The one from May.' } })).status()).toBe(201)
  await other.context.close()
}

/** An approval card with its forms open, just after the network was lost; and the notifications. */
async function lookAtApproval(ana: Person, look: Look): Promise<void> {
  const { page } = ana
  await page.getByRole('button', { name: /^Notifications, 1/ }).click()
  await expect(page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')).toHaveCount(1)
  await look(page, 'the notifications', '[role=dialog]')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show chat and comments' }).click()
  await page.getByRole('tab', { name: 'Chat' }).click()
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('radio', { name: 'Ask', exact: true }).check()
  await ask(ana, 'replace receive with get')
  const card = page.getByRole('list', { name: 'Proposed changes' })
  await card.getByRole('button', { name: 'Edit' }).click()
  // The loss of the network would be said of this request, too.
  expect((await saved).status()).toBe(200)
  await page.context().setOffline(true)
  await expect(ana.saved).toHaveText(/^Offline/)
  await look(page, 'an approval without a network')
  await card.getByRole('button', { name: 'Done editing' }).click()
  await card.getByRole('button', { name: 'Reject' }).click()
  await card.getByRole('textbox', { name: /^Reason/ }).waitFor()
  await look(page, 'a rejection', '.ap-approval')
  await page.context().setOffline(false)
}

test('no page and no panel keeps anybody out, in the light or in the dark', async ({ browser }) => {
  test.slow()
  const found: string[] = []
  const look: Look = async (...what) => void found.push(...(await findings(...what)))
  const { page: guest } = await openWindow(browser)
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
  await lookAtWritingAids(ana, look)
  await replyTo(ana, await enter(browser, 'Ben'), id)
  await lookAtApproval(ana, look)
  await openComments(ana)

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
  await page.goto('/trash')
  await look(page, 'the trash')
  await page.goto('/d/nowhere')
  await expect(page.getByText(/doesn’t exist/)).toBeVisible()
  await look(page, 'a document that does not exist')
  expect(found).toEqual([])
})

test('a click on an avatar follows the person until one scrolls, and labels of carets come back', async ({
  browser,
}) => {
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

  // Agent changes outside the viewport show a message: to the caller with an undo button, to others with a link to the
  // place.
  for (const { page } of [ana, ben]) await page.getByRole('button', { name: 'Close panel' }).click()
  await clickEndOf(ben, 'Paragraph 79 of many')
  await ben.page.keyboard.press('Enter')
  await ben.page.keyboard.type('@age')
  await expect(ben.page.getByRole('option', { name: /agent/i })).toBeVisible()
  await ben.page.keyboard.press('Enter')
  await ben.page.keyboard.type('replace Paragraph 1 of with Beginning of')
  await ben.page.keyboard.press('Enter')
  // It stays while the pointer is on it.
  await ben.page.getByText('The agent changed 1 paragraph.').hover()
  const first = ana.editor.locator('p').first()
  await expect(first).toContainText('Beginning')
  await ben.page.locator('[aria-live] button', { hasText: 'Undo' }).click()
  await expect(first).toContainText('Paragraph 1')

  // A followed user may leave. The avatars move together when the agent goes.
  await expect(ana.here.locator('[data-kind="agent"]')).toHaveCount(0)
  await avatar.click()
  await expect(avatar).toHaveAttribute('aria-pressed', 'true')
  await expect(last).toBeInViewport()
  await ben.context.close()
  await expect(ana.page.getByText('Following Ben')).toHaveCount(0)
})
