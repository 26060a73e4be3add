import { expect, type Locator } from '@playwright/test'
import { clickEndOf, enter, openNew, type Person } from './people.ts'
import { test } from './test.ts'

async function openForm({ page }: Person, form: string): Promise<void> {
  const button = page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: form })
  if (await button.isVisible()) return button.click()
  await page.getByRole('button', { name: 'More formatting' }).click()
  await page.getByRole('menuitem', { name: form }).click()
}

async function startOf(element: Locator): Promise<number> {
  const box = await element.boundingBox()
  if (!box) throw new Error('not shown')
  return box.x
}

test('text typed after inserting an image or a formula is behind it', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, 'First\n\nLast')
  await clickEndOf(ana, 'Last')
  await ana.page.keyboard.press('Enter')
  await openForm(ana, 'Image')
  await ana.page.getByLabel('Address of the image').fill('/icon.svg')
  await ana.page.getByRole('button', { name: 'Insert' }).click()
  await expect(ana.editor).toBeFocused()
  await ana.page.keyboard.type('after the image')
  await ana.page.keyboard.press('Enter')
  await openForm(ana, 'Formula block')
  await ana.page.getByLabel('Formula in LaTeX').fill('a^2')
  await ana.page.keyboard.press('Enter')
  await expect(ana.editor).toBeFocused()
  await ana.page.keyboard.type('after the formula')
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.type('![icon](/icon.svg) after the rule')
  await expect(ana.editor.locator('img[src="/icon.svg"]')).toHaveCount(2)
  await expect(ana.editor.locator('.math-block')).toHaveCount(1)
  for (const text of ['after the image', 'after the formula', 'after the rule']) {
    await expect(ana.editor.getByText(text)).toHaveCount(1)
  }
})

test('an address that can be no image is refused, one that does not load shows its description', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, 'Text')
  await clickEndOf(ana, 'Text')
  await openForm(ana, 'Image')
  const address = ana.page.getByLabel('Address of the image')
  await address.fill('cat')
  await ana.page.getByRole('button', { name: 'Insert' }).click()
  await expect(ana.page.getByRole('alert')).toContainText('Enter the address of an image')
  await address.fill('/no-such-image.png')
  await ana.page.getByLabel('Description').fill('A cat on a roof')
  await ana.page.getByRole('button', { name: 'Insert' }).click()
  await expect(ana.editor.getByText('A cat on a roof')).toBeVisible()
  await expect(ana.editor.locator('img[src]')).toBeHidden()
})

test('Enter at the end sends a request and adds a line; elsewhere it only sends; alone a mention is not sent', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, 'teh end')
  await clickEndOf(ana, 'teh end')
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.type('- @agent ')
  await ana.page.keyboard.press('Enter')
  const chips = ana.editor.locator('[data-mention]')
  await expect(ana.editor.locator('li')).toHaveCount(2)
  await expect(chips).toHaveAttribute('data-run-state', 'draft')
  await ana.editor.getByText('@agent').click()
  await ana.page.keyboard.press('End')
  await ana.page.keyboard.type('replace teh with the')
  await ana.page.keyboard.press('Enter')
  // Once the run is over, so that the undo key means what is typed here and not the run.
  await expect(chips).toHaveAttribute('data-run-state', 'done')
  await ana.page.keyboard.type('next item')
  await expect(ana.editor.locator('li')).toHaveText([/^@agent.*replace teh with the$/, 'next item', ''])
  await ana.page.keyboard.press('ControlOrMeta+z')
  await expect(ana.editor).not.toContainText('next item')
  await expect(chips).toHaveAttribute('data-run-state', 'done')

  await chips.focus()
  await ana.page.keyboard.press('Enter')
  await ana.page.getByRole('menuitem', { name: 'Open answer' }).click()
  await expect(ana.conversation.locator('[data-run]')).toBeFocused()

  await clickEndOf(ana, 'the end')
  await ana.page.keyboard.type(' @agent count words')
  await ana.page.keyboard.press('ArrowLeft')
  await ana.page.keyboard.press('Enter')
  await expect(chips.first()).toHaveAttribute('data-run-state', 'answered')
  await expect(ana.editor.getByText(/^the end @agent.*count words$/)).toHaveCount(1)
})

test('[RUN-28] [RUN-29] [RUN-31] [RUN-32] a request does not match its own words; its chip and its answer say what came of it', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, 'first and second\n\nEnd')
  const request = async (words: string, state: string, answer: string) => {
    await ana.page.keyboard.type(`@agent ${words}`)
    await ana.page.keyboard.press('Enter')
    await expect(ana.editor.locator('[data-mention]').last()).toHaveAttribute('data-run-state', state)
    await expect(ana.conversation.locator('[data-run]').last()).toContainText(answer)
  }
  await clickEndOf(ana, 'End')
  await ana.page.keyboard.press('Enter')
  await request('add " (new)" after "second"', 'done', 'Done')
  await expect(ana.editor.getByText('first and second (new)')).toBeVisible()
  await request('count words', 'answered', 'Answered')
  // By now "second" is in an earlier request, too.
  await request('add "x" after "second"', 'not-done', 'Not done')
  await expect(ana.conversation.locator('[data-run]').last()).toContainText('"second" occurs 2 times.')

  const last = ana.editor.getByText('add "x" after')
  await ana.editor.locator('[data-mention]').last().press('Enter')
  await ana.page.getByRole('menuitem', { name: 'Remove request' }).click()
  await expect(last).toHaveCount(0)
  await expect(ana.editor).toBeFocused()
  await ana.page.keyboard.press('ControlOrMeta+z')
  await expect(last).toHaveCount(1)
  await expect(ana.editor.locator('[data-mention]').last()).toHaveAttribute('data-run-state', 'not-done')

  // By choice it goes by itself, and comes back by undo.
  await ana.editor.locator('[data-mention]').last().press('Enter')
  await ana.page.getByRole('menuitemcheckbox', { name: 'Always remove mine once answered' }).click()
  await expect(ana.editor.locator('[data-mention]').last()).toBeFocused()
  await ana.editor.press('ControlOrMeta+End')
  await ana.page.keyboard.type('@agent count words')
  await ana.page.keyboard.press('Enter')
  await expect(ana.conversation.locator('[data-run]')).toHaveCount(4)
  await expect(ana.conversation.locator('[data-run]').last()).toContainText('Answered')
  await expect(ana.editor.locator('[data-mention]')).toHaveCount(3)
  await ana.page.keyboard.press('ControlOrMeta+z')
  await expect(ana.editor.locator('[data-mention]')).toHaveCount(4)
})

test('a task’s box is on the side where its text starts', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, '- [ ] milk\n- [ ] חלב')
  const items = ana.editor.locator('li')
  await expect(items).toHaveCount(2)
  await items.last().locator('p').click()
  await ana.page.keyboard.press('End')
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.type('ביצים')
  const left = items.filter({ hasText: 'milk' })
  const right = items.filter({ hasText: 'ביצים' })
  await expect(right).toHaveCount(1)
  const gap = async (item: typeof left) => (await startOf(item.locator('label'))) - (await startOf(item.locator('p')))
  await expect.poll(() => gap(left)).toBeLessThan(0)
  await expect.poll(() => gap(right)).toBeGreaterThan(0)
})

test('[WRITE-23] the kind of block is chosen by keyboard: letters, arrows, Home and End', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, 'Text')
  await ana.page.getByRole('button', { name: 'Text formatting' }).focus()
  await ana.page.keyboard.press('ArrowLeft')
  const type = ana.page.getByRole('button', { name: 'Block type' })
  await expect(type).toBeFocused()
  await ana.page.keyboard.press('ArrowRight')
  await expect(ana.page.getByRole('button', { name: 'Text formatting' })).toBeFocused()
  await ana.page.keyboard.press('ArrowLeft')
  await expect(type).toBeFocused()
  await ana.page.keyboard.press('Enter')
  const option = (name: string) => ana.page.getByRole('menuitemradio', { name })
  await expect(option('Text')).toBeChecked()
  await ana.page.keyboard.press('End')
  await expect(option('Heading 6')).toBeFocused()
  await ana.page.keyboard.type('text')
  await expect(option('Text')).toBeFocused()
  await ana.page.keyboard.press('ArrowDown')
  await expect(option('Heading 1')).toBeFocused()
  await ana.page.keyboard.press('ArrowDown')
  await expect(option('Heading 2')).toBeFocused()
  await ana.page.keyboard.press('Enter')
  await expect(ana.editor).toBeFocused()
  await expect(ana.editor.getByRole('heading', { level: 2 })).toHaveText('Text')
  await expect(type).toHaveText('Heading 2')
})

// A press and a release as by hand: in between the browser tells where the caret went.
async function press(target: Locator): Promise<void> {
  await target.click({ position: { x: 12, y: 12 }, delay: 80 })
}

async function selectAlpha(person: Person): Promise<void> {
  await person.editor.getByText('Alpha').dblclick({ position: { x: 12, y: 12 } })
}

test('the first click back into the text counts, whatever was selected before', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, 'Alpha\n\nBeta\n\nGamma')
  const message = ana.page.getByRole('textbox', { name: 'Message the agent' })
  const kept = ana.editor.locator('.kept-selection')
  const texts = ana.editor.locator('p')

  for (const field of [message, ana.page.getByRole('textbox', { name: 'Title' })]) {
    await selectAlpha(ana)
    await press(field)
    await expect(kept).toHaveText('Alpha')
    await press(ana.editor.getByText('Gamma'))
    await expect(kept).toHaveCount(0)
    await ana.page.keyboard.press('End')
    await ana.page.keyboard.type('!')
  }
  await expect(texts).toHaveText(['Alpha', 'Beta', 'Gamma!!'])

  await selectAlpha(ana)
  await ana.page.getByRole('toolbar', { name: 'Selected text' }).getByRole('button', { name: 'Comment' }).click()
  await ana.page.getByRole('textbox', { name: 'Comment' }).fill('Why?')
  await ana.page.keyboard.press('Enter')
  await expect(ana.editor.locator('span[data-thread]')).toHaveText('Alpha')
  await press(ana.editor.getByText('Beta'))
  await ana.page.keyboard.press('End')
  await ana.page.keyboard.type('?')
  await expect(texts).toHaveText(['Alpha', 'Beta?', 'Gamma!!'])
})

test('[WRITE-29] what is typed in two places is two undo steps, however quickly', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, 'Alpha\n\nBeta')
  const texts = ana.editor.locator('p')
  const beta = await ana.editor.getByText('Beta').boundingBox()
  if (!beta) throw new Error('not shown')
  await clickEndOf(ana, 'Alpha')
  await ana.page.keyboard.insertText('!')
  await ana.page.mouse.click(beta.x + 2, beta.y + beta.height / 2)
  await ana.page.keyboard.insertText('?')
  await ana.page.keyboard.press('End')
  await ana.page.keyboard.insertText('.')
  await expect(texts).toHaveText(['Alpha!', '?Beta.'])
  for (const left of [
    ['Alpha!', '?Beta'],
    ['Alpha!', 'Beta'],
    ['Alpha', 'Beta'],
  ]) {
    await ana.page.keyboard.press('ControlOrMeta+z')
    await expect(texts).toHaveText(left)
  }
})

/** Lets a part of the application wait on its way to this person. Answers what lets it arrive. */
async function delay({ page }: Person, part: string): Promise<() => void> {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  await page.route(new RegExp(`/${part}[^/]*\\.js`), async (route) => {
    await arrived
    await route.continue()
  })
  return arrive
}

test('what is typed before a form or a list is loaded goes where it was meant to go', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  const [listArrives, formArrives] = [await delay(ana, 'slash-items'), await delay(ana, 'review-layer')]
  await openNew(ana, 'Alpha\n\nBeta')
  await clickEndOf(ana, 'Beta')
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.type('/todo')
  await ana.page.keyboard.press('Enter')
  await expect(ana.editor.locator('p')).toHaveText(['Alpha', 'Beta', '/todo'])
  listArrives()
  await expect(ana.editor.locator('ul[data-type=taskList] li')).toHaveCount(1)
  await ana.page.keyboard.type('milk')

  await selectAlpha(ana)
  await ana.page.keyboard.press('ControlOrMeta+Alt+m')
  await ana.page.keyboard.type('Whyy')
  await ana.page.keyboard.press('Backspace')
  await ana.page.keyboard.type('?')
  await expect(ana.editor.locator('p')).toHaveText(['Alpha', 'Beta', 'milk'])
  const comment = ana.page.getByRole('textbox', { name: 'Comment' })
  await expect(comment).toHaveCount(0)
  formArrives()
  await expect(comment).toBeFocused()
  await ana.page.keyboard.type(' Because')
  await expect(comment).toHaveValue('Why? Because')
})

test('[WRITE-22] [WRITE-23] [WRITE-24] an empty line has the direction of the text before it, blocks are named, a selection has one count', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const { page } = ana
  const wide = `$$\n${'a+'.repeat(300)}z\n$$`
  await openNew(ana, `שורה בעברית\n\nThe state-of-the-art 3.5-inch list\n\n\`\`\`\ncode\n\`\`\`\n\n${wide}`)
  await clickEndOf(ana, 'שורה')
  await page.keyboard.press('Enter')
  const second = ana.editor.locator('p').nth(1)
  await expect(second).toHaveCSS('direction', 'rtl')
  await page.keyboard.type('a')
  await expect(second).toHaveCSS('direction', 'ltr')

  const type = page.getByRole('button', { name: 'Block type' })
  await ana.editor.getByText('code', { exact: true }).click()
  await expect(type).toHaveText('Code block')

  await ana.editor.getByText('state-of-the-art').click({ clickCount: 3 })
  await expect(page.getByText('4 words selected')).toHaveCount(2)

  // A shadow at the edge shows that a formula continues.
  const formula = ana.editor.locator('.math-block')
  await expect(formula.locator('.katex')).toBeVisible()
  expect(await formula.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true)
  await expect(formula).toHaveCSS('background-attachment', /local, local, scroll, scroll/)
})
