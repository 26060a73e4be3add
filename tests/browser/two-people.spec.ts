import { expect, type Locator } from '@playwright/test'
import { findings } from './findings.ts'
import { ask, canHoldMessages, clickEndOf, enter, isOpen, openNew, type Person, watchFor } from './people.ts'
import { test } from './test.ts'

test("[ACC-23] two people see each other's text, names and carets, also changed ones, and a reload keeps everything", async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const path = await openNew(ana, '# Plan\n\nFirst line')
  await ben.page.goto(path)
  await isOpen(ben)
  await expect(ana.here.getByRole('button', { name: 'Ben' })).toBeVisible()
  await expect(ben.here.getByRole('button', { name: 'Ana', exact: true })).toBeVisible()

  await clickEndOf(ana, 'First line')
  await ana.page.keyboard.type(' by Ana')
  await expect(ben.editor).toContainText('First line by Ana')
  await expect(ben.page.locator('.peer-label', { hasText: 'Ana' })).toBeVisible()

  await clickEndOf(ben, 'Plan')
  const kinds = await ben.saved.evaluateHandle((status) => {
    const seen: (string | undefined)[] = []
    new MutationObserver(() => seen.push(status.dataset.stateKind)).observe(status, { attributes: true })
    return seen
  })
  await ben.page.keyboard.type(' of Ben', { delay: 60 })
  await expect(ana.editor).toContainText('Plan of Ben')
  await expect(ben.saved).toHaveText(/^Saved/)
  // A typing user sees "saving" and then "saved": the display doesn't change at every key.
  expect((await kinds.jsonValue()).filter((kind) => kind === 'saved').length).toBeLessThan(4)
  await expect(ana.saved).toHaveText(/^Saved/)

  await ana.page.reload()
  await isOpen(ana)
  await expect(ana.editor).toContainText('First line by Ana')
  await expect(ana.editor).toContainText('Plan of Ben')

  // Another name and colour are seen at once, by one's own windows, too.
  await ben.here.getByRole('button', { name: 'Ben (you)' }).click()
  await ben.page.getByRole('textbox', { name: 'Name' }).fill('Benno')
  await ben.page.getByRole('radio', { name: 'Colour 6' }).check()
  expect(await findings(ben.page, 'name and colour', '[role="dialog"]')).toEqual([])
  await ben.page.getByRole('button', { name: 'Save' }).click()
  const colorOf = (avatar: Locator) =>
    avatar
      .locator('span')
      .first()
      .evaluate((each) => getComputedStyle(each).backgroundColor)
  for (const [person, name] of [
    [ana, 'Benno'],
    [ben, 'Benno (you)'],
  ] as const) {
    await expect(person.here.getByRole('button', { name, exact: true })).toBeVisible()
    await expect.poll(() => colorOf(person.here.getByRole('button', { name, exact: true }))).toBe('rgb(29, 78, 216)')
  }
  await expect(ben.here.getByRole('button', { name: 'Benno (you)' })).toBeFocused()
  await expect(ana.page.locator('.peer-label', { hasText: 'Benno' })).toBeAttached()
  await ben.page.goto('/')
  await ben.page.getByRole('button', { name: 'Benno: your name and colour' }).click()
  await ben.page.getByRole('menuitem', { name: 'Change name and colour…' }).click()
  await expect(ben.page.getByRole('radio', { name: 'Colour 6' })).toBeChecked()
  await ben.page.keyboard.press('Escape')
  await expect(ben.page.getByRole('button', { name: 'Benno: your name and colour' })).toBeFocused()
})

test('a mention in the text calls the agent, while another person types in the same paragraph', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const words = Array.from({ length: 12 }, () => 'teh').join(' ')
  const path = await openNew(ana, `${words} and (\n\nask here`)
  await ben.page.goto(path)
  await isOpen(ben)

  await clickEndOf(ana, 'ask here')
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.type('@age')
  await expect(ana.page.getByRole('option', { name: /agent/i })).toBeVisible()
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.type('replace teh with the')

  await clickEndOf(ben, 'teh teh')
  const typed = 'and Ben goes on typing here without losing a single character)'
  const typing = ben.page.keyboard.type(typed, { delay: 25 })
  // The built-in agent is quick: both watch for it from before it is asked.
  const carets = await Promise.all([ana, ben].map((person) => watchFor(person, '.peer-label', 'Agent')))
  await ana.page.keyboard.press('Enter')
  await Promise.all(carets.map(({ seen }) => seen))
  await typing
  const expected = `${words.replaceAll('teh', 'the')} and (${typed}`
  await expect(ana.editor).toContainText(expected)
  await expect(ben.editor).toContainText(expected)
  await expect(ana.page.locator('[data-mention]')).toHaveAttribute('data-run-state', 'done')
  await expect(ben.page.locator('[data-mention]')).toHaveAttribute('data-run-state', 'done')
  // The block with the mention stays one block: Enter has sent it.
  await expect(ana.editor.getByText(/^@agent.*replace teh with the$/)).toHaveCount(1)
  await expect(ana.here.getByRole('button', { name: /^Agent/ })).toHaveCount(0)
})

test('[WRITE-30] two people write at the end of one paragraph at once, and in an empty one: no sentence is torn', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const path = await openNew(ana, 'The end')
  await ben.page.goto(path)
  await isOpen(ben)

  // Ana's caret stays where she left it, also while she is in the chat.
  await clickEndOf(ana, 'The end')
  await ana.page.getByRole('textbox', { name: 'Message the agent' }).click()
  await clickEndOf(ben, 'The end')
  await ben.page.keyboard.type('!?')
  await expect.poll(() => shownLine(ben, 0)).toBe('The end|!?')
  // A click before all of it has come would leave her caret in the middle.
  await expect.poll(() => shownLine(ana, 0)).toBe('The end!?|')

  await clickEndOf(ana, 'The end')
  await writeAtOnce(ana, ben, 'The end!?')
  await ana.page.keyboard.press('Control+End')
  await ana.page.keyboard.press('Enter')
  await expect(ben.editor.locator('p')).toHaveCount(2)
  await ben.page.keyboard.press('Control+End')
  await writeAtOnce(ana, ben, '')
})

/** Has both write a sentence at their carets, and waits until both see both whole, and each caret after its own. */
async function writeAtOnce(ana: Person, ben: Person, before: string): Promise<void> {
  const [first, second] = [' Ana wrote this sentence.', ' Ben is at it, too.'] as const
  const line = before === '' ? 1 : 0
  // By turns, and each at their own pace: messages arrive before, between and after the keys.
  for (let index = 0; index < 6; index++) {
    await ana.page.keyboard.type(first.charAt(index))
    await ben.page.keyboard.type(second.charAt(index))
  }
  await Promise.all([
    ana.page.keyboard.type(first.slice(6), { delay: 15 }),
    ben.page.keyboard.type(second.slice(6), { delay: 25 }),
  ])
  const anaFirst = [`${before}${first}${second}|`, `${before}${first}|${second}`]
  const benFirst = [`${before}${second}|${first}`, `${before}${second}${first}|`]
  await expect(async () => {
    const shown = await Promise.all([shownLine(ana, line), shownLine(ben, line)])
    expect(shown).toEqual(shown[0].indexOf(first) < shown[0].indexOf(second) ? anaFirst : benFirst)
  }).toPass({ timeout: 55_000 })
}

/** A line as this person sees it, with `|` for the caret of another one. */
function shownLine(person: Person, index: number): Promise<string> {
  const paragraph = person.editor.locator('p').nth(index)
  return paragraph.evaluate((element) => {
    const copy = element.cloneNode(true) as Element
    for (const caret of copy.querySelectorAll('.peer-caret')) caret.replaceWith('|')
    return copy.textContent
  })
}

test('the chat is shared, and says what the agent did', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const path = await openNew(ana, 'I recieve a letter')
  await ben.page.goto(path)
  await isOpen(ben)
  await expect(ana.page.getByText(/No model is configured/)).toBeVisible()
  await ask(ana, 'replace recieve with receive')
  for (const person of [ana, ben]) {
    await expect(person.editor).toContainText('I receive a letter')
    await expect(person.conversation).toContainText('replace recieve with receive')
    await expect(person.conversation).toContainText('recieve → receive')
  }
  await ana.page.reload()
  await isOpen(ana)
  await expect(ana.conversation).toContainText('recieve → receive')
})

test('[WRITE-9] a key right after a click acts where the click was, whatever others write in between', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const held = await canHoldMessages(ana)
  const path = await openNew(ana, 'Alpha\n\nBeta')
  await ben.page.goto(path)
  await isOpen(ben)
  await clickEndOf(ana, 'Alpha')
  await expect(ben.editor.getByText('Alpha')).toContainText('Ana')
  await clickEndOf(ben, 'Alpha')
  await held.hold()
  await ben.page.keyboard.type('!')
  await expect.poll(held.waiting).toBeGreaterThan(0)
  // In one go: the browser has put the caret, the change comes in, the key arrives; the browser has not yet fired an
  // event for the caret.
  await ana.editor.evaluate((editor) => {
    const beta = editor.querySelectorAll('p')[1]
    getSelection()?.collapse(beta?.firstChild ?? null, 2)
    ;(window as unknown as { deliver: () => void }).deliver()
    const enterKey = { key: 'Enter', code: 'Enter', keyCode: 13, bubbles: true, cancelable: true }
    editor.dispatchEvent(new KeyboardEvent('keydown', enterKey))
  })
  await ben.page.context().close()
  await expect(ana.editor.locator('p')).toHaveText(['Alpha!', 'Be', 'ta'])
})
