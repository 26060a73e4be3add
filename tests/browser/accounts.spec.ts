import { type Browser, expect, type Page } from '@playwright/test'
import { openMailbox } from '../../apps/server/src/testing/servers/mailbox.ts'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { findings } from './findings.ts'
import { clickEndOf, enter, isOpen, openNew, type Person, personAt, writeWithoutSession } from './people.ts'
import { test } from './test.ts'
import { openWindow } from './windows.ts'

const password = 'copper lantern walnut'

let server: Copydesk

test.beforeEach(async () => {
  server = await startCopydesk({ AUTH: 'accounts' })
})
test.afterEach(() => server.dispose())

async function openAt(browser: Browser, address: string): Promise<Page> {
  const { page } = await openWindow(browser, { origin: server.url })
  await page.goto(address)
  return page
}

/** Follows a link that makes an account, in a window of its own. */
async function signUp(browser: Browser, link: string, name: string): Promise<Person> {
  const page = await openAt(browser, link)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('E-mail address').fill(`${name.toLowerCase()}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/')
  return personAt(name, page.context(), page)
}

/** Makes the first account, with the link that the server prints. */
async function setUp(browser: Browser): Promise<Person> {
  const link = () => /first account at (\S+)/.exec(server.output())?.[1] ?? ''
  await expect.poll(link).not.toBe('')
  return signUp(browser, link(), 'Ana')
}

async function signIn({ page }: Person): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('[BROWSE-13] an empty list says who can open a new document, with accounts and without', async ({ browser }) => {
  const { page } = await setUp(browser)
  await expect(page.getByText('Only you can open it until you share it')).toBeVisible()
  const open = await startCopydesk({ AUTH: 'open' })
  try {
    const ben = await enter(browser, 'Ben', { origin: open.url, path: '/' })
    await expect(ben.page.getByText('Everybody who opens its link writes in the same text.')).toBeVisible()
  } finally {
    await open.dispose()
  }
})

test('[ACC-9] [PRES-10] the first account invites, the second writes along, and other windows follow a new name and colour and signing out everywhere', async ({
  browser,
}) => {
  const guest = await openAt(browser, '/')
  await expect(guest.getByText('isn’t set up yet')).toBeVisible()
  const ana = await setUp(browser)
  const found: string[] = []

  await ana.page.getByRole('button', { name: 'Ana: account' }).click()
  await ana.page.getByRole('menuitem', { name: 'Administration' }).click()
  await ana.page.getByRole('button', { name: 'Create link' }).click()
  const link = await ana.page.getByLabel('Invitation link').inputValue()
  found.push(...(await findings(ana.page, 'people')))
  const bob = await signUp(browser, link, 'Bob')
  const late = await openAt(browser, link)
  await expect(late.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible()

  const path = await openNew(ana, 'Ana writes here\n\nBob writes here')
  // With accounts, only people with whom a document is shared see it.
  const { user } = (await (await bob.page.request.get('/api/me')).json()) as { user: { id: string } }
  const shared = { members: [{ id: user.id, role: 'editor' }] }
  await ana.page.request.put(`/api/documents/${path.split('/').at(-1)}/members`, { data: shared })
  await bob.page.goto(path)
  await isOpen(bob)
  await clickEndOf(ana, 'Ana writes here')
  await clickEndOf(bob, 'Bob writes here')
  await Promise.all([ana.page.keyboard.type(' and on'), bob.page.keyboard.type(' as well')])
  for (const { editor } of [ana, bob]) {
    for (const text of ['Ana writes here and on', 'Bob writes here as well']) await expect(editor).toContainText(text)
  }

  await guest.goto(path)
  await guest.getByLabel('E-mail address').fill('ana@example.org')
  found.push(...(await findings(guest, 'signing in')))
  const second = personAt('Ana', guest.context(), guest)
  await signIn(second)
  await isOpen(second)
  await ana.page.goto('/sessions')
  await expect(ana.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(2)
  found.push(...(await findings(ana.page, 'one’s account')))
  await ana.page.getByRole('link', { name: 'Your account' }).click()
  const third = await ana.context.newPage()
  await third.goto('/')
  await expect(third.getByRole('button', { name: 'Ana: account' })).toBeVisible()
  await ana.page.getByLabel('Name', { exact: true }).fill('Anouk')
  const colour = ana.page.getByRole('radio', { name: 'Colour 4', exact: true })
  await colour.check()
  await ana.page.locator('form', { has: colour }).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(ana.page.getByText('Saved.', { exact: true })).toBeVisible()
  await ana.page.reload()
  await expect(colour).toBeChecked()
  await expect(third.getByRole('button', { name: 'Anouk: account' })).toBeVisible()
  await expect(second.here.getByRole('button', { name: 'Anouk (you)' })).toBeVisible()
  await guest.getByRole('link', { name: 'All documents' }).click()
  await expect(guest.getByRole('button', { name: 'Anouk: account' })).toBeVisible()
  await guest.goBack()
  await isOpen(second)
  await third.close()
  await ana.page.getByRole('link', { name: 'Password and sessions' }).click()
  await ana.page.getByRole('button', { name: 'Sign out everywhere' }).click()
  const ended = guest.getByRole('dialog', { name: 'Your session has ended' })
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(ana.page.getByRole('heading', { name: 'Sign in to Copydesk' })).toBeVisible()
  await expect(ended).toBeVisible()
  await expect(guest.getByLabel('E-mail address')).toHaveValue('ana@example.org')
  await signIn(second)
  await isOpen(second)
  expect(found).toEqual([])
})

test('[ACC-18] [ACC-19] what was written when the session ended is sent after signing in, and signing out says what isn’t sent', async ({
  browser,
}) => {
  const ana = await setUp(browser)
  await openNew(ana, 'Text')
  await writeWithoutSession(ana, 'Text', ' kept')
  await signIn(ana)
  await expect(ana.saved).toHaveText(/^Saved/)

  await ana.page.routeWebSocket(/\/collab/, (socket) => void socket.close({ code: 1012 }))
  await ana.page.reload()
  await expect(ana.editor).toContainText('Text kept')
  await clickEndOf(ana, 'Text kept')
  await ana.page.keyboard.type(' only here')
  await expect(ana.saved).toHaveText(/kept in this browser/)
  await ana.page.getByRole('link', { name: 'All documents' }).click()
  await ana.page.getByRole('button', { name: 'Ana: account' }).click()
  await ana.page.getByRole('menuitem', { name: 'Sign out' }).click()
  const dialog = ana.page.getByRole('dialog', { name: 'Sign out' })
  await expect(dialog).toContainText('hasn’t reached the server yet')
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(ana.page.getByRole('button', { name: 'Ana: account' })).toBeFocused()
  await ana.page.keyboard.press('Enter')
  await ana.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await dialog.getByRole('button', { name: 'Sign out and discard' }).click()
  await expect(ana.page.getByRole('heading', { name: 'Sign in to Copydesk' })).toBeVisible()
  const kept = await ana.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  expect(kept.filter((name) => name?.startsWith('copydesk '))).toEqual([])
  expect(await ana.page.evaluate(() => localStorage.getItem('copydesk.offline'))).toBe('{}')
})

test('[MAIL-3] [MAIL-5] [MAIL-6] with mail people are invited by it, set a new password themselves, and stop mails by a link', async ({
  browser,
}) => {
  const mailbox = await openMailbox()
  try {
    const ana = await setUp(browser)
    await server.restart(mailbox.environment)
    const mailedLink = async (path: string): Promise<string> => {
      const find = () => new RegExp(`http\\S*${path}#\\S+`).exec(mailbox.mails.at(-1)?.text ?? '')?.[0] ?? ''
      await expect.poll(find).not.toBe('')
      return find()
    }
    await ana.page.goto('/people')
    await ana.page.getByLabel('E-mail address (optional)').fill('bob@example.org')
    await ana.page.getByRole('button', { name: 'Create link' }).click()
    await expect(ana.page.getByText('Mailed to bob@example.org.')).toBeVisible()
    const window = await openAt(browser, await mailedLink('/join'))
    await expect(window.getByLabel('E-mail address')).toHaveValue('bob@example.org')

    await window.goto('/')
    await window.getByRole('button', { name: 'Forgot your password?' }).click()
    await window.getByLabel('E-mail address').fill('ana@example.org')
    expect(await findings(window, 'a forgotten password')).toEqual([])
    await window.getByRole('button', { name: 'Send the link' }).click()
    await expect(window.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible()
    await window.goto(await mailedLink('/reset'))
    await window.getByLabel('New password', { exact: true }).fill(`${password} anew`)
    await window.getByRole('button', { name: 'Set password' }).click()
    await expect(window.getByRole('button', { name: 'Ana: account' })).toBeVisible()

    await window.goto('/account')
    const mails = window.getByRole('switch', { name: 'Mentions and replies' })
    await expect(mails).toBeChecked()
    await window.goto('/stop-mail#not-of-a-mail')
    await window.getByRole('button', { name: 'Stop e-mails' }).click()
    await expect(window.getByRole('alert')).toContainText('This link is not valid.')
  } finally {
    await mailbox.close()
  }
})
