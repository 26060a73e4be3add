import { expect, type Locator, type Page } from '@playwright/test'
import { canListCommands, expectFocus, listCommands, type Start, walkCommands } from './commands.ts'
import { clickEndOf, enter, enterByForm, openNew } from './people.ts'
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
    await expect(ana.page.getByRole('button', { name: /^Actions for / })).toHaveCount(0)
    await ana.page.getByRole('link', { name: 'Trash' }).click()
    await expect(ana.page.getByRole('button', { name: /^Restore / })).toHaveCount(2)
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

/** Where a walk starts, what is opened there, and by which keys. */
const starts: Record<string, { at: string; keys?: string[]; shows: (page: Page) => Locator }> = {
  'selected text': {
    at: 'Words',
    keys: ['End', 'Shift+Home'],
    shows: (page) => page.getByRole('toolbar', { name: 'Selected text' }),
  },
  'a table': { at: 'cell', shows: (page) => page.getByRole('button', { name: 'Table options' }) },
  'find and replace': {
    at: 'Words',
    keys: ['End', 'Shift+Home', 'ControlOrMeta+Alt+f'],
    shows: (page) => page.getByRole('search', { name: 'Find and replace' }),
  },
}

for (const [name, { at, keys = [], shows }] of Object.entries(starts)) {
  test(`[WRITE-17] after every command the focus is somewhere useful: ${name}`, async ({ browser }) => {
    // Some sixty commands one after the other, on a machine that may be busy.
    test.setTimeout(360_000)
    const ana = await enter(browser, 'Ana')
    const { page, editor } = ana
    await ana.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    ana.context.on('page', (opened) => void opened.close())
    await canListCommands(page)
    const text = 'Words\n\n- an item\n\n| a | b |\n| - | - |\n| cell | d |\n\n```js\ncode\n```'
    let path = await openNew(ana, 'Words')
    // What text and selected text offer is walked through once, by the first of these tests.
    await clickEndOf(ana, 'Words')
    await page.keyboard.press('Shift+Home')
    await expect(page.getByRole('toolbar', { name: 'Selected text' })).toBeVisible()
    const done = new Set(name === 'selected text' ? [] : await listCommands(page))
    const known = done.size
    const place = editor.getByText(at, { exact: true }).last()
    const start: Start = {
      isThere: async () => page.url().endsWith(path) && (await place.isVisible()),
      async restore() {
        if (!page.url().endsWith(path)) await page.goBack({ timeout: 3000 }).catch(() => undefined)
        await page.keyboard.press('Escape')
        const isShown = editor.waitFor({ timeout: 1000 })
        const isBack = await isShown.then(
          () => page.url().endsWith(path),
          () => false,
        )
        if (!isBack) return
        for (let times = 0; times < 4 && !(await place.isVisible()); times += 1) await start.undo()
      },
      async undo() {
        await page.keyboard.press('Escape')
        await editor.focus({ timeout: 1000 }).catch(() => undefined)
        await page.keyboard.press('ControlOrMeta+z')
      },
      async open() {
        await page.evaluate(() => localStorage.clear())
        path = await openNew(ana, text)
      },
      async begin() {
        // A menu that is still opening closes at the next Escape. In vain where a command has left the document in
        // another mode: then the walk opens another.
        for (let times = 0; times < 5; times += 1) {
          await page.keyboard.press('Escape')
          await place.click({ timeout: 1000 }).catch(() => undefined)
          for (const key of keys) await page.keyboard.press(key)
          const isShown = shows(page).waitFor({ timeout: 1000 })
          const hasBegun = await isShown.then(
            () => true,
            () => false,
          )
          if (hasBegun) return
        }
      },
      isBegun: () => shows(page).isVisible(),
    }
    await start.open()
    await walkCommands(page, done, start, (command) => expectFocus(page, command))
    expect(done.size - known).toBeGreaterThan(5)
  })
}

test('[WRITE-18] replacing everything leaves the focus in the text, and offers to undo it', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  const { page, editor } = ana
  await openNew(ana, 'one and one')
  const bar = page.getByRole('search', { name: 'Find and replace' })
  const replaceAll = async () => {
    await editor.getByText('one and one').click()
    await page.keyboard.press('ControlOrMeta+Alt+f')
    await bar.getByRole('textbox', { name: 'Find', exact: true }).fill('one')
    await bar.getByRole('textbox', { name: 'Replace with' }).fill('two')
    await bar.getByRole('button', { name: 'All' }).click()
    await expect(editor).toHaveText('two and two')
    await expect(editor).toBeFocused()
  }
  await replaceAll()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(editor).toHaveText('one and one')
  await page.keyboard.press('Escape')
  await expect(bar).toBeHidden()
  // The toast of a change that was undone offers nothing any more.
  const undo = page.locator('[aria-live] button', { hasText: 'Undo' })
  await expect(undo).toBeHidden()
  await replaceAll()
  await undo.click()
  await expect(editor).toHaveText('one and one')
  await expect(editor).toBeFocused()
})
