import { createModelServer, type ModelScript, type ModelServer } from '@copydesk/agent/testing'
import { expect } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { ask, clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

const comment = (find: string, text: string, replacement?: string) => ({
  toolCall: { name: 'add_comment', arguments: { find, text, ...(replacement === undefined ? {} : { replacement }) } },
})

const markup = '<img src=x onerror="document.title=1"> at **once**'
const script: ModelScript = ({ results }) => {
  if (results.length > 0) return 'I have commented.'
  return {
    chunks: [
      comment('in the near future', 'Say when.', 'in May'),
      comment('as soon as possible', 'Shorter.', markup),
      comment('a cap', 'How much?'),
    ],
  }
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

const text = 'We ship **in the near future**.\n\nTell us as soon as possible.\n\nThere is a cap.'

async function openReviewed(ana: Person): Promise<string> {
  const path = await openNew(ana, text)
  await ask(ana, 'review this')
  await expect(ana.conversation).toContainText('I have commented.')
  await ana.page.getByRole('tab', { name: /^Comments/ }).click()
  return path
}

test('[REV-40] a comment that proposes wording has a button that suggests it, in the name of who clicks', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  const ben = await enter(browser, 'Ben', { origin: server.url })
  const path = await openReviewed(ana)
  await ben.page.goto(path)
  await isOpen(ben)
  await ben.page.getByRole('tab', { name: /^Comments/ }).click()
  const cardOf = (person: Person, words: string) =>
    person.page.getByRole('list', { name: 'Comment threads' }).locator('[data-thread-card]').filter({ hasText: words })
  await expect(cardOf(ana, 'How much?').getByRole('button', { name: 'Apply suggested fix' })).toHaveCount(0)

  const ship = cardOf(ben, 'Say when.')
  await ship.getByRole('button', { name: 'Apply suggested fix' }).click()
  await expect(ana.editor.locator('ins[data-change]')).toHaveText('May')
  await expect(cardOf(ana, 'Say when.').getByRole('button', { name: 'Show the suggestion' })).toBeVisible()
  await expect(ship.getByRole('button', { name: 'Show the suggestion' })).toBeFocused()
  await ship.getByRole('button', { name: 'Show the suggestion' }).click()
  await expect(ben.page.getByRole('region', { name: 'Suggestions' })).toContainText('1 of 1')
  await ben.page.getByRole('button', { name: 'Accept this suggestion' }).click()
  await expect(ana.editor).toContainText('We ship in May.')
  await expect(ship.getByRole('button', { name: 'The text already reads so' })).toBeVisible()
  await expect(ship).not.toContainText('The text is gone')

  // Markup is text: in the card, in the suggestion, and in the document.
  const soon = cardOf(ben, 'Shorter.')
  await expect(soon).toContainText('<img src=x')
  await soon.getByRole('button', { name: 'Apply suggested fix' }).click()
  await expect(ana.editor).toContainText(markup)
  await expect(ana.page.locator('.document-text img:not(.ProseMirror-separator)')).toHaveCount(0)
  await expect(ana.page).not.toHaveTitle('1')
})

test('[REV-40] wording whose text has changed since says that it no longer fits', async ({ browser }) => {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  await openReviewed(ana)
  const card = ana.page.locator('[data-thread-card]').filter({ hasText: 'Say when.' })
  await expect(card.getByRole('button', { name: 'Apply suggested fix' })).toBeVisible()
  await clickEndOf(ana, 'in the near future')
  for (const key of ['ArrowLeft', 'ArrowLeft', 'Backspace']) await ana.page.keyboard.press(key)
  await expect(card.getByRole('button', { name: 'No longer fits: the text has changed' })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Apply suggested fix' })).toHaveCount(0)
  await ana.page.keyboard.type('r')
  await expect(card.getByRole('button', { name: 'Apply suggested fix' })).toBeVisible()
})
