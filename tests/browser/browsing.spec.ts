import { expect, type Page } from '@playwright/test'
import { findings, namesUnlikeTexts } from './findings.ts'
import { clickEndOf, enter, isOpen, type Person, personAt } from './people.ts'
import { test } from './test.ts'

type Made = { id: string }

/** Makes something by HTTP as this person. */
async function make({ page }: Person, what: 'documents' | 'folders', data: object): Promise<string> {
  const response = await page.request.post(`/api/${what}`, { data })
  expect(response.status()).toBe(201)
  return ((await response.json()) as Made).id
}

const rows = (page: Page) => page.getByRole('list', { name: 'Documents' }).getByRole('listitem')
// Links to folders have names that say so.
const titles = (page: Page) =>
  rows(page)
    .getByRole('link', { name: /^(?!Folder: )/ })
    .allInnerTexts()
const inTree = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true })

/** Chooses from the menu of a row of the list. */
async function choose(page: Page, name: string, command: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: command }).click()
}

test('[BROWSE-1] [BROWSE-2] [BROWSE-3] [BROWSE-7] a list says who owns and who edited, is searched and filtered, and its address leads back', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana Duarte')
  const ben = await enter(browser, 'Ben Okafor')
  const { page } = ana
  const folder = await make(ana, 'folders', { name: 'Reading room' })
  const text = 'We measured the light at every table. '.repeat(8)
  const plan = await make(ana, 'documents', {
    title: 'Plan',
    folder,
    markdown: `${text}\n\nThe zinc lamps are too dim.`,
  })
  await make(ana, 'documents', { title: 'Zinc', folder })
  await ben.page.goto(`/d/${plan}`)
  await isOpen(ben)
  await clickEndOf(ben, 'The zinc lamps')
  await ben.page.keyboard.type('!')
  await expect(ben.saved).toHaveText(/^Saved/)

  await page.goto(`/f/${folder}`)
  const row = rows(page).filter({ hasText: 'Plan' })
  await expect(async () => {
    await page.reload()
    await expect(row).toContainText('by Ben Okafor', { timeout: 1000 })
  }).toPass()
  await expect(row).toContainText('We measured the light')
  await expect(row).toContainText('Owner: me')
  await expect(row).toContainText('Opened by Ben Okafor')
  await expect(page.getByRole('heading', { name: 'Reading room', level: 1 })).toBeVisible()
  expect([...(await findings(page, 'the list of a folder', 'main')), ...(await namesUnlikeTexts(page))]).toEqual([])

  await page.getByRole('button', { name: 'Order: Last edited' }).click()
  await page.getByRole('menuitemradio', { name: 'Title' }).click()
  await expect(page.getByRole('button', { name: 'Order: Title' })).toBeFocused()
  await expect.poll(() => titles(page)).toEqual(['Plan', 'Zinc'])
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('zinc')
  await expect(row.locator('mark')).toHaveText(['zinc'])
  await expect(rows(page).filter({ hasText: 'Zinc' }).getByRole('link').locator('mark')).toHaveText('Zinc')
  await expect(row.locator('mark')).toBeInViewport()
  expect(new URL(page.url()).search).toBe('?sort=title&query=zinc')
  await row.getByRole('link').click()
  await isOpen(ana)
  await page.goBack()
  await expect(page.getByRole('searchbox')).toHaveValue('zinc')
  await expect(row.locator('mark')).toHaveText(['zinc'])
  await page.getByRole('searchbox').fill('nothing of this kind')
  await expect(page.getByRole('heading', { name: 'Nothing matches “nothing of this kind”' })).toBeVisible()
  await page.getByRole('searchbox').fill('')

  await row.hover()
  await row.getByRole('button', { name: 'Star Plan' }).click()
  await expect(row.getByRole('button', { name: 'Star Plan' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Starred', exact: true }).click()
  await expect.poll(() => titles(page)).toEqual(['Plan'])
  await page.getByRole('button', { name: 'People', exact: true }).click()
  await page.getByRole('combobox', { name: 'Person who has opened the documents' }).fill('Ben Okafor')
  await page.getByRole('option', { name: 'Ben Okafor' }).first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Starred', exact: true }).click()
  await expect.poll(() => titles(page)).toEqual(['Plan'])
})

test('[BROWSE-4] [BROWSE-6] [BROWSE-7] [BROWSE-12] documents and folders are moved by drag and by keyboard, the tree follows its keys, and a document says in which folder it is', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const { page } = ana
  const mark = Date.now().toString(36)
  const [plans, minutes] = [`Plans ${mark}`, `Minutes ${mark}`]
  const into = await make(ana, 'folders', { name: plans })
  await make(ana, 'documents', { title: `Budget ${mark}`, markdown: 'Lamps' })
  await make(ana, 'documents', { title: `Roof ${mark}`, markdown: 'Tiles' })
  await page.goto(`/?query=${mark}`)
  const row = (name: string) => rows(page).filter({ hasText: `${name} ${mark}` })
  await expect(row('Budget')).toBeVisible()

  await row('Budget').dragTo(inTree(page, plans))
  await page.getByText(`Moved “Budget ${mark}” to “${plans}”.`).hover()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Moved back.')).toBeVisible()
  await choose(page, `Budget ${mark}`, 'Move to…')
  await page.getByRole('combobox', { name: 'Folder to move to' }).fill(plans)
  await expect(page.getByText('Nobody gets or loses access.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: `Actions for Budget ${mark}` })).toBeFocused()

  await row('Roof').getByRole('link').focus()
  await page.keyboard.press('ArrowDown')
  const inPlans = row('Budget').getByRole('link', { name: `Folder: ${plans}` })
  await expect(inPlans).toBeVisible()
  await expect(row('Roof').getByRole('link')).toHaveCount(1)
  await expect(row('Budget').getByRole('link', { name: `Budget ${mark}` })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(row('Roof').getByRole('link')).toBeFocused()
  expect(await findings(page, 'rows with a folder', 'main')).toEqual([])
  await inPlans.click()
  await expect(page.getByRole('heading', { name: plans, level: 1 })).toBeVisible()
  await expect(row('Budget').getByRole('link')).toHaveCount(1)
  await row('Budget').getByRole('link').click()
  await isOpen(ana)
  const way = page.getByRole('navigation', { name: 'Way to this document' })
  await way.getByRole('link', { name: plans }).click()
  await expect(page.getByRole('heading', { name: plans, level: 1 })).toBeVisible()

  await inTree(page, plans).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'New folder in it…' }).press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).fill(minutes)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: minutes, level: 1 })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Way to this folder' })).toContainText(plans)
  // The dialog returns the focus when it is gone.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The tree has opened on the way to the folder, and has the folder's documents a moment later.
  await expect(inTree(page, `Budget ${mark}`)).toBeVisible()
  await inTree(page, minutes).focus()
  await page.keyboard.press('ArrowDown')
  await expect(inTree(page, `Budget ${mark}`)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(inTree(page, plans)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(inTree(page, plans)).toHaveAttribute('aria-expanded', 'false')
  await expect(inTree(page, minutes)).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(inTree(page, minutes)).toBeFocused()
  expect(await findings(page, 'the tree of folders', 'aside')).toEqual([])
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).fill(`${minutes} of May`)
  await page.keyboard.press('Enter')
  await expect(inTree(page, `${minutes} of May`)).toBeFocused()

  // Out of its folder, by the place of all documents.
  await inTree(page, `${minutes} of May`).dragTo(page.getByRole('link', { name: 'All documents' }).first())
  await expect(inTree(page, `${minutes} of May`)).toHaveAttribute('aria-level', '1')
  await page.goto(`/f/${into}`)
  await page.getByRole('button', { name: 'Folder menu' }).click()
  await page.getByRole('menuitem', { name: 'Move to trash…' }).click()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  // It stays while the pointer is on it.
  await page.getByText(`Moved “${plans}” and a document to the trash.`).hover()
  await expect(inTree(page, plans)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(inTree(page, plans)).toBeVisible()
})

test('[BROWSE-8] a document is copied, and deleted for good only after a question', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  const { page } = ana
  const name = `Lamps ${Date.now().toString(36)}`
  await make(ana, 'documents', { title: name, markdown: 'Thirty' })
  await page.goto(`/?query=${encodeURIComponent(name)}`)
  await choose(page, name, 'Make a copy')
  await expect(rows(page).filter({ hasText: `Copy of ${name}` })).toBeVisible()
  await choose(page, `Copy of ${name}`, 'Move to trash')
  await expect(rows(page)).toHaveCount(1)
  await expect(page.locator('body')).not.toBeFocused()
  await choose(page, name, 'Move to trash')
  await expect(page.getByRole('heading', { name: /^Nothing matches/ })).toBeVisible()

  await page.getByRole('link', { name: 'Trash' }).click()
  const [original, copy] = [new RegExp(`^Delete ${name}`), new RegExp(`^Delete Copy of ${name}`)]
  await page.getByRole('button', { name: copy }).click()
  const dialog = page.getByRole('dialog', { name: `Delete “Copy of ${name}” for good?` })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: copy })).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page.getByRole('button', { name: copy })).toHaveCount(0)
  await expect(page.getByRole('button', { name: original })).toBeVisible()
  await expect(rows(page).filter({ hasText: name }).first()).toContainText(/Deleted for good in \d+ days/)
  await expect(page.getByText('Deleted for good', { exact: true }).first()).toBeVisible()
  expect(await findings(page, 'the trash', 'main')).toEqual([])
  await page.getByRole('button', { name: 'Empty trash' }).click()
  await page.getByRole('button', { name: 'Delete all for good' }).click()
  await expect(page.getByRole('button', { name: original })).toHaveCount(0)
})

test('[BROWSE-5] [BROWSE-9] [BROWSE-10] [BROWSE-12] [PALETTE-5] on a phone the side bar is a sheet, a button opens the palette, a long list grows as it is scrolled, and without the server the kept documents are listed', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await context.request.post('/api/session', { data: { name: 'Ana' } })
  const ana = personAt('Ana', context, await context.newPage())
  const { page } = ana
  const folder = await make(ana, 'folders', { name: 'Harbour' })
  for (let number = 1; number <= 31; number += 1)
    await make(ana, 'documents', { title: `Note ${number}`, folder, markdown: 'a' })
  const folders = Promise.withResolvers<void>()
  await page.route('**/api/folders', async (route) => {
    await folders.promise
    await route.continue()
  })
  await page.goto('/')
  // No filter is cut.
  const filters = page.getByRole('button', { name: /^Owner/ }).locator('..')
  expect(await filters.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await choose(page, 'Note 31', 'Move to…')
  // Not a button, whatever the folders take to arrive.
  await expect(page.getByRole('combobox', { name: 'Folder to move to' })).toBeFocused()
  folders.resolve()
  await expect(page.getByRole('option', { name: 'Harbour' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).tap()
  await rows(page).getByRole('link', { name: 'Folder: Harbour' }).first().tap()
  await expect(page.getByRole('heading', { name: 'Harbour', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Search and commands' }).tap()
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('dark')
  await page.getByRole('option', { name: 'Dark theme' }).tap()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: 'Show folders' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Documents and folders' })
  await sheet.getByRole('treeitem', { name: 'Harbour' }).last().tap()
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Harbour', level: 1 })).toBeVisible()
  await expect(rows(page)).toHaveCount(30)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  expect(await findings(page, 'a folder on a phone', 'main')).toEqual([])
  await rows(page).last().scrollIntoViewIfNeeded()
  await expect(rows(page)).toHaveCount(31)

  await rows(page).filter({ hasText: 'Note 31' }).getByRole('link').tap()
  await isOpen(ana)
  await page.getByRole('button', { name: 'Show folders' }).tap()
  await sheet.getByRole('link', { name: 'Starred' }).tap()
  await expect(page.getByRole('heading', { name: 'Starred', level: 1 })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('Note')
  await expect(page.getByRole('alert')).toContainText('You are offline.')
  const kept = page.getByRole('region', { name: 'In this browser' })
  await expect(kept.getByRole('link', { name: 'Note 31' })).toBeVisible()
  await kept.getByRole('link', { name: 'Note 31' }).tap()
  await expect(page.locator('.document-text')).toHaveText('a')
})
