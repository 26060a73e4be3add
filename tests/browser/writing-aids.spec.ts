import { expect, type Locator } from '@playwright/test'
import { clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

async function select(person: Person, text: string): Promise<void> {
  await person.editor.getByText(text, { exact: true }).dblclick({ position: { x: 12, y: 12 } })
}

// Carets of others are in the text with their names.
const begin = (...texts: string[]) => texts.map((text) => new RegExp(`^(?:\u2060\\w+\u2060)?${text}`))

const blocks = (person: Person) => person.editor.locator(':scope > *')

async function dragBlock({ page, editor }: Person, from: Locator, to: Locator): Promise<void> {
  await from.hover()
  await page.getByRole('button', { name: 'Move or change this block' }).hover()
  await page.mouse.down()
  const target = await to.boundingBox()
  if (!target) throw new Error('not shown')
  await page.mouse.move(target.x + 40, target.y + target.height - 2, { steps: 4 })
  await expect(page.locator('.block-drop-line')).toBeVisible()
  await page.mouse.up()
  await expect(editor).toBeFocused()
}

/** The heights to which the text is scrolled from now on. */
function placesOfScroll({ page }: Person) {
  return page.locator('[data-scroller]').evaluateHandle((scroller) => {
    const places = new Set<number>()
    scroller.addEventListener('scroll', () => places.add(scroller.scrollTop))
    return places
  })
}

test('[WRITE-1, WRITE-2] a block is moved by keyboard and by drag while another person types in it: nothing is lost, and the carets move along', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const path = await openNew(ana, '# Title\n\nAlpha\n\nBeta\n\nGamma\n\n- one\n- two\n- three')
  await ben.page.goto(path)
  await isOpen(ben)

  await clickEndOf(ben, 'Beta')
  const letters = ' and Ben goes on writing in this block while it moves about'
  const typing = ben.page.keyboard.type(letters, { delay: 30 })
  await ana.editor.getByText('Beta').click()
  // The browser tells a little later where the caret went.
  await expect(ana.page.getByRole('button', { name: 'Block type' })).toHaveText('Text')
  // Where the click was, Ben was typing: the caret would be anywhere in his words.
  await ana.page.keyboard.press('Home')
  for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown']) await ana.page.keyboard.press(`ControlOrMeta+Shift+${key}`)
  await dragBlock(ana, ana.editor.getByText('Beta'), ana.editor.getByText('Title'))
  await typing
  for (const person of [ana, ben]) {
    await expect(blocks(person)).toHaveText(begin('Title', `Beta${letters}`, 'Alpha', 'Gamma', 'one'))
  }
  // Both carets are where they were: in the block that moved.
  await ben.page.keyboard.type('.')
  await expect(ana.editor.getByText(`Beta${letters}.`)).toHaveCount(1)
  await ana.page.keyboard.press('End')
  await ana.page.keyboard.type('!')
  await expect(ben.editor.getByText(`Beta${letters}.!`)).toHaveCount(1)

  // A move is one step of undo, an item moves among its items, and its menu can do the same.
  await clickEndOf(ana, 'three')
  // The browser tells a little later where the caret went.
  await expect(ana.page.getByRole('button', { name: 'Bullet list' })).toHaveAttribute('aria-pressed', 'true')
  await ana.page.keyboard.press('ControlOrMeta+Shift+ArrowUp')
  await expect(ben.editor.locator('li')).toHaveText(begin('one', 'three', 'two'))
  await ana.page.keyboard.press('ControlOrMeta+z')
  await expect(ben.editor.locator('li')).toHaveText(begin('one', 'two', 'three'))
  await ana.editor.getByText('one').hover()
  await ana.page.getByRole('button', { name: 'Move or change this block' }).click()
  await ana.page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(ben.editor.locator('li')).toHaveText(begin('one', 'one', 'two', 'three'))
  await clickEndOf(ana, 'Gamma')
  await ana.page.keyboard.press('Alt+F9')
  await ana.page.getByRole('menuitem', { name: 'Turn into' }).press('ArrowRight')
  await ana.page.getByRole('menuitem', { name: 'Heading 2' }).press('Enter')
  await expect(ben.editor.getByRole('heading', { name: 'Gamma', level: 2 })).toBeVisible()
  await ana.page.keyboard.type(' ray')
  await expect(ben.editor.getByRole('heading', { name: 'Gamma ray' })).toBeVisible()
})

test('[WRITE-5, WRITE-26] a slash inserts blocks by groups, the bubble formats and asks', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const path = await openNew(ana, 'First\n\nSecond\n\n```\ncode\n```\n\nBeside')
  await ben.page.goto(path)
  await isOpen(ben)
  const list = ana.page.getByRole('listbox', { name: 'Insert' })

  await clickEndOf(ana, 'First')
  await ana.page.keyboard.type(' and/or /')
  await expect(list).toBeVisible()
  await ana.page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  // It stays closed for this slash, whatever others write meanwhile.
  await clickEndOf(ben, 'Beside')
  await ben.page.keyboard.type(' it')
  await expect(ana.editor).toContainText('Beside it')
  await ana.page.keyboard.type('h')
  await ana.page.keyboard.press('Backspace')
  await expect(ana.editor.getByText('First and/or /')).toHaveCount(1)
  await expect(list).toBeHidden()

  await clickEndOf(ana, 'Second')
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.type('/')
  await expect(list.getByRole('option')).toHaveText([/^Ask the agent/, ...Array<RegExp>(14).fill(/./)])
  await expect(list.getByRole('group', { name: 'Insert' }).getByRole('option').first()).toHaveText('Table')
  await ana.page.keyboard.type('todo')
  await expect(list.getByRole('option')).toHaveText([/^Task list/])
  await ben.page.keyboard.type(' all')
  await expect(ana.editor).toContainText('Beside it all')
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.type('buy milk')
  await expect(ben.editor.locator('ul[data-type=taskList] li')).toContainText('buy milk')
  await ana.editor.getByText('Second').hover()
  await ana.page.getByRole('button', { name: 'Insert below' }).click()
  await list.getByRole('option', { name: 'Heading 2' }).click()
  await ana.page.keyboard.type('Part')
  await expect(ben.editor.getByRole('heading', { name: 'Part', level: 2 })).toBeVisible()
  await clickEndOf(ana, 'code')
  await ana.page.keyboard.type(' /')
  await expect(ana.editor.locator('pre')).toHaveText('code /')
  await expect(list).toBeHidden()

  const bubble = ana.page.getByRole('toolbar', { name: 'Selected text' })
  await select(ana, 'Second')
  await expect(bubble).toBeVisible()
  await ana.page.keyboard.press('Alt+F10')
  await expect(bubble.getByRole('button', { name: 'Bold' })).toBeFocused()
  await ana.page.keyboard.press('Enter')
  await expect(ben.editor.locator('strong')).toHaveText('Second')
  await ana.page.keyboard.press('Escape')
  await expect(bubble).toBeHidden()
  await expect(ana.editor).toBeFocused()
  await select(ana, 'Part')
  await bubble.getByRole('button', { name: 'Ask the agent' }).click()
  await expect(ana.page.getByRole('textbox', { name: 'Message the agent' })).toBeFocused()
  await expect(ana.editor.locator('.kept-selection')).toHaveText('Part')
  await expect(bubble).toBeHidden()
})

test('[WRITE-6, WRITE-8, LAYOUT-2, LAYOUT-3] find and replace, the outline, counts and the overview of the shortcuts', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const parts = Array.from({ length: 20 }, (_, index) => `## Part ${index + 1}\n\nThe cat sat, the Cat ran, cats too.`)
  const path = await openNew(ana, parts.join('\n\n'))
  await ben.page.goto(path)
  await isOpen(ben)

  await clickEndOf(ana, 'Part 2')
  const bar = ana.page.getByRole('search', { name: 'Find and replace' })
  const field = bar.getByRole('textbox', { name: 'Find', exact: true })
  for (const place of [
    ana.page.getByRole('textbox', { name: 'Message the agent' }),
    ana.page.getByRole('textbox', { name: 'Title' }),
    ana.page.getByRole('tab', { name: 'Chat' }),
  ]) {
    await place.focus()
    await ana.page.keyboard.press('ControlOrMeta+f')
    await expect(field).toBeFocused()
    await ana.page.keyboard.press('Escape')
    await expect(ana.editor).toBeFocused()
  }
  await ana.editor.blur()
  await ana.page.keyboard.press('ControlOrMeta+f')
  await ana.page.keyboard.type('cat')
  await expect(bar.getByRole('status')).toHaveText('4 of 60')
  await bar.getByRole('button', { name: 'Match case' }).click()
  await expect(bar.getByRole('status')).toHaveText(/ of 40$/)
  await bar.getByRole('button', { name: 'Whole words' }).click()
  await expect(bar.getByRole('status')).toHaveText(/ of 20$/)
  await expect(ana.editor.locator('.find-match').first()).toHaveText('cat')
  await bar.getByRole('button', { name: 'Whole words' }).click()
  await field.press('Enter')
  // Others write meanwhile; replacing everything takes nothing of theirs.
  await clickEndOf(ben, 'The cat sat')
  const typing = ben.page.keyboard.type(' Ben writes on', { delay: 20 })
  await ana.page.keyboard.press('ControlOrMeta+Alt+f')
  await expect(field).toBeFocused()
  await ana.page.keyboard.press('Tab')
  await expect(bar.getByRole('textbox', { name: 'Replace with' })).toBeFocused()
  await ana.page.keyboard.type('dog')
  await bar.getByRole('button', { name: 'All' }).click()
  await typing
  await expect(ben.editor.getByText('The dog sat, the Cat ran, dogs too.')).toHaveCount(20)
  await expect(ana.editor.getByText('dogs too. Ben writes on')).toHaveCount(1)
  await field.fill('Cat')
  await ana.page.keyboard.press('Escape')
  await expect(bar).toBeHidden()
  await expect(ana.editor).toBeFocused()
  await expect.poll(() => ana.page.evaluate(() => getSelection()?.toString())).toBe('Cat')
  await ana.page.keyboard.press('ControlOrMeta+z')
  await expect(ana.editor.getByText('The cat sat, the Cat ran, cats too.')).toHaveCount(20)
  await expect(ana.editor.getByText('cats too. Ben writes on')).toHaveCount(1)

  await ana.page.setViewportSize({ width: 1440, height: 720 })
  await ana.page.getByRole('button', { name: 'Show outline' }).click()
  const outline = ana.page.getByRole('navigation', { name: 'Outline' })
  await ana.page.emulateMedia({ reducedMotion: 'no-preference' })
  for (const part of ['Part 20', 'Part 1', 'Part 15']) {
    const places = await placesOfScroll(ana)
    await outline.getByRole('button', { name: part, exact: true }).click()
    await expect(ana.editor.getByRole('heading', { name: part, exact: true })).toBeInViewport()
    await expect(outline.locator('[aria-current]')).toHaveText(part)
    await expect.poll(() => places.evaluate((seen) => seen.size)).toBeGreaterThan(0)
    expect(await places.evaluate((seen) => seen.size), `steps to ${part}`).toBe(1)
  }
  await ana.page.emulateMedia({ reducedMotion: 'reduce' })
  const upperEdge = await ana.page.locator('[data-scroller]').boundingBox()
  const arrived = await ana.editor.getByRole('heading', { name: 'Part 15' }).boundingBox()
  expect((arrived?.y ?? 0) - (upperEdge?.y ?? 0)).toBeLessThan(60)
  await ana.page.keyboard.type(' renamed')
  await expect(outline.getByRole('button', { name: 'Part 15 renamed' })).toBeVisible()
  await expect(ana.page.getByText('204 words')).toBeVisible()
  await ana.page.keyboard.press('Shift+Home')
  await expect(ana.page.getByText('3 words selected').first()).toBeVisible()

  // Text that Ben writes above does not move Ana's viewport.
  const mine = ana.editor.getByRole('heading', { name: 'Part 15' })
  const heightOf = async () => (await mine.boundingBox())?.y ?? 0
  const height = await heightOf()
  await clickEndOf(ben, 'Part 1')
  await ben.page.keyboard.press('Enter')
  await ben.page.keyboard.type('One line more')
  await ben.page.keyboard.press('Enter')
  await expect(ana.editor.getByText('One line more')).toHaveCount(1)
  expect(Math.abs((await heightOf()) - height)).toBeLessThan(3)

  await ana.page.keyboard.press('ControlOrMeta+/')
  const overview = ana.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(overview).toContainText('Find and replace')
  await ana.page.keyboard.press('ControlOrMeta+f')
  await expect(bar).toBeHidden()
  await ana.page.keyboard.press('Escape')
  await expect(overview).toBeHidden()
  await expect(ana.editor).toBeFocused()

  // A question mark opens it only outside of text fields.
  await ana.page.keyboard.press('End')
  await ana.page.keyboard.type('?')
  await expect(ben.editor.getByRole('heading', { name: 'Part 15 renamed?' })).toHaveCount(1)
  await expect(overview).toBeHidden()
  await ana.page.getByRole('button', { name: 'Document menu' }).focus()
  await ana.page.keyboard.press('?')
  await expect(overview).toBeVisible()
})

test('[WRITE-25] find, shortcuts, import and the length of the text are in the document’s menu', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const { page } = ana
  await openNew(ana, 'One two three')
  const menu = page.getByRole('button', { name: 'Document menu' })
  await menu.click()
  await expect(page.getByRole('menu').getByText('3 words · 13 characters')).toBeVisible()
  await page.getByRole('menuitem', { name: 'Find…' }).click()
  await expect(page.getByRole('textbox', { name: 'Find' })).toBeFocused()
  await page.keyboard.press('Escape')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()

  await clickEndOf(ana, 'three')
  await menu.click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Import Markdown…' }).click()
  await (await chooser).setFiles({ name: 'a.md', mimeType: 'text/markdown', buffer: Buffer.from(' and **four**') })
  await expect(ana.editor.locator('strong')).toHaveText('four')
})
