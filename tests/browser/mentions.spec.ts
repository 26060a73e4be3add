import { createModelServer, type ModelServer } from '@copydesk/agent/testing'
import { expect, type Locator } from '@playwright/test'
import * as Y from 'yjs'
import { join, signIn } from '../support/client.ts'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

let model: ModelServer
let server: Copydesk

test.beforeAll(async () => {
  const fix = { toolCall: { name: 'edit_document', arguments: { find: 'teh', replace: 'the' } } }
  model = await createModelServer({
    provider: 'openai',
    script: ({ lastUser, results }) => {
      if (lastUser.includes('for ever')) return { chunks: [{ text: 'Thinking' }, { stall: true }] }
      return results.length > 0 ? 'Fixed it.' : { chunks: [fix] }
    },
  })
  server = await startCopydesk(model.environment)
})
test.afterAll(async () => {
  await server.dispose()
  await model.close()
})

const bell = ({ page }: Person): Locator => page.getByRole('button', { name: /^Notifications/ })
const list = ({ page }: Person): Locator => page.getByRole('dialog', { name: 'Notifications' })
const option = ({ page }: Person, name: RegExp): Locator => page.getByRole('option', { name })

test('people who are mentioned in text, comment and chat find it behind the bell and are led there', async ({
  browser,
}) => {
  const lines = Array.from({ length: 60 }, (_, index) => `Line ${index}`)
  const ana = await enter(browser, 'Ana', { origin: server.url })
  const ben = await enter(browser, 'Ben Okafor', { origin: server.url })
  const path = await openNew(ana, lines.join('\n\n'))
  await clickEndOf(ana, 'Line 55')
  await ana.page.keyboard.type(' see @ok')
  // A person who arrives now is in the open list without another key, and stays there when they leave.
  await ben.page.goto(path)
  await isOpen(ben)
  await expect(option(ana, /Ben Okafor.*here now/)).toBeVisible()
  await ben.page.goto('/')
  await expect(ana.here.getByRole('button', { name: 'Ben Okafor' })).toHaveCount(0)
  await expect(option(ana, /^(?!.*here now).*Ben Okafor/)).toBeVisible()
  await ana.page.keyboard.press('Enter')
  await expect(ana.editor.locator('[data-mention]')).toHaveText('@Ben Okafor')
  await ana.page.keyboard.press('ControlOrMeta+z')
  await expect(ana.editor.locator('[data-mention]')).toHaveCount(0)
  await ana.page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(ana.editor.locator('[data-mention]')).toHaveCount(1)
  // With Caps Lock the key is a small z: a second redo, with nothing to redo, isn't an undo.
  await ana.editor.dispatchEvent('keydown', { key: 'z', code: 'KeyZ', keyCode: 90, ctrlKey: true, shiftKey: true })
  await expect(ana.editor.locator('[data-mention]')).toHaveCount(1)

  await ana.editor.getByText('Line 3', { exact: true }).dblclick({ position: { x: 12, y: 12 } })
  await ana.page.keyboard.press('ControlOrMeta+Alt+m')
  await ana.page.keyboard.type('Right, @be')
  await expect(option(ana, /Ben Okafor/)).toBeVisible()
  await ana.page.keyboard.press('Tab')
  await expect(ana.page.getByRole('textbox', { name: 'Comment' })).toHaveValue('Right, @Ben Okafor ')
  await ana.page.keyboard.press('Enter')
  const comment = ana.page.locator('[data-comment]').filter({ hasText: 'Right,' })
  await expect(comment.locator('.mention')).toHaveText('@Ben Okafor')

  await ana.page.getByRole('tab', { name: 'Chat' }).click()
  await ana.page.getByRole('textbox', { name: 'Message the agent' }).fill('Go on for ever with @Ben Okafor')
  await ana.page.getByRole('textbox', { name: 'Message the agent' }).press('Escape')
  await ana.page.getByRole('button', { name: 'Send' }).click()
  await expect(ana.conversation.locator('.mention')).toHaveText('@Ben Okafor')

  await ben.page.reload()
  await expect(bell(ben)).toHaveAccessibleName('Notifications, 3 unread')
  await bell(ben).click()
  await expect(list(ben).getByRole('listitem')).toHaveCount(3)
  await list(ben)
    .getByRole('link', { name: /mentioned you in the text of/ })
    .click()
  await isOpen(ben)
  await expect(ben.editor.locator('[data-mention]')).toBeInViewport()
  await expect(bell(ben)).toHaveAccessibleName('Notifications, 2 unread')
  await bell(ben).click()
  await list(ben)
    .getByRole('link', { name: /in a comment on/ })
    .click()
  const there = ben.page.locator('[data-comment]').filter({ hasText: 'Right,' })
  await expect(there).toBeInViewport()
  await expect(ben.editor.locator('span[data-thread]')).toBeInViewport()

  // The answer notifies immediately where the document is open, sooner than the page asks; by keyboard alone.
  const thread = ben.page.locator('[data-thread-card]').filter({ hasText: 'Right,' })
  await thread.getByRole('textbox', { name: 'Reply' }).fill('It is.')
  await ben.page.keyboard.press('Enter')
  await expect(bell(ana)).toHaveAccessibleName('Notifications, 1 unread', { timeout: 25_000 })
  await bell(ana).press('Enter')
  await expect(list(ana)).toContainText('It is.')
  await list(ana).getByRole('button', { name: 'Mark all as read' }).press('Enter')
  await expect(bell(ana)).toHaveAccessibleName('Notifications')
  await ana.page.keyboard.press('Escape')
  await expect(bell(ana)).toBeFocused()
  await expect(list(ana)).toHaveCount(0)
})

test('what the agent was asked has a menu, in the text and in comments, by click and by keyboard', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  await openNew(ana, 'It took teh bus')
  await clickEndOf(ana, 'It took teh bus')
  await ana.page.keyboard.type(' @agent fix this')
  await ana.page.keyboard.press('Enter')
  const chip = ana.editor.locator('[data-mention]')
  await expect(chip).toHaveAttribute('data-run-state', 'done')
  await expect(ana.editor).toContainText('It took the bus')
  const item = (name: string) => ana.page.getByRole('menuitem', { name })

  await chip.press('Enter')
  await expect(item('Open answer')).toBeFocused()
  await item('Undo').press('Enter')
  await expect(ana.editor).toContainText('It took teh bus')
  await expect(chip).toBeFocused()
  await chip.click()
  await item('Redo').click()
  await expect(ana.editor).toContainText('It took the bus')
  await chip.click()
  await expect(item('Stop')).toHaveCount(0)
  await expect(item('Show changes')).toBeVisible()
  await item('Open answer').click()
  await expect(ana.conversation).toContainText('Fixed it.')

  await ana.editor.getByText('It took').dblclick({ position: { x: 6, y: 12 } })
  await ana.page.keyboard.press('ControlOrMeta+Alt+m')
  await ana.page.keyboard.type('@agent go on for ever')
  await ana.page.keyboard.press('Enter')
  const asked = ana.page.locator('[data-comment] .mention')
  await expect(asked).toHaveAttribute('data-run-state', 'working')
  await asked.click()
  await item('Stop').click()
  await expect(asked).toHaveAttribute('data-run-state', 'stopped')
})

test('[RUN-23] [RUN-24] a mention that starts nothing says why, and one that others have prepared asks its sender', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  await openNew(ana, 'Words')
  await clickEndOf(ana, 'Words')
  const path = new URL(ana.page.url()).pathname
  const cleo = await signIn(server.url, 'Cleo')
  const peer = await join(server.url, cleo.token, path.split('/').at(-1) ?? '')
  const [block, mention] = [new Y.XmlElement('paragraph'), new Y.XmlElement('mention')]
  const attributes = { id: 'nobody', label: 'nobody', kind: 'agent', requestId: 'in-vain', state: 'sent' }
  for (const [name, value] of Object.entries(attributes)) mention.setAttribute(name, value)
  block.insert(0, [mention, new Y.XmlText(' go')])
  peer.fragment.push([block])
  await peer.saved()
  peer.close()
  const nobody = ana.editor.locator('[data-mention]')
  await expect(nobody).toHaveAttribute('data-run-state', 'unstarted')
  await expect(nobody).toContainText('not started: there is no such agent')

  await clickEndOf(ana, 'Words')
  await ana.page.keyboard.type(' @agent delete teh lot')
  await expect(ana.editor.locator('[data-run-state="draft"]')).toHaveCount(1)
  const ben = await enter(browser, 'Ben', { path, origin: server.url })
  await isOpen(ben)
  await expect(ben.editor.locator('[data-run-state="unstarted"]')).toContainText('not started: there is no such agent')
  await clickEndOf(ben, 'delete teh lot')
  await ben.page.keyboard.press('Enter')
  await ben.editor.locator('[data-run-state="answered"]').click()
  await ben.page.getByRole('menuitem', { name: 'Open answer' }).click()
  await expect(ben.conversation).toContainText('What would you like me to do?')
  await expect(ben.editor).toContainText('delete teh lot')
})

test('authorship is shown on request, stays correct while people write, and viewers see what they may', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  const ben = await enter(browser, 'Ben', { origin: server.url })
  const path = await openNew(ana, 'It took teh bus\n\nBelow')
  await ben.page.goto(path)
  await isOpen(ben)
  await ana.page.getByRole('textbox', { name: 'Message the agent' }).fill('fix the typo')
  await ana.page.getByRole('button', { name: 'Send' }).click()
  await expect(ana.conversation).toContainText('Fixed it.')
  const asked: string[] = []
  ana.page.on('request', (request) => asked.push(new URL(request.url()).pathname))

  await ana.page.getByRole('button', { name: 'Document menu' }).click()
  await ana.page.getByRole('menuitem', { name: 'Show authorship' }).click()
  const bar = ana.page.getByRole('region', { name: 'Authorship' })
  await expect(bar.getByRole('listitem')).toHaveText(['Ana(you)', 'Agent'])
  expect(asked.some((address) => address.endsWith('/authorship'))).toBe(true)
  const byAgent = ana.editor.locator('.authored-agent')
  await expect(byAgent).toHaveText(['he'])
  await byAgent.hover()
  await expect(bar).toContainText('Agent · ')
  await expect(bar).toContainText('Ana asked: “fix the typo”')

  await clickEndOf(ben, 'Below')
  await ben.page.keyboard.type(' by Ben')
  await expect(bar.getByRole('listitem')).toHaveText(['Ana(you)', 'Agent', 'Ben'])
  await expect(ana.editor.locator('.authored-person').last()).toHaveText(' by Ben')
  await clickEndOf(ana, 'by Ben')
  await ana.page.keyboard.type('!')
  await expect(ana.editor.locator('.authored-person').last()).toHaveText('!')
  const hide = bar.getByRole('button', { name: 'Hide authorship' })
  await ana.page.getByRole('button', { name: 'Close panel' }).click()
  await ana.page.setViewportSize({ width: 390, height: 844 })
  const [heading, close] = [await bar.getByRole('heading').boundingBox(), await hide.boundingBox()]
  expect(
    Math.abs((close?.y ?? 0) + (close?.height ?? 0) / 2 - (heading?.y ?? 0) - (heading?.height ?? 0) / 2),
  ).toBeLessThan(4)
  await hide.click()
  await expect(ana.editor.locator('.authored')).toHaveCount(0)
  await expect(ana.editor).toBeFocused()

  await ben.page.route(`**/api/documents/${path.split('/').at(-1)}`, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), role: 'viewer' } })
  })
  await ben.page.reload()
  await expect(ben.page.getByText('You can read along but not write to the agent.')).toBeVisible()
  await expect(ben.page.getByRole('textbox', { name: 'Message the agent' })).toHaveCount(0)
  await ben.page.getByRole('tab', { name: 'Comments' }).click()
  await expect(ben.page.getByText('You can read the comments but not add to them.')).toBeVisible()
})
