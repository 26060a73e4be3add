import { type Browser, expect, type Locator } from '@playwright/test'
import { clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

const change = ({ editor }: Person, kind: 'ins' | 'del'): Locator => editor.locator(`${kind}[data-change]`)
const margin = ({ page }: Person): Locator => page.getByRole('list', { name: 'Beside the text' })
const card = (person: Person, text: string): Locator => margin(person).locator('> li').filter({ hasText: text }).first()
const bar = ({ page }: Person): Locator => page.getByRole('region', { name: 'Suggestions' })

async function openBoth(browser: Browser, markdown: string): Promise<{ ana: Person; ben: Person; path: string }> {
  const [ana, ben] = [await enter(browser, 'Ana'), await enter(browser, 'Ben')]
  for (const { page } of [ana, ben]) await page.setViewportSize({ width: 1440, height: 900 })
  const path = await openNew(ana, markdown)
  await ben.page.goto(path)
  await isOpen(ben)
  return { ana, ben, path }
}

/** The paragraphs as they read, without the carets of others. */
function lines({ editor }: Person): Promise<string[]> {
  return editor.evaluate((element) => {
    const copy = element.cloneNode(true) as Element
    for (const caret of copy.querySelectorAll('.peer-caret')) caret.remove()
    return [...copy.querySelectorAll('p')].map((line) => line.textContent.replaceAll('\u2060', ''))
  })
}

async function caretIn(person: Person, text: string, offset: number): Promise<void> {
  await person.editor
    .getByText(text)
    .first()
    .click({ position: { x: 3, y: 10 } })
  await person.page.keyboard.press('Home')
  for (let step = 0; step < offset; step++) await person.page.keyboard.press('ArrowRight')
}

test('what one person suggests by typing the other sees, and decides next to the text and by keyboard', async ({
  browser,
}) => {
  const { ana, ben } = await openBoth(browser, 'It took teh bus\n\nWe meet soon\n\nThe end')
  await ana.page.getByRole('button', { name: 'Mode: Editing' }).click()
  await ana.page.getByRole('menuitemradio', { name: 'Suggesting' }).click()
  await expect(ana.page.getByRole('button', { name: 'Mode: Suggesting' })).toBeVisible()
  await ana.editor.click()
  await ana.page.keyboard.press('ControlOrMeta+Alt+Shift+c')
  await expect(ana.editor).toHaveAttribute('aria-readonly', 'true')
  await ana.page.keyboard.press('ControlOrMeta+Alt+Shift+x')
  await expect(ana.editor).toHaveAttribute('aria-readonly', 'false')
  await caretIn(ana, 'It took', 8)
  for (let step = 0; step < 3; step++) await ana.page.keyboard.press('Shift+ArrowRight')
  await ana.page.keyboard.type('the')
  await expect(change(ben, 'del')).toHaveText('teh')
  await expect(change(ben, 'ins')).toHaveText('the')

  // Ben, who edits, types in the same line meanwhile; that is no suggestion of Ana's.
  await caretIn(ben, 'It took', 2)
  await ben.page.keyboard.type('self')
  await expect.poll(() => lines(ana)).toContain('Itself took tehthe bus')
  await expect(change(ana, 'ins')).toHaveText('the')

  // A composed word is left alone until it is done, and one undo takes it back.
  await ana.editor.getByText('We meet').click({ position: { x: 3, y: 10 } })
  await ana.page.keyboard.press('End')
  const input = await ana.context.newCDPSession(ana.page)
  for (const text of ['に', 'にほ', '日本'])
    await input.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  await expect(ben.editor).toContainText('We meet soon日本')
  await caretIn(ben, 'We meet', 0)
  await ben.page.keyboard.type('Now ')
  await expect.poll(() => lines(ben)).toContain('Now We meet soon日本')
  await input.send('Input.insertText', { text: '日本' })
  await expect.poll(() => lines(ana)).toContain('Now We meet soon日本')
  await expect(change(ben, 'ins').nth(1)).toHaveText('日本')
  await ana.page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => lines(ben)).toContain('Now We meet soon')
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.type('A new line')
  for (let step = 0; step < 4; step++) await ana.page.keyboard.press('Backspace')
  await expect(change(ben, 'ins').nth(1)).toHaveText('A new ')

  await expect(card(ben, 'Ana')).toContainText('teh')
  await card(ben, 'teh').getByRole('button', { name: 'Accept' }).click()
  for (const person of [ana, ben]) await expect.poll(() => lines(person)).toContain('Itself took the bus')
  await caretIn(ben, 'The end', 0)
  await ben.page.keyboard.press('ControlOrMeta+Alt+j')
  await expect(card(ben, 'A new')).toHaveAttribute('aria-current', 'true')
  await ben.page.keyboard.press('ControlOrMeta+Alt+r')
  for (const person of [ana, ben]) {
    await expect(bar(person)).toHaveCount(0)
    await expect.poll(() => lines(person)).toEqual(['Itself took the bus', 'Now We meet soon', 'The end'])
  }
})

test('comments are next to their text, push each other, and are reached and answered by keyboard', async ({
  browser,
}) => {
  const { ana, ben, path } = await openBoth(browser, '# Title\n\nZero\n\nZero\n\nOne two three\n\nFour\n\nFive')
  const api = `/api${path.replace('/d/', '/documents/')}`
  for (const [quote, text] of Object.entries({ One: 'First', two: 'Second', Five: 'Last' }))
    expect((await ana.page.request.post(`${api}/threads`, { data: { quote, text } })).status()).toBe(201)
  await expect(margin(ben).locator('> li')).toHaveCount(3)
  const boxOf = async (text: string) => (await card(ben, text).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const isApart = async () => (await boxOf('Second')).y >= (await boxOf('First')).y + (await boxOf('First')).height
  await expect.poll(isApart).toBe(true)
  const topOf = async (text: string) => (await ben.editor.getByText(text, { exact: true }).boundingBox())?.y ?? 0
  await caretIn(ben, 'Four', 0)
  await ben.page.keyboard.press('ControlOrMeta+Alt+p')
  await expect(card(ben, 'Second')).toHaveAttribute('aria-current', 'true')
  await expect.poll(async () => Math.abs((await boxOf('Second')).y - (await topOf('two'))) < 40).toBe(true)
  await expect.poll(isApart).toBe(true)
  await ben.page.keyboard.press('ControlOrMeta+Alt+Enter')
  await expect(card(ben, 'Second').getByRole('textbox', { name: 'Reply' })).toBeFocused()
  await ben.page.keyboard.type('Really')
  await ben.page.keyboard.press('Enter')
  await expect(card(ana, 'Second')).toContainText('1 reply')
  await ben.page.keyboard.press('Escape')
  await expect(ben.editor).toBeFocused()
  await ben.page.keyboard.press('ControlOrMeta+Alt+e')
  await expect(card(ana, 'Second')).toHaveCount(0)

  // The list of all takes the threads over, and tells who still waits for an answer.
  await ana.page.getByRole('tab', { name: /Comments/ }).click()
  await expect(margin(ana)).toHaveCount(0)
  await expect(ana.page.getByRole('button', { name: 'Unanswered 2' })).toBeVisible()
  await ana.page.getByRole('button', { name: 'Resolved 1' }).click()
  await ana.page.getByRole('button', { name: 'Reopen' }).click()
  await expect(card(ben, 'Second')).toContainText('Really')
})

test('changes are decided by author, and the bar works on a small screen', async ({ browser }) => {
  const { ana, ben, path } = await openBoth(browser, 'One two three')
  const api = `/api${path.replace('/d/', '/documents/')}/changes`
  await ana.page.request.post(api, { data: { quote: 'One', replaceWith: 'Eins' } })
  await ben.page.request.post(api, { data: { quote: 'two', replaceWith: 'zwei' } })
  await ben.page.getByRole('button', { name: 'Close panel' }).click()
  await ben.page.setViewportSize({ width: 390, height: 844 })
  await expect(bar(ben)).toContainText('2 suggestions')
  await bar(ben).getByRole('button', { name: 'All suggestions' }).click()
  await ben.page.getByRole('group', { name: 'By Ana' }).getByRole('menuitem', { name: 'Accept these' }).click()
  await ben.page
    .getByRole('dialog', { name: 'Accept the suggestion by Ana?' })
    .getByRole('button', { name: 'Accept' })
    .click()
  for (const person of [ana, ben]) {
    await expect(bar(person)).toContainText('1 suggestion')
    await expect.poll(() => lines(person)).toEqual(['Eins twozwei three'])
  }
  const isInside = await bar(ben).evaluate((element) => element.scrollWidth <= element.clientWidth)
  expect(isInside).toBe(true)
})

test('[SUG-16] whatever people do while suggesting is suggested, and rejecting it restores the text exactly', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  await ana.page.setViewportSize({ width: 1440, height: 900 })
  const path = await openNew(ana, '# Head\n\nAlpha one\n\nBeta two\n\nGamma one\n\n- red\n- blue\n\nOmega\n\nLast')
  const api = `/api${path.replace('/d/', '/documents/')}`
  const exported = async () => (await ana.page.request.get(`${api}/export?format=markdown`)).text()
  const before = await exported()
  const press = async (text: string, ...keys: string[]) => {
    await clickEndOf(ana, text)
    for (const key of keys) await ana.page.keyboard.press(key)
  }
  let known = '{"changes":[]}'
  // An edit that touches the user's own change extends it, so the number may stay.
  const isSuggested = async () => {
    const list = async () => (await ana.page.request.get(`${api}/changes`)).text()
    await expect.poll(list).not.toBe(known)
    known = await list()
  }
  await press('Omega', 'ControlOrMeta+Alt+Shift+x')
  await expect(ana.page.getByRole('button', { name: 'Mode: Suggesting' })).toBeVisible()
  await press('Beta two', 'ControlOrMeta+Shift+ArrowUp')
  await isSuggested()
  await ana.editor.getByText('Gamma one').hover()
  // Hovering waits until the margin, where the change is shown now, has its place.
  await ana.page.getByRole('button', { name: 'Move or change this block' }).hover()
  await ana.page.mouse.down()
  const target = await ana.editor.getByText('Head').boundingBox()
  if (!target) throw new Error('not shown')
  await ana.page.mouse.move(target.x + 40, target.y + target.height - 2, { steps: 4 })
  await expect(ana.page.locator('.block-drop-line')).toBeVisible()
  await ana.page.mouse.up()
  await isSuggested()
  await press('blue', 'ControlOrMeta+Shift+8')
  await isSuggested()
  await press('Last', 'Home', 'Backspace')
  await isSuggested()
  await press('Alpha one', 'ArrowLeft', 'Enter')
  await isSuggested()
  await press('red', 'ControlOrMeta+Alt+f')
  const search = ana.page.getByRole('search', { name: 'Find and replace' })
  await search.getByRole('textbox', { name: 'Find', exact: true }).fill('e')
  await search.getByRole('textbox', { name: 'Replace with' }).fill('E')
  await search.getByRole('button', { name: 'All' }).click()
  await isSuggested()
  await ana.page.keyboard.press('Escape')
  await ana.editor.evaluate((editor) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', '<h2>New</h2><table><tr><td>cell</td></tr></table><ul><li>x</li></ul>')
    editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(ana.editor).toContainText('cell')
  await expect(ana.saved).toHaveText(/^Saved/)
  expect((await ana.page.request.post(`${api}/changes`, { data: { decision: 'reject' } })).status()).toBe(200)
  await expect(bar(ana)).toHaveCount(0)
  expect(await exported()).toBe(before)
})
