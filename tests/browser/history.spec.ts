import { expect, type Locator } from '@playwright/test'
import { findings } from './findings.ts'
import { ask, clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'
import { openWindow } from './windows.ts'
import { startCopydesk } from '../support/copydesk.ts'

/** Opens the history from the document's menu. */
async function openHistory({ page }: Person): Promise<Locator> {
  await page.getByRole('button', { name: 'Document menu' }).click()
  await page.getByRole('menuitem', { name: 'Version history' }).click()
  const history = page.getByRole('dialog', { name: /Version history/ })
  await expect(history).toBeVisible()
  return history
}

/** The text of a block without the carets of others in it. */
function textOf(block: Locator): Promise<string> {
  return block.evaluate((element) => {
    const copy = element.cloneNode(true) as Element
    for (const caret of copy.querySelectorAll('.peer-caret')) caret.remove()
    return copy.textContent.replaceAll('\u2060', '')
  })
}

test('[HIST-7, HIST-13] a version is named, compared with the current text, and restored while another person types', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const path = await openNew(ana, '# Plan\n\nWe meet at the old mill.\n\nBring teh bread.')
  await ben.page.goto(path)
  await isOpen(ben)

  const history = await openHistory(ana)
  await history.getByRole('button', { name: 'Name this version' }).click()
  await ana.page.getByLabel('Name', { exact: true }).fill('Before the agent')
  await ana.page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(history.getByRole('button', { name: /Before the agent/ })).toHaveAttribute('aria-current', 'true')
  await ana.page.keyboard.press('Escape')
  await expect(history).toHaveCount(0)

  await ask(ana, 'replace teh with the')
  await expect(ana.editor).toContainText('Bring the bread.')
  await clickEndOf(ben, 'old mill')
  await ben.page.keyboard.press('Home')
  await ben.page.keyboard.type('Tomorrow ')
  await expect(ana.editor).toContainText('Tomorrow')
  await expect(ben.saved).toHaveText(/^Saved/)

  // The keys open it too; the text as it is shows what Ben has written since the run.
  await ana.page.keyboard.press('Control+Alt+Shift+h')
  await expect(history.locator('ins')).toHaveText('Tomorrow ')
  const run = history.getByRole('button', { name: /^Agent: replace teh with the/i })
  await run.click()
  await expect(history.locator('del')).toHaveText('teh')
  await expect(history.locator('ins')).toHaveText('the')
  await history.getByRole('button', { name: 'Next change' }).click()
  await expect(history.getByText('1 of 1')).toBeVisible()
  expect(await findings(ana.page, 'history')).toEqual([])

  // From the run's entry the arrow keys lead to the one before.
  await run.focus()
  await ana.page.keyboard.press('ArrowDown')
  await expect(history.getByRole('heading', { name: /Before the agent/ })).toBeVisible()
  await history.getByRole('button', { name: 'Compare with now' }).click()
  await expect(history.getByText('2 changes')).toBeVisible()

  // Ben writes in a paragraph that stays while the version comes back around it.
  await clickEndOf(ben, 'Plan')
  const typed = ' that goes on and on without losing a single character'
  const typing = ben.page.keyboard.type(typed, { delay: 20 })
  await history.getByRole('button', { name: 'Restore this version' }).click()
  await expect(ana.page.getByText('Nothing is lost')).toBeVisible()
  await ana.page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(history).toHaveCount(0)
  // The message with the way back stays while the pointer is on it.
  const undo = ana.page.locator('[aria-live] button', { hasText: 'Undo' })
  await undo.hover()
  await typing
  for (const person of [ana, ben]) {
    await expect(person.editor).toContainText('Bring teh bread.')
    await expect(person.editor).not.toContainText('Tomorrow')
  }
  await expect(ben.saved).toHaveText(/^Saved/)
  // Text typed before the restore is in the version before it, text typed after it is in the document.
  const heading = await textOf(ben.editor.getByRole('heading'))
  expect(typed.endsWith(heading.replace('Plan', ''))).toBe(true)
  await expect.poll(() => textOf(ana.editor.getByRole('heading'))).toBe(heading)
  await undo.click()
  for (const person of [ana, ben]) {
    await expect(person.editor).toContainText('Tomorrow We meet at the old mill.')
    await expect(person.editor).toContainText('Bring the bread.')
  }
  await openHistory(ana)
  await expect(history.getByText(/^Ana restored/)).toHaveCount(2)
  await expect(history.getByText(/^Ben: [12] paragraphs?$/).first()).toBeVisible()
})

test('[AUDIT-4] an operator reads who did what, one kind or one person at a time, and takes it along', async ({
  browser,
}) => {
  const server = await startCopydesk({ AUTH: 'accounts' })
  try {
    const { page } = await openWindow(browser, { origin: server.url })
    const link = () => /set-up#(\S+)/.exec(server.output())?.[1] ?? ''
    await expect.poll(link).not.toBe('')
    const account = { name: 'Ana', email: 'ana@example.org', password: 'copper lantern walnut' }
    const wrong = { email: account.email, password: 'not that one at all' }
    expect((await page.request.post('/api/auth/sign-in', { data: wrong })).status()).toBe(401)
    expect((await page.request.post('/api/auth/sign-up', { data: { ...account, token: link() } })).status()).toBe(200)
    await page.goto('/')
    await page.getByRole('button', { name: 'Ana: account' }).click()
    await page.getByRole('menuitem', { name: 'Administration' }).click()
    await page.getByRole('link', { name: 'Audit log' }).click()
    const entries = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
    await expect(entries).toHaveCount(2)
    await expect(entries.first()).toContainText('Created an account')
    // By its first letters.
    await page.getByLabel('What').focus()
    await page.keyboard.type('sign-in')
    await expect(page.getByLabel('What')).toHaveText('Sign-in refused')
    await expect(entries).toHaveCount(1)
    await expect(entries).toContainText('ana@example.org')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { name: 'Sign-in refused' })).toBeFocused()
    await page.keyboard.press('Home')
    await expect(page.getByRole('option', { name: 'Everything' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Ana', exact: true }).click()
    await expect(entries).toHaveCount(1)
    expect(await findings(page, 'audit')).toEqual([])
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    expect((await saved).suggestedFilename()).toBe('audit.csv')
    await page.getByLabel('Who').click()
    await page.getByRole('option', { name: 'Everybody' }).click()
    await expect(entries).toHaveCount(3)
    await page.getByLabel('Until').fill('2020-02-02')
    await expect(entries).toHaveCount(0)
    await page.getByRole('button', { name: 'Clear all filters' }).click()
    await expect(entries).toHaveCount(3)
    await expect(page.getByLabel('Until')).toHaveValue('')
    // [AUDIT-6] An entry names its object.
    await page.request.post('/api/folders', { data: { name: 'Staff' } })
    await page.reload()
    await expect(entries.first()).toContainText('Made a folder · Staff')
  } finally {
    await server.dispose()
  }
})
