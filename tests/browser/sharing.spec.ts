import type { LinkRole } from '@copydesk/protocol'
import type { Browser, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { findings } from './findings.ts'
import { clickEndOf, isOpen, openNew, type Person, personAt, signUp, signUpOperator } from './people.ts'
import { test } from './test.ts'
import { openWindow } from './windows.ts'

/** Pushed by the server, not found by polling, which takes half a minute. The server's tests check the exact delay. */
const soon = { timeout: 25_000 }

let server: Copydesk

test.beforeEach(async () => {
  server = await startCopydesk({ AUTH: 'accounts' })
})
test.afterEach(() => server.dispose())

/** The first account, and others that it invites. */
async function signUpAll<Names extends string[]>(browser: Browser, ...others: Names): Promise<Person[]> {
  const ana = await signUpOperator(browser, server)
  const people = [ana]
  for (const name of others) {
    people.push(await signUp(browser, await invite(ana, `${name.toLowerCase()}@example.org`), name))
  }
  return people
}

/** A link that makes an account: for an address, which it confirms, or for any holder. */
async function invite({ page }: Person, email?: string): Promise<string> {
  const invited = await page.request.post('/api/auth/invitations', { data: email === undefined ? {} : { email } })
  return ((await invited.json()) as { url: string }).url
}

/** Chooses an option of a select. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

/** Makes a link in the share dialog, which stays open. */
async function makeLink({ page }: Person, role: LinkRole): Promise<string> {
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await choose(page, 'Role by the link', { viewer: 'can view', commenter: 'can comment', editor: 'can edit' }[role])
  await page.getByRole('button', { name: 'Create link' }).click()
  return shownLink(page)
}

/** The address of the newest link in the share dialog. */
function shownLink(page: Page): Promise<string> {
  return page.getByRole('region', { name: 'Links' }).getByText('/s/').first().innerText()
}

/** Keeps back what this page sends, once `hold` is called. */
async function keepBack({ page }: Person): Promise<{ hold(): void }> {
  let isHeld = false
  await page.routeWebSocket(/\/collab/, (socket) => {
    const upstream = socket.connectToServer()
    socket.onMessage((message) => void (isHeld || upstream.send(message)))
  })
  return { hold: () => void (isHeld = true) }
}

test('[RIGHT-9] [RIGHT-10] a link lets a viewer in, a raised role counts at once, and who is taken out keeps the words that were not sent', async ({
  browser,
}) => {
  const [ana, ben] = (await signUpAll(browser, 'Ben')) as [Person, Person]
  await ben.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const line = await keepBack(ben)
  await openNew(ana, 'Shared words')
  const link = await makeLink(ana, 'viewer')
  expect(await findings(ana.page, 'the share dialog')).toEqual([])

  await ben.page.goto(link)
  await expect(ben.editor).toContainText('Shared words')
  await expect(ben.page.getByRole('banner').getByText('Viewer')).toBeVisible()
  await expect(ben.page.getByText('You can read this document but not edit it.')).toBeVisible()
  await expect(ben.editor).toHaveAttribute('aria-readonly', 'true')

  const guest = personAt('Gus', ben.context, (await openWindow(browser, { origin: server.url })).page)
  await guest.page.goto(link)
  await guest.page.getByLabel('Your name').fill('Gus')
  await guest.page.getByRole('button', { name: 'Continue as a guest' }).click()
  await expect(guest.editor).toContainText('Shared words')

  await choose(ana.page, 'Role of Ben', 'Editor')
  await expect(ben.editor).toHaveAttribute('aria-readonly', 'false', soon)
  await clickEndOf(ben, 'Shared words')
  await ben.page.keyboard.type(' by two')
  await expect(ana.page.locator('.document-text')).toContainText('Shared words by two')
  await expect(ben.saved).toHaveText(/^Saved/)

  line.hold()
  await ben.page.keyboard.type(' and more')
  await choose(ana.page, 'Role of Ben', 'Remove')
  const banner = ben.page.getByRole('alert')
  await expect(banner).toContainText('isn’t shared with you any more', soon)
  await expect(ben.editor).toHaveAttribute('aria-readonly', 'true')
  await ben.editor.press('ControlOrMeta+z')
  await banner.getByRole('button', { name: 'Copy the text' }).click()
  await expect(ben.page.getByText('Text copied.')).toBeVisible()
  expect(await ben.page.evaluate(() => navigator.clipboard.readText())).toContain('by two and more')
  await expect(ana.page.locator('.document-text')).not.toContainText('and more')

  await ana.page.getByRole('button', { name: 'Revoke the viewer link by Ana' }).click()
  await expect(guest.page.getByRole('heading', { name: 'You no longer have access to this document' })).toBeVisible(
    soon,
  )
  await guest.page.goto(link)
  await expect(guest.page.getByRole('heading', { name: 'This link can’t be opened' })).toBeVisible()
})

test('[RIGHT-11] [RIGHT-15] [ACC-20] a person with an unconfirmed address is let in, suggests through a form, and an editor accepts it', async ({
  browser,
}) => {
  const ana = (await signUpAll(browser))[0]!
  const cy = await signUp(browser, await invite(ana), 'Cy')
  const path = await openNew(ana, 'The garden opens in April.')
  await ana.page.getByRole('button', { name: 'Share', exact: true }).click()
  await ana.page.getByLabel('Add people').fill('cy@example.org')
  await choose(ana.page, 'Role of the added people', 'Commenter')
  await ana.page.getByRole('button', { name: 'Add', exact: true }).click()
  const members = ana.page.getByRole('list', { name: 'People with access' })
  await expect(members).toContainText('Cy uses this address, which is not confirmed')
  expect((await cy.page.request.get(path.replace('/d/', '/api/documents/'))).status()).toBe(404)
  await members.getByRole('button', { name: 'Let Cy in' }).press('Enter')
  const row = members.getByRole('listitem').filter({ has: ana.page.getByLabel('Role of Cy') })
  await expect(row.getByLabel('Role of Cy')).toHaveText('Commenter')
  await expect(row).toContainText('Address not confirmed')
  await expect(members.getByText('Address not confirmed')).toHaveCount(1)
  await expect(members.getByRole('button', { name: 'Let Cy in' })).toHaveCount(0)
  await expect(members).toBeFocused()
  expect(await findings(ana.page, 'members')).toEqual([])
  await ana.page.keyboard.press('Escape')

  await cy.page.goto(path)
  await expect(cy.editor).toContainText('April')
  await isOpen(cy)
  const suggest = cy.page.getByRole('region', { name: 'Selected text' }).getByRole('button', { name: 'Suggest' })
  // A double click on a page that is still settling selects nothing.
  await expect(async () => {
    await cy.editor.getByText('The garden').dblclick({ position: { x: 50, y: 8 } })
    await expect(suggest).toBeVisible({ timeout: 2000 })
  }).toPass()
  await suggest.click()
  const form = cy.page.getByRole('region', { name: 'Suggest a change' })
  await expect(form.getByLabel('Suggest instead')).toHaveValue('garden')
  await form.getByLabel('Suggest instead').fill('')
  await expect(form.getByLabel('Suggest instead')).toHaveValue('')
  await form.getByLabel('Suggest instead').fill('orchard')
  expect(await findings(cy.page, 'suggesting')).toEqual([])
  await form.getByRole('button', { name: 'Suggest', exact: true }).click()
  await expect(cy.editor).toContainText('orchard')
  await isOpen(ana)
  await expect(ana.editor).toContainText('orchard')
  const changes = await ana.page.request.get(`/api/documents/${path.split('/').at(-1)}/changes`)
  expect(await changes.json()).toMatchObject({
    changes: [{ before: 'garden', after: 'orchard', author: { name: 'Cy' } }],
  })
})

test('[WRITE-12] a commenter selects and comments by keyboard, and none of their actions changes the text', async ({
  browser,
}) => {
  const [ana, cy] = (await signUpAll(browser, 'Cy')) as [Person, Person]
  const path = await openNew(ana, 'The garden opens in April.\n\n- [ ] Seeds')
  await cy.page.goto(await makeLink(ana, 'commenter'))
  await ana.page.keyboard.press('Escape')
  await isOpen(cy)
  await expect(cy.editor).toHaveAttribute('aria-readonly', 'true')
  await expect(cy.editor).toHaveAttribute('inputmode', 'none')
  const { keyboard } = cy.page
  const press = async (...keys: string[]) => {
    for (const key of keys) await keyboard.press(key)
  }
  const isThere = () => cy.editor.evaluate((text) => text === document.activeElement)
  for (let step = 0; step < 60 && !(await isThere()); step++) await press('Tab')
  const selected = () => cy.page.evaluate(() => getSelection()?.toString())
  const selectWord = async () => {
    await press(
      'ControlOrMeta+Home',
      ...Array<string>(4).fill('ArrowRight'),
      ...Array<string>(6).fill('Shift+ArrowRight'),
    )
    await expect.poll(selected).toBe('garden')
  }
  await selectWord()
  await expect(cy.page.getByRole('region', { name: 'Selected text' })).toBeVisible()
  const before = await cy.editor.innerText()
  await press(
    'ControlOrMeta+c',
    'x',
    'Backspace',
    'Delete',
    'Enter',
    'ControlOrMeta+b',
    'ControlOrMeta+x',
    'ControlOrMeta+z',
  )
  expect(await selected()).toBe('garden')
  await press('End', 'ControlOrMeta+v', 'ControlOrMeta+Shift+v', '/', 'ControlOrMeta+Alt+1', 'Backspace')
  await press('Home', '#', ' ', 'ControlOrMeta+Backspace', 'Shift+Enter', 'ControlOrMeta+y')
  const input = await cy.context.newCDPSession(cy.page)
  await input.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
  await input.send('Input.insertText', { text: '日本' })
  await cy.editor.getByRole('checkbox').click()
  await cy.editor.evaluate((text) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.setData('text/plain', 'dropped')
    text.firstElementChild?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    // As an extension of the browser does.
    text.querySelector('p')?.firstChild?.remove()
  })
  await expect(cy.editor.getByRole('checkbox')).not.toBeChecked()
  await expect.poll(() => cy.editor.innerText()).toBe(before)
  await expect(cy.editor.locator('strong, h1')).toHaveCount(0)
  await press('ControlOrMeta+a')
  await expect.poll(selected).toContain('Seeds')

  await cy.editor.focus()
  await selectWord()
  await press('ControlOrMeta+Alt+m')
  await expect(cy.page.getByRole('textbox', { name: 'Comment' })).toBeFocused()
  await keyboard.type('Which one?')
  await press('Enter')
  await expect(ana.editor.locator('span[data-thread]')).toHaveText('garden')
  await expect(cy.editor).toBeFocused()
  await ana.editor.getByText('opens in').click()
  await ana.page.keyboard.press('Home')
  await ana.page.keyboard.type('Soon: ')
  await expect(cy.editor).toContainText('Soon: ')
  await expect.poll(selected).toBe('garden')
  const exported = await cy.page.request.get(`${path.replace('/d/', '/api/documents/')}/export?format=markdown`)
  expect((await exported.text()).trim()).toBe('Soon: The garden opens in April.\n\n- [ ] Seeds')
})

test('[RIGHT-19] [RIGHT-20] an owner keeps sharing to themselves in an editor’s open window, and an operator hands over what they left', async ({
  browser,
}) => {
  const [ana, ben, cy] = (await signUpAll(browser, 'Ben', 'Cy')) as [Person, Person, Person]
  const path = await openNew(ben, 'Shared words')
  await ben.page.getByRole('button', { name: 'Share', exact: true }).click()
  await choose(ben.page, 'Role by the link', 'can edit')
  await ben.page.getByRole('button', { name: 'Create link' }).click()
  await cy.page.goto(await shownLink(ben.page))
  await isOpen(cy)
  await cy.page.getByRole('button', { name: 'Share', exact: true }).click()
  const sheet = cy.page.getByRole('dialog')
  await expect(sheet.getByRole('button', { name: 'Create link' })).toBeVisible()
  await expect(sheet.getByRole('switch')).toHaveCount(0)
  const allowed = ben.page.getByRole('switch', { name: 'Editors may share' })
  await expect(allowed).toBeChecked()
  await allowed.focus()
  await ben.page.keyboard.press('Space')
  await expect(allowed).not.toBeChecked()
  await expect(sheet.getByText('Only owners can share this document.')).toBeVisible(soon)
  await expect(sheet.getByRole('button', { name: 'Create link' })).toHaveCount(0)
  await expect(sheet.getByLabel('Add people')).toHaveCount(0)
  expect(await findings(cy.page, 'the share dialog of an editor')).toEqual([])
  const refused = await cy.page.request.post(`/api${path.replace('/d/', '/documents/')}/links`, {
    data: { role: 'viewer' },
  })
  expect(refused.status()).toBe(403)

  const { user } = (await (await ben.page.request.get('/api/me')).json()) as { user: { id: string } }
  expect((await ben.page.request.post('/api/folders', { data: { name: 'Left' } })).status()).toBe(201)
  await ana.page.request.patch(`/api/auth/people/${user.id}`, { data: { active: false } })
  await ana.page.goto('/')
  await ana.page.getByRole('button', { name: 'Ana: account' }).click()
  await ana.page.getByRole('menuitem', { name: 'Administration' }).click()
  await ana.page.getByRole('link', { name: 'Documents without owner' }).click()
  await expect(ana.page.getByText('belonged to Ben (account closed)')).toHaveCount(2)
  await ana.page.getByRole('button', { name: 'Hand over Shared' }).focus()
  await ana.page.keyboard.press('Enter')
  const dialog = ana.page.getByRole('dialog', { name: 'Hand over “Shared”' })
  await choose(ana.page, 'New owner', 'Cy, cy@example.org')
  expect(await findings(ana.page, 'handing over')).toEqual([])
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await expect(ana.page.getByText('Every document has an owner.')).toBeVisible()
  await expect(ana.page.getByRole('group', { name: 'Documents without owner' })).toBeFocused()
  await ana.page.getByRole('button', { name: 'Hand over Left' }).click()
  await choose(ana.page, 'New owner', 'Cy, cy@example.org')
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click()
  await expect(ana.page.getByText('“Left” belongs to Cy now.')).toBeVisible()
  await expect(ana.page.getByRole('group', { name: 'Documents without owner' })).toBeFocused()
  await expect(ana.page.getByRole('button', { name: 'Hand over Left' })).toHaveCount(0)
  await expect(sheet.getByRole('switch', { name: 'Editors may share' })).not.toBeChecked()
})

test('[BROWSE-6] [BROWSE-11] a folder is shared with all that is in it, a document is narrowed, and a move says first who gets and who loses access', async ({
  browser,
}) => {
  const [ana, ben] = (await signUpAll(browser, 'Ben')) as [Person, Person]
  const { page } = ana
  const make = async (what: string, data: object) =>
    ((await (await page.request.post(`/api/${what}`, { data })).json()) as { id: string }).id
  const folder = await make('folders', { name: 'Reading room' })
  const plan = await make('documents', { title: 'Plan', folder })
  const id = await make('documents', { title: 'Secret', markdown: 'Words' })
  const statusForBen = async (document: string) => (await ben.page.request.get(`/api/documents/${document}`)).status()

  await page.goto(`/f/${folder}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const sharing = page.getByRole('dialog', { name: 'Share the folder “Reading room”' })
  await sharing.getByLabel('Add people').fill('ben@example.org')
  await sharing.getByRole('button', { name: 'Add' }).click()
  await expect(sharing.getByRole('listitem')).toHaveCount(2)
  expect(await findings(page, 'the share dialog of a folder')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeFocused()
  await ben.page.goto('/')
  await expect(ben.page.getByRole('treeitem', { name: 'Reading room' })).toBeVisible()
  expect([await statusForBen(plan), await statusForBen(id)]).toEqual([200, 404])

  await page.goto('/')
  const secret = page.getByRole('listitem').filter({ hasText: 'Secret' })
  await secret.dragTo(page.getByRole('treeitem', { name: 'Reading room' }))
  const move = page.getByRole('dialog', { name: 'Move “Secret”' })
  await expect(move.getByRole('region', { name: 'Get access to this document' })).toContainText('Beneditor')
  expect(await findings(page, 'who gets access by a move')).toEqual([])
  await move.getByRole('button', { name: 'Cancel' }).click()
  await secret.getByRole('button', { name: 'Actions for Secret' }).click()
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  await page.getByRole('combobox', { name: 'Folder to move to' }).press('ArrowDown')
  await expect(move.getByRole('region', { name: 'Get access to this document' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(move.getByRole('button', { name: 'Move to “Reading room”' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Moved “Secret” to “Reading room”.')).toBeVisible()

  expect(await statusForBen(id)).toBe(200)
  await page.getByRole('link', { name: 'Secret', exact: true }).click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const people = page.getByRole('list', { name: 'People with access' })
  await expect(people).toContainText('By the folder “Reading room”')
  await page.getByRole('combobox', { name: 'People of the folder' }).click()
  await page.getByRole('option', { name: 'No access' }).click()
  await expect(people).not.toContainText('Ben')
  expect(await statusForBen(id)).toBe(404)
})
