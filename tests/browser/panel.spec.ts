import { createModelServer, type ModelScript, type ModelServer } from '@copydesk/agent/testing'
import { type Browser, expect, type Page } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { findings } from './findings.ts'
import { ask, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

const edit = (find: string, replace: string) => ({ toolCall: { name: 'edit_document', arguments: { find, replace } } })
const read = { toolCall: { name: 'read_document', arguments: {} } }
let failures = 0

const script: ModelScript = ({ lastUser, results }) => {
  if (lastUser.includes('overload')) {
    // The loop itself tries three times.
    failures += 1
    return failures <= 3 ? { error: { status: 529, message: '{"type":"overloaded_error"}' } } : 'Back again.'
  }
  if (lastUser.includes('fees')) {
    const call = (name: string, input: object) => ({ toolCall: { name, arguments: { ...input } } })
    const parts = ['Look for fees', 'Comment', 'Say what is left', 'Tell'].map((text, index) => ({
      text,
      state: index === 0 ? 'done' : index === 1 ? 'doing' : 'open',
    }))
    if (results.length === 0) return { chunks: [call('update_plan', { items: parts })] }
    return { chunks: [{ text: 'Thinking about it ' }, { stall: true }] }
  }
  if (lastUser.includes('selected')) return 'Nothing to improve.'
  if (results.length === 0) return { chunks: [{ text: 'I look at the text first.' }, read] }
  if (results.length === 1) {
    return {
      chunks: [
        { text: 'Two words are **misspelt**.' },
        edit('thier', 'their'),
        edit('teh', 'the'),
        edit('unicorn', 'horse'),
      ],
    }
  }
  return '- thier → their\n- teh → the'
}

let model: ModelServer
let server: Copydesk
test.beforeAll(async () => {
  model = await createModelServer({ provider: 'openai', script })
  server = await startCopydesk(model.environment)
})
test.afterAll(async () => {
  await server.dispose()
  await model.close()
})

async function openBoth(browser: Browser): Promise<{ ana: Person; ben: Person; path: string }> {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  const ben = await enter(browser, 'Ben', { origin: server.url })
  const path = await openNew(ana, '# Plan\n\nThey bring thier lamps on teh bus.\n\nThe end.')
  await ben.page.goto(path)
  await isOpen(ben)
  return { ana, ben, path }
}

const mode = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })

test('[CHAT-5] an answer is shown, its steps unfold from one line, changes are marked in the text, and a failure is shown and retried', async ({
  browser,
}) => {
  const { ana, ben } = await openBoth(browser)
  await ask(ana, 'fix the typos')
  for (const { conversation } of [ana, ben]) {
    await expect(conversation).toContainText('teh → the')
    await expect(conversation.locator('[data-run]').last()).toContainText(
      /teh → the[\s\S]*I look at the text first\.[\s\S]*Read the document[\s\S]*Two words are misspelt\.[\s\S]*thier → their[\s\S]*3 of 8 rounds/,
    )
  }
  // The answer is shown, the way to it in one line that opens.
  const work = ben.conversation.locator('summary').filter({ hasText: '4 steps · 2 changes' })
  const steps = ben.conversation.getByRole('list', { name: 'Steps' })
  await expect(ben.conversation.getByText('I look at the text first.')).toBeHidden()
  await expect(ben.conversation.getByText('3 of 8 rounds')).toBeHidden()
  await work.click()
  await expect(ben.conversation.getByText('3 of 8 rounds')).toBeVisible()
  expect(await findings(ben.page, 'an answer', '.ap')).toEqual([])
  const reading = steps.getByRole('listitem').filter({ hasText: 'Read the document' })
  await expect(reading.getByRole('group', { name: 'What it read' })).toBeHidden()
  await reading.locator('summary').click()
  await expect(reading.getByRole('group', { name: 'What it read' })).toContainText('They bring thier lamps')
  const changing = steps.getByRole('listitem').filter({ hasText: 'thier → their' })
  await changing.locator('summary').click()
  await expect(changing.locator('del')).toHaveText('thier')
  const failed = steps.getByRole('listitem').filter({ hasText: 'unicorn' })
  await failed.locator('summary').click()
  await expect(failed).toContainText('Hint for the agent')

  // A block is found though its words have been edited since.
  await ana.editor.getByText('They bring').click({ position: { x: 3, y: 10 } })
  await ana.page.keyboard.press('Home')
  for (let step = 0; step < 4; step++) await ana.page.keyboard.press('ArrowRight')
  await ana.page.keyboard.type(' all')
  await expect(ben.editor).toContainText(/They all/)
  const marked = ben.editor.locator('.changed-block')
  const text = /^They all(?:\u2060Ana\u2060)? bring their lamps on the bus\.$/
  await ben.conversation.getByRole('button', { name: 'Show changes' }).click()
  await expect(marked).toHaveText(text)
  await expect(ana.editor.locator('.changed-block')).toHaveCount(0)
  // The mark stays with its block while another user types.
  await ana.editor.getByText('Plan').click()
  await ana.page.keyboard.type('Our ')
  await expect(ben.editor).toContainText(/Our/)
  await expect(marked).toHaveText(text)
  await ana.conversation.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(marked).toHaveCount(0)
  await expect(ben.conversation).toContainText('Undone')

  await ask(ana, 'overload')
  await expect(ben.conversation).toContainText('The model service is overloaded. Try again.')
  await expect(ben.conversation).not.toContainText('{')
  await ben.conversation.getByRole('button', { name: 'Try again' }).click()
  await expect(ana.conversation).toContainText('Back again.')
  await expect(ana.conversation.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})

test('[RUN-26] the line of a run in progress has an icon for its action, and the part of its plan', async ({
  browser,
}) => {
  const { ana } = await openBoth(browser)
  await ask(ana, 'what about the fees?')
  const line = ana.conversation.locator('.ap-going')
  await expect(line).toContainText('Thinking… · 2 of 4')
  await expect(line.locator('[data-activity="spark"] svg')).toBeVisible()
  await line.getByRole('button', { name: 'Stop' }).click()
  await expect(line).toHaveCount(0)
})

test('[APP-19] one card asks for all changes of an answer; what one was editing isn’t lost when another decides first', async ({
  browser,
}) => {
  const { ana, ben } = await openBoth(browser)
  await mode(ana.page, 'Ask').check()
  await expect(mode(ben.page, 'Ask')).toBeChecked()
  await expect(ben.page.getByRole('group', { name: 'What the agent does' })).toHaveAccessibleDescription(
    'Asks before each change',
  )
  await ben.page.getByRole('button', { name: 'Close panel' }).click()
  await ask(ana, 'fix the typos')

  const card = ({ page }: Person) => page.getByRole('region', { name: 'wants to make 2 changes' })
  const proposed = card(ana).getByRole('list', { name: 'Proposed changes' }).getByRole('listitem')
  await expect(proposed).toHaveCount(2)
  // The change and the buttons of each keep their distance, and a line is between the two only. The title says the same
  // as the change, and is only for screen readers.
  const looks = await proposed.evaluateAll((items) =>
    items.map((item) => {
      const shown = [...item.children].filter((part) => getComputedStyle(part).position !== 'absolute')
      const parts = shown.map((part) => part.getBoundingClientRect())
      const gaps = parts.slice(1).map(({ top }, index) => Math.round(top - (parts[index]?.bottom ?? 0)))
      return { gaps, line: getComputedStyle(item).borderTopWidth }
    }),
  )
  expect(looks).toEqual([
    { gaps: [8], line: '0px' },
    { gaps: [8], line: '1px' },
  ])
  const toast = ben.page.getByText('The agent waits for your approval.')
  await expect(toast).toBeVisible()
  await ben.page.reload()
  await isOpen(ben)
  await expect(card(ben)).toBeVisible()

  // The text goes from under the proposals, and comes back.
  await ben.editor.click()
  await ben.page.keyboard.press('ControlOrMeta+a')
  await ben.page.keyboard.press('Backspace')
  await expect(card(ana).getByText('this no longer fits')).toHaveCount(2)
  await ben.page.keyboard.press('ControlOrMeta+z')
  await expect(card(ana).getByText('this no longer fits')).toHaveCount(0)

  const first = card(ana).getByRole('listitem').filter({ hasText: 'thier' })
  await first.getByRole('button', { name: 'Edit' }).click()
  const mended = first.getByRole('textbox', { name: 'Text that the agent may write' })
  const approveAll = card(ana).getByRole('button', { name: 'Approve all' })
  await mended.fill('')
  // It would be made with the text that was taken out.
  await expect(approveAll).toHaveAccessibleDescription('Write a text first, or reject the change.')
  await expect(approveAll).toHaveAttribute('aria-disabled', 'true')
  await mended.fill('THEIR')
  await expect(approveAll).not.toHaveAttribute('aria-disabled')
  await ana.page.reload()
  await isOpen(ana)
  await expect(first.locator('ins')).toHaveText('THEIR')
  await expect(first.getByRole('button', { name: 'Approve this text' })).toBeVisible()
  await card(ben).getByRole('button', { name: 'Reject all' }).click()
  await card(ben).getByRole('textbox').fill('These are names')
  await card(ben).getByRole('button', { name: 'Reject all' }).click()
  for (const person of [ana, ben]) {
    await expect(card(person)).toHaveCount(0)
    const rejected = person.conversation.locator('[data-tool="edit_document"]').filter({ hasText: 'thier → their' })
    await expect(rejected).toContainText('Rejected by Ben: These are names')
  }
  const kept = ana.conversation.getByRole('status')
  await expect(kept).toContainText('decided while you were editing')
  await expect(kept).toContainText('THEIR')
  await kept.getByRole('button', { name: 'Discard' }).click()
  await expect(kept).toHaveCount(0)
  await expect(ana.editor).toContainText('They bring thier lamps on teh bus.')
})

test('[CHAT-6] the selection is shown in the panel, stays in the text and is sent along; suggestions are decided under the answer', async ({
  browser,
}) => {
  const { ana, ben } = await openBoth(browser)
  const box = ana.page.getByRole('textbox', { name: 'Message the agent' })
  await expect(box).toHaveAttribute('placeholder', 'Ask the agent, or select text first')
  const place = await box.boundingBox()
  await ana.editor.getByText('The end.').click({ clickCount: 3 })
  const selected = ana.page.getByRole('group', { name: 'Selected text' })
  await expect(selected).toContainText('2 words selected')
  await expect(selected).toContainText('The end.')
  await expect(ana.page.getByRole('button', { name: 'Examples after this' })).toBeVisible()
  // What comes and goes above the box moves nothing.
  expect(await box.boundingBox()).toEqual(place)
  await ana.page.getByRole('textbox', { name: 'Message the agent' }).click()
  await expect(ana.editor.locator('.kept-selection')).toHaveText('The end.')
  const requests = model.requests.length
  await ana.page.getByRole('button', { name: 'Improve', exact: true }).click()
  await expect(ben.conversation).toContainText('Nothing to improve.')
  expect(JSON.stringify(model.requests[requests])).toContain('The end.')
  await selected.getByRole('button', { name: 'Clear the selection' }).click()
  await expect(selected).toHaveCount(0)
  await expect(ana.page.getByRole('button', { name: 'Find typos' })).toBeVisible()

  await mode(ben.page, 'Suggest').check()
  await expect(mode(ana.page, 'Suggest')).toBeChecked()
  // Another user reverts it to the value before Ben's choice.
  await mode(ana.page, 'Edit').check()
  await expect(mode(ben.page, 'Edit')).toBeChecked()
  await mode(ana.page, 'Suggest').check()
  await expect(mode(ben.page, 'Suggest')).toBeChecked()
  await ask(ana, 'fix the typos')
  await expect(ben.conversation.getByRole('button', { name: 'Accept 2 suggestions' })).toBeVisible()
  await ben.conversation.getByRole('button', { name: 'Accept 2 suggestions' }).click()
  for (const person of [ana, ben]) {
    await expect(person.editor).toContainText('They bring their lamps on the bus.')
    await expect(person.editor.locator('[data-change]')).toHaveCount(0)
    await expect(person.conversation.getByRole('button', { name: /suggestions/ })).toHaveCount(0)
  }
})

test('[CHAT-2, CHAT-3, CHAT-4] a new conversation begins without the earlier ones, which a list leads to; an answer is copied', async ({
  browser,
}) => {
  const { ana, ben } = await openBoth(browser)
  await ana.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await ask(ana, 'fix the typos')
  for (const { conversation } of [ana, ben]) await expect(conversation.locator('[data-tone="good"]')).toBeVisible()
  await ana.conversation.getByRole('button', { name: 'Copy the answer' }).click()
  await expect(ana.conversation.getByRole('button', { name: 'Copied' })).toBeFocused()
  expect(await ana.page.evaluate(() => navigator.clipboard.readText())).toBe('- thier → their\n- teh → the')

  const box = ana.page.getByRole('textbox', { name: 'Message the agent' })
  await box.fill('An unsent message')
  await ana.page.getByRole('button', { name: 'New chat' }).click()
  await expect(box).toBeFocused()
  await expect(ana.conversation.locator('li')).toHaveCount(0)
  await ana.page.reload()
  await isOpen(ana)
  await expect(box).toHaveValue('An unsent message')
  await ana.page.getByRole('button', { name: 'New chat' }).click()
  const requests = model.requests.length
  await ask(ana, 'is this selected?')
  await expect(ana.conversation).toContainText('Nothing to improve.')
  expect(JSON.stringify(model.requests[requests])).not.toContain('fix the typos')
  await expect(ana.conversation).not.toContainText('fix the typos')

  // Ben stays where he was, and finds the other one in the list.
  await expect(ben.conversation).toContainText('fix the typos')
  await ben.page.getByRole('button', { name: 'earlier chats' }).click()
  const chats = ben.page.getByRole('navigation', { name: 'Chats' }).getByRole('listitem')
  await expect(chats).toHaveText([/^is this selected\?/, /^fix the typos/])
  expect(await findings(ben.page, 'the list of chats', '.ap')).toEqual([])
  await chats.first().getByRole('button').press('Enter')
  await expect(ben.conversation).toContainText('Nothing to improve.')
  await expect(ben.page.getByRole('button', { name: /^is this selected\?.*earlier chats$/ })).toBeFocused()
  await ask(ben, 'selected again')
  await expect(ana.conversation.locator('[data-run]')).toHaveCount(2)
})
