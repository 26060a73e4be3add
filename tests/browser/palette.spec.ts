import { expect } from '@playwright/test'
import { findings } from './findings.ts'
import { clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

const box = ({ page }: Person) => page.getByRole('combobox', { name: 'Search and commands' })

async function openPalette(person: Person): Promise<void> {
  await person.page.keyboard.press('ControlOrMeta+k')
  await expect(box(person)).toBeFocused()
}

/** Types a search, and chooses this result once it is the first. */
async function choose(person: Person, search: string, result: string | RegExp): Promise<void> {
  await openPalette(person)
  await person.page.keyboard.type(search)
  await expect(person.page.getByRole('option', { selected: true })).toHaveText(result)
  await person.page.keyboard.press('Enter')
  await expect(box(person)).toHaveCount(0)
}

test('[PALETTE-1, PALETTE-2, PALETTE-4] Mod-K finds documents, headings, people, commands and the agent, by keyboard alone; with selected text it links that', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const { page, editor } = ana
  await openNew(ana, 'A zebra crossed the road')
  const { id } = (await (
    await page.request.post('/api/documents', {
      data: { title: 'Plan', markdown: `# Goals\n\nFirst words\n\n${'More words\n\n'.repeat(60)}## Wages\n\nNumbers` },
    })
  ).json()) as { id: string }
  await page.goto(`/d/${id}`)
  await isOpen(ana)
  await ben.page.goto(`/d/${id}`)
  await isOpen(ben)
  await clickEndOf(ben, 'Numbers')
  await expect(ana.here.getByRole('button', { name: 'Ben' })).toBeVisible()

  await clickEndOf(ana, 'First words')
  // The browser tells a little later where the caret went.
  await expect(page.getByRole('button', { name: 'Block type' })).toHaveText('Text')
  await openPalette(ana)
  // Without a search: the document opened before this one is first.
  await expect(page.getByRole('option', { selected: true })).toHaveText('Shared')
  await expect(page.getByRole('listbox').getByRole('group').locator(':scope > :first-child')).toHaveText([
    'Documents',
    'In this document',
    'People here',
    'Commands',
  ])
  await expect(box(ana)).toHaveAttribute(
    'aria-activedescendant',
    (await page.getByRole('option', { selected: true }).getAttribute('id')) ?? '',
  )
  expect(await findings(page, 'the palette', '[role="dialog"]')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(editor).toBeFocused()

  // Commands act where the caret was, those with keys of their own as these keys would.
  await choose(ana, 'head 2', /^Heading 2/)
  await expect(editor.getByRole('heading', { name: 'First words', level: 2 })).toBeVisible()
  await choose(ana, 'undo', /^Undo/)
  await expect(editor.getByRole('heading', { name: 'First words' })).toHaveCount(0)
  await choose(ana, 'find and', /^Find and replace/)
  await expect(page.getByRole('textbox', { name: 'Replace with' })).toBeVisible()
  await page.keyboard.press('Escape')
  await choose(ana, 'version h', /^Version history/)
  await expect(page.getByRole('dialog', { name: /history/i })).toBeVisible()
  // Not over a dialog.
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(editor).toBeFocused()

  await choose(ana, 'wag', 'Wages')
  await expect(editor.getByRole('heading', { name: 'Wages' })).toBeInViewport()
  await page.keyboard.type('!')
  await expect(editor.getByRole('heading', { name: 'Wages!' })).toBeVisible()
  await choose(ana, 'ben', /^Ben/)
  await expect(ana.here.getByRole('button', { name: 'Ben' })).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Escape')

  // Selected text is linked; a second press leaves the form for the palette.
  await editor.getByText('Numbers').dblclick({ position: { x: 12, y: 12 } })
  await expect(page.locator('[data-bubble]')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByLabel('Link to')).toBeFocused()
  await openPalette(ana)
  await page.keyboard.press('ControlOrMeta+k')
  await expect(editor).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[data-bubble]')).toHaveCount(0)

  // What nothing is called goes to the agent.
  await choose(ana, 'replace First with Second', /^Ask the agent: “replace First with Second”/)
  await expect(editor.getByText('Second words')).toBeVisible()
  await expect(ana.conversation).toContainText('replace First with Second')

  // A document is found by its text, and on the list's page, too.
  await choose(ana, 'zebra', 'Shared')
  await expect(editor).toHaveText('A zebra crossed the road')
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Plan' }).first()).toBeVisible()
  // The keys of every page load after the first page.
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await expect(box(ana)).toBeFocused({ timeout: 1000 })
  }).toPass()
  await page.keyboard.type('shortcuts')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Link of selected text')
})

test('[PALETTE-3] who may only read is offered what they may do, and not the agent', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, '# Goals')
  await ana.page.getByRole('button', { name: 'Editing' }).click()
  await ana.page.getByRole('menuitemradio', { name: /^Viewing/ }).click()
  await openPalette(ana)
  await expect(ana.page.getByRole('option', { name: /^Next comment/ })).toBeAttached()
  await expect(ana.page.getByRole('option', { name: /^Bold/ })).toHaveCount(0)
  await ana.page.keyboard.type('mode edit')
  await expect(ana.page.getByRole('option', { selected: true })).toHaveText(/^Mode: Editing/)
  await ana.page.keyboard.press('Enter')
  await expect(ana.page.getByRole('button', { name: 'Editing' })).toBeVisible()
})

test('[PALETTE-6] a palette that is opened in a document’s first moment gets its commands, and keeps the query', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { isNew: true })
  const { page } = ana
  const isHeld = Promise.withResolvers<void>()
  await page.route(/\/assets\/palette-source-/, async (route) => {
    await isHeld.promise
    await route.continue()
  })
  await openNew(ana, 'Text')
  // Its keys are taken a moment after the text is shown.
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await expect(box(ana)).toBeFocused({ timeout: 1000 })
  }).toPass()
  await page.keyboard.type('version h')
  await expect(page.getByRole('dialog').getByText('Nothing found.')).toBeVisible()
  isHeld.resolve()
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Version history/)
  await expect(box(ana)).toHaveValue('version h')
})
