import { createModelServer, type ModelScript, type ModelServer } from '@copydesk/agent/testing'
import { type Browser, expect, type Locator } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { ask, clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

const fix = (find: string, replace: string) => ({ toolCall: { name: 'edit_document', arguments: { find, replace } } })

const lookedAway = Promise.withResolvers<void>()

const script: ModelScript = ({ lastUser, results }) => {
  if (lastUser.includes('legal')) return 'It needs **a cap** on the amount.'
  if (lastUser.includes('for ever')) return { chunks: [{ text: 'Thinking about ' }, { stall: true }] }
  if (lastUser.includes('count')) {
    return { chunks: [{ toolCall: { name: 'read_document', arguments: { from: results.length } } }] }
  }
  if (lastUser.includes('Go on')) return 'Counted all of them.'
  if (lastUser.includes('point') && results.length < 4) {
    const call = (name: string, input: Record<string, unknown>) => ({ toolCall: { name, arguments: input } })
    // The second time when Ana has looked away.
    if (results.length > 0) return { chunks: [{ until: lookedAway.promise }, call('scroll_to', { block: 3 })] }
    return {
      chunks: [
        call('read_document', {}),
        call('highlight_text', { search: 'deadline' }),
        call('scroll_to', { block: 62 }),
      ],
    }
  }
  if (results.length > 0) return 'Done with that.'
  return { chunks: [fix('teh', 'the'), fix('recieve', 'receive')] }
}

let model: ModelServer
let server: Copydesk

test.beforeAll(async () => {
  model = await createModelServer({ provider: 'openai', script })
  server = await startCopydesk({ ...model.environment, AGENT_MAX_ROUNDS: '3' })
})
test.afterAll(async () => {
  await server.dispose()
  await model.close()
})

async function openBoth(browser: Browser, markdown: string): Promise<{ ana: Person; ben: Person; path: string }> {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  const ben = await enter(browser, 'Ben', { origin: server.url })
  const path = await openNew(ana, markdown)
  await ben.page.goto(path)
  await expect(ben.editor).toBeVisible()
  await isOpen(ben)
  return { ana, ben, path }
}

const api = (path: string) => `/api/documents/${path.split('/').at(-1)}`
const bar = ({ page }: Person): Locator => page.getByRole('region', { name: 'Suggestions' })
const card = ({ page }: Person): Locator => page.getByRole('region', { name: 'Suggestion', exact: true })
const threads = ({ page }: Person): Locator => page.getByRole('list', { name: 'Comment threads' })
const tab = ({ page }: Person, name: RegExp): Locator => page.getByRole('tab', { name })

async function select(person: Person, text: string): Promise<void> {
  // At its first letters: the block is wider than its words.
  await person.editor
    .getByText(text)
    .first()
    .dblclick({ position: { x: 12, y: 12 } })
}

test('suggested changes show in the text and are decided one by one; the first decision counts', async ({
  browser,
}) => {
  const { ana, ben, path } = await openBoth(browser, 'It took teh bus\n\nI recieve a letter')
  await ana.page.getByRole('radio', { name: 'Suggest', exact: true }).check()
  await ask(ana, 'fix the typos')
  for (const person of [ana, ben]) await expect(bar(person)).toContainText('2 suggestions')
  await expect(ben.editor.locator('del[data-change]').first()).toBeVisible()

  await ben.editor.locator('ins[data-change]').first().hover()
  await expect(card(ben)).toContainText('Agent suggests')
  await expect(card(ben)).toContainText('teh')
  await card(ben).getByRole('button', { name: 'Accept' }).click()
  for (const person of [ana, ben]) {
    await expect(person.editor).toContainText('It took the bus')
    await expect(bar(person)).toContainText('1 suggestion')
  }
  await expect(card(ben)).toHaveCount(0)

  // Ben is a moment earlier than Ana's click reaches the server.
  const { changes } = (await (await ben.page.request.get(`${api(path)}/changes`)).json()) as {
    changes: { id: string }[]
  }
  await ana.page.route('**/changes/*', async (route) => {
    await ben.page.request.post(`${api(path)}/changes/${changes[0]?.id}`, { data: { decision: 'reject' } })
    await route.continue()
  })
  await bar(ana).getByRole('button', { name: 'Next suggestion' }).click()
  await expect(bar(ana)).toContainText('1 of 1')
  await bar(ana).getByRole('button', { name: 'Accept this suggestion' }).click()
  await expect(ana.page.getByText(/^Ben has already rejected/)).toBeVisible()
  for (const person of [ana, ben]) {
    // Ana's caret may be in the word, with her name in Ben's window.
    await expect(person.editor).toContainText(/I rec.*ieve a letter/)
    await expect(bar(person)).toHaveCount(0)
  }
})

test('all changes at once are confirmed first, and what was typed inside of one stays', async ({ browser }) => {
  const { ana, ben, path } = await openBoth(browser, 'A short line')
  const suggest = await ana.page.request.post(`${api(path)}/changes`, {
    data: { quote: 'short', replaceWith: 'considerably longer' },
  })
  expect(suggest.status()).toBe(201)
  await ben.editor.locator('ins[data-change]').last().click()
  await expect(card(ben)).toContainText('Ana suggests')
  await ben.page.keyboard.type('KEPT')
  await expect(ana.editor).toContainText('KEPT')
  expect(await (await ana.page.request.get(`${api(path)}/changes`)).text()).not.toContain('alsoBy')
  await bar(ana).getByRole('button', { name: 'Reject all' }).click()
  const dialog = ana.page.getByRole('dialog', { name: /Reject/ })
  await dialog.getByRole('button', { name: 'Reject all' }).click()
  for (const person of [ana, ben]) {
    await expect(bar(person)).toHaveCount(0)
    await expect(person.editor).toContainText('KEPT')
    await expect(person.editor).toContainText('short')
    await expect(person.editor).not.toContainText('considerably')
  }
})

test('a replacement that is cut and pasted is still one, with the name of the person who did that', async ({
  browser,
}) => {
  const { ana, ben, path } = await openBoth(browser, 'A short line\n\nBelow')
  const suggest = await ana.page.request.post(`${api(path)}/changes`, {
    data: { quote: 'short', replaceWith: 'longer' },
  })
  expect(suggest.status()).toBe(201)
  await expect(ana.editor.locator('del[data-change]')).toHaveText('short')
  await ana.editor.locator('ins[data-change]').click()
  await ana.page.keyboard.press('Home')
  await ana.page.keyboard.press('Shift+End')
  await ana.page.keyboard.press('ControlOrMeta+x')
  await expect(ben.editor.locator('[data-change]')).toHaveCount(0)
  await clickEndOf(ana, 'Below')
  await ana.page.keyboard.press('ControlOrMeta+v')
  for (const person of [ana, ben]) {
    await expect(person.editor.locator('del[data-change]')).toHaveText('short')
    await expect(person.editor.locator('ins[data-change]')).toHaveText('longer')
    await expect(person.editor.locator('s')).toHaveCount(0)
  }
  await bar(ben).getByRole('button', { name: 'Accept all' }).click()
  await ben.page
    .getByRole('dialog', { name: /Accept/ })
    .getByRole('button', { name: 'Accept all' })
    .click()
  for (const person of [ana, ben]) await expect(person.editor).toContainText('BelowA longer line')

  await ben.page.request.post(`${api(path)}/changes`, { data: { quote: 'longer', replaceWith: 'thin' } })
  await ana.editor.locator('ins[data-change]').click()
  for (const key of ['Home', 'Shift+End', 'ControlOrMeta+x', 'ControlOrMeta+v']) await ana.page.keyboard.press(key)
  await ben.editor.locator('ins[data-change]').click()
  await expect(card(ben)).toContainText('Ben suggests')
  await expect(card(ben)).toContainText('Also written by Ana')
})

test('a comment on selected text is seen, found, answered, resolved and opened again', async ({ browser }) => {
  const { ana, ben } = await openBoth(browser, 'Before\n\nbudget')
  await select(ana, 'budget')
  await ana.page.getByRole('toolbar', { name: 'Selected text' }).getByRole('button', { name: 'Comment' }).click()
  await ana.page.getByRole('textbox', { name: 'Comment' }).fill('How much?')
  await ana.page.keyboard.press('Enter')
  await expect(threads(ana)).toContainText('How much?')
  await expect(ana.editor).toBeFocused()
  await expect(ana.editor.locator('span[data-thread]')).toHaveText('budget')

  await expect(tab(ben, /Comments/)).toContainText('1')
  await ben.editor.locator('span[data-thread]').click()
  const thread = threads(ben).getByRole('listitem').filter({ hasText: 'budget' }).first()
  await expect(thread).toHaveAttribute('aria-current', 'true')
  await thread.getByRole('textbox', { name: 'Reply' }).fill('Fifty.')
  await thread.getByRole('button', { name: 'Reply' }).click()
  await expect(threads(ana)).toContainText('Fifty.')

  const color = () =>
    ana.editor.locator('span[data-thread]').evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await color()).not.toBe('rgba(0, 0, 0, 0)')
  await threads(ana).getByRole('button', { name: 'Resolve' }).press('Enter')
  await expect(ben.page.getByRole('button', { name: 'Open 0' })).toBeVisible()
  await expect(threads(ana)).toBeFocused()
  await expect.poll(color).toBe('rgba(0, 0, 0, 0)')
  await ben.page.getByRole('button', { name: 'Resolved 1' }).click()
  await threads(ben).getByRole('button', { name: 'Reopen' }).click()
  await expect.poll(color).not.toBe('rgba(0, 0, 0, 0)')
})

test('[REV-41] [REV-42] [REV-43] [REV-44] people change, delete, link to and react to comments; a reply’s draft survives a reload', async ({
  browser,
}) => {
  const { ana, ben, path } = await openBoth(browser, 'Before\n\nbudget')
  await ana.page.request.post(`${api(path)}/threads`, { data: { quote: 'budget', text: 'How mcuh?' } })
  await tab(ana, /Comments/).click()
  await tab(ben, /Comments/).click()
  const commentOf = (person: Person) => threads(person).locator('[data-comment]').first()
  const choose = async (person: Person, name: string) => {
    await commentOf(person).getByRole('button', { name: 'Actions for the comment by Ana' }).click()
    await person.page.getByRole('menuitem', { name }).click()
  }
  // The name of an author has the room of buttons that aren't shown.
  const widthOfName = async () => (await commentOf(ben).getByText('Ana', { exact: true }).boundingBox())?.width ?? 0
  const width = await widthOfName()
  await commentOf(ben).hover()
  await expect.poll(widthOfName).toBeLessThan(width - 40)
  await choose(ana, 'Edit')
  const field = ana.page.getByRole('textbox', { name: 'Edit comment' })
  await expect(field).toHaveValue('How mcuh?')
  await field.fill('How much')
  await ana.page.reload()
  await tab(ana, /Comments/).click()
  await expect(field).toHaveValue('How much')
  await field.fill('How much?')
  await field.press('Enter')
  await expect(commentOf(ben)).toContainText('How much?')
  await expect(commentOf(ben)).toContainText('edited')

  await commentOf(ben).getByRole('button', { name: 'React to the comment by Ana' }).click()
  await ben.page.getByRole('button', { name: 'Party' }).click()
  await commentOf(ana).getByRole('button', { name: 'Party: 1' }).click()
  await expect(commentOf(ben).getByRole('button', { name: 'Party: 2' })).toHaveAttribute('aria-pressed', 'true')

  await commentOf(ben).getByRole('button', { name: 'Actions for the comment by Ana' }).click()
  await expect(ben.page.getByRole('menuitem')).toHaveText(['Copy link', 'Delete…'])
  await ben.page.keyboard.press('Escape')
  await choose(ana, 'Delete…')
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  for (const person of [ana, ben]) {
    await expect(person.page.locator('[data-comment]')).toHaveCount(0)
    await expect(person.editor.locator('span[data-thread]')).toHaveCount(0)
  }
})

test('by keyboard alone: a comment that calls the agent, whose answer is a reply', async ({ browser }) => {
  const { ana, ben } = await openBoth(browser, 'Pay $50k')
  await clickEndOf(ana, 'Pay $50k')
  await ana.page.keyboard.press('Shift+Home')
  await ana.page.keyboard.press('ControlOrMeta+Alt+m')
  await expect(ana.page.getByRole('textbox', { name: 'Comment' })).toBeFocused()
  await ana.page.keyboard.type('@agent any legal issues?')
  await ana.page.keyboard.press('Enter')
  await expect(threads(ana)).toContainText('It needs a cap on the amount.')
  await expect(threads(ana).locator('strong')).toHaveText('a cap')
  await tab(ben, /Comments/).click()
  await expect(threads(ben)).toContainText('It needs a cap')

  await threads(ben).getByRole('button', { name: 'Reply' }).click()
  await ben.page.keyboard.type('@agent go on for ever')
  await ben.page.keyboard.press('Enter')
  await threads(ana).getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(threads(ana).getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
})

test('a draft of a comment survives looking elsewhere, and a text that is gone is said to be', async ({ browser }) => {
  const { ana } = await openBoth(browser, 'Stays\n\nleaves')
  await select(ana, 'leaves')
  await ana.page.keyboard.press('ControlOrMeta+Alt+m')
  await expect(ana.page.getByRole('textbox', { name: 'Comment' })).toBeFocused()
  await ana.page.keyboard.type('Why')
  await ana.page.keyboard.press('Escape')
  await select(ana, 'leaves')
  await ana.page.keyboard.press('ControlOrMeta+Alt+m')
  await expect(ana.page.getByRole('textbox', { name: 'Comment' })).toHaveValue('Why')
  await ana.page.keyboard.press('Enter')
  await expect(threads(ana)).toContainText('Why')
  await select(ana, 'leaves')
  await ana.page.keyboard.press('Delete')
  await expect(threads(ana)).toContainText('The text is gone')
})

test('[LAYOUT-13] undo takes back what my agent did, until I type; a notice stays while the pointer is on it', async ({
  browser,
}) => {
  const { ana, ben } = await openBoth(browser, 'It took teh bus. I recieve it')
  await ask(ana, 'fix the typos')
  await expect(ana.conversation).toContainText('Done with that.')
  await expect(ana.editor).toContainText('It took the bus. I receive it')
  // Ben's own undo does not revert Ana's run.
  await clickEndOf(ben, 'It took')
  await ben.page.keyboard.press('ControlOrMeta+z')
  await ben.page.keyboard.type('!')
  // What comes after Ana's caret would have its label between the words.
  await expect(ana.editor).toContainText('I receive it!')
  await clickEndOf(ana, 'It took')
  await ana.page.clock.install()
  await ana.page.keyboard.press('ControlOrMeta+z')
  const toast = ana.page.getByText('Undone.')
  // With the pointer on it, it disappears only when there is nothing to redo.
  await toast.hover()
  await ana.page.clock.fastForward(20_000)
  for (const person of [ana, ben]) await expect(person.editor).toContainText('It took teh bus. I recieve it!')
  await expect(ana.conversation).toContainText('Undone')
  await expect(toast).toBeVisible()
  await ana.page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(ben.editor).toContainText('It took the bus. I receive it!')
  await expect(toast).toHaveCount(0)
  await ana.page.keyboard.press('ControlOrMeta+z')
  await ana.page.locator('[aria-live] button', { hasText: 'Redo' }).click()
  await expect(ben.editor).toContainText('It took the bus. I receive it!')

  await ana.page.keyboard.press('End')
  await clickEndOf(ana, 'It took')
  await ana.page.keyboard.type('?')
  await ana.page.keyboard.press('ControlOrMeta+z')
  await expect(ana.editor).not.toContainText('?')
  await expect(ben.editor).not.toContainText('?')
  await expect(ben.editor).toContainText('I receive it!')

  await ana.conversation.locator('.ap-work > summary').last().click()
  const step = ana.conversation.getByRole('listitem').filter({ hasText: 'recieve → receive' }).last()
  await step.getByRole('button', { name: 'Undo this step' }).click()
  for (const person of [ana, ben]) await expect(person.editor).toContainText('It took the bus. I recieve it!')
})

test('[CHAT-8] what the agent asks for is approved as it is mended, or rejected with a reason', async ({ browser }) => {
  const { ana, ben } = await openBoth(browser, 'It took teh bus. I recieve it')
  const waiting = ({ page }: Person) => page.getByRole('list', { name: 'Proposed changes' }).getByRole('listitem')
  // The mode that Ana chooses reaches the server long after her message.
  const saved = ana.page.waitForResponse((response) => response.request().method() === 'PATCH')
  await ana.page.route('**/api/documents/*', async (route) => {
    if (route.request().method() === 'PATCH') await waiting(ana).first().waitFor()
    await route.continue()
  })
  await ana.page.getByRole('radio', { name: 'Ask', exact: true }).check()
  await ask(ana, 'fix the typos')
  await expect(waiting(ben)).toHaveCount(2)
  expect((await saved).status()).toBe(200)
  await expect(ana.editor).toContainText('It took teh bus. I recieve it')
  const first = waiting(ana).filter({ hasText: 'teh' }).first()
  await first.getByRole('button', { name: 'Edit' }).click()
  await first.getByRole('textbox').fill('THE')
  await first.getByRole('button', { name: 'Approve this text' }).click()
  const second = waiting(ben).filter({ hasText: 'recieve' }).last()
  await second.getByRole('button', { name: 'Reject' }).click()
  await second.getByRole('textbox').fill('It is a name')
  await second.getByRole('button', { name: 'Reject' }).click()
  for (const person of [ana, ben]) {
    await expect(person.editor).toContainText('It took THE bus. I recieve it')
    await expect(person.conversation).toContainText('Approved by Ana')
    await expect(person.conversation).toContainText('Rejected by Ben: It is a name')
  }
})

test('the agent points: a highlight for all, and only its caller’s view goes there, until they scroll', async ({
  browser,
}) => {
  const lines = Array.from({ length: 70 }, (_, index) => `Line ${index}${index === 62 ? ' deadline' : ''}`)
  const { ana, ben } = await openBoth(browser, lines.join('\n\n'))
  const top = ({ page }: Person) => page.locator('[data-scroller]').evaluate((element) => element.scrollTop)
  await ask(ana, 'point at it')
  for (const person of [ana, ben]) await expect(person.editor.locator('[data-highlight]')).toHaveText('deadline')
  await expect.poll(() => top(ana)).toBeGreaterThan(500)
  // A user who scrolls is no longer scrolled for the rest of the run.
  const far = await top(ana)
  await ana.editor.getByText('Line 62').hover()
  await ana.page.mouse.wheel(0, -120)
  await expect.poll(() => top(ana)).toBe(far - 120)
  lookedAway.resolve()
  await expect(ana.conversation).toContainText('Done with that.')
  expect(await top(ana)).toBe(far - 120)
  expect(await top(ben)).toBe(0)
  await ben.editor.locator('[data-highlight]').click()
  for (const person of [ana, ben]) await expect(person.editor.locator('[data-highlight]')).toHaveCount(0)
})

test('a run that reached its limit continues on request', async ({ browser }) => {
  const { ana, ben } = await openBoth(browser, 'one\n\ntwo\n\nthree\n\nfour\n\nfive')
  await ask(ana, 'count the lines')
  await expect(ben.conversation).toContainText('Stopped at its limit')
  await ben.conversation.getByRole('button', { name: 'Continue' }).click()
  for (const person of [ana, ben]) {
    await expect(person.conversation).toContainText('Counted all of them.')
    await expect(person.conversation.getByRole('button', { name: 'Continue' })).toHaveCount(0)
  }
})
