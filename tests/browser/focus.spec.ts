import { expect } from '@playwright/test'
import { enter, enterByForm, openNew } from './people.ts'
import { startCopydesk } from '../support/copydesk.ts'
import { test } from './test.ts'

test('a new document asks for its title first, a reload does not', async ({ browser }) => {
  const ana = await enterByForm(browser, 'Ana')
  await ana.page.getByRole('button', { name: 'New document' }).click()
  const title = ana.page.getByRole('textbox', { name: 'Title' })
  await expect(title).toBeFocused()
  await ana.page.keyboard.type('Plan')
  await ana.page.keyboard.press('Enter')
  await expect(ana.editor).toBeFocused()
  await expect(ana.saved).toHaveText(/^Saved/)
  await ana.page.reload()
  await expect(title).toHaveValue('Plan')
  await expect(title).not.toBeFocused()
})

test('renaming gives the focus back to the menu of the row, throwing away and restoring to the next row', async ({
  browser,
}) => {
  // A server of its own: the next row must not be a document of another test.
  const server = await startCopydesk()
  try {
    const ana = await enter(browser, 'Ana', { origin: server.url })
    await openNew(ana, 'Text')
    await openNew(ana, 'Other text')
    await ana.page.goto('/')
    await ana.page.getByRole('button', { name: 'Actions for Shared' }).nth(1).click()
    await ana.page.getByRole('menuitem', { name: 'Rename' }).click()
    const name = `Renamed ${Date.now()}`
    await ana.page.getByLabel('Title').fill(name)
    await ana.page.keyboard.press('Enter')
    const menu = ana.page.getByRole('button', { name: `Actions for ${name}` })
    await expect(menu).toBeFocused()
    await ana.page.keyboard.press('Enter')
    await ana.page.getByRole('menuitem', { name: 'Move to trash' }).press('Enter')
    await expect(menu).toHaveCount(0)
    await expect(ana.page.locator('button:focus')).toHaveAccessibleName(/^Actions for /)
    await ana.page.keyboard.press('Enter')
    await ana.page.getByRole('menuitem', { name: 'Move to trash' }).press('Enter')
    await ana.page.getByRole('button', { name: 'Trash', exact: true }).click()
    const restore = ana.page.getByRole('button', { name: `Restore ${name}` })
    await restore.focus()
    await ana.page.keyboard.press('Enter')
    await expect(restore).toHaveCount(0)
    await expect(ana.page.locator('button:focus')).toHaveAccessibleName(/^Restore /)
  } finally {
    await server.dispose()
  }
})

test('the empty chat proposes what the built-in agent understands', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, 'text')
  await expect(ana.page.getByText('Make deadline bold')).toBeVisible()
})
