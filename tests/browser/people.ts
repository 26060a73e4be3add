import { type Browser, type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { openWindow, type WindowOptions } from './windows.ts'

/** A person at a browser window. */
export type Person = {
  name: string
  context: BrowserContext
  page: Page
  editor: Locator
  /** The avatars of who has the document open. */
  here: Locator
  saved: Locator
  conversation: Locator
}

/** Opens a window, signs in under a name by HTTP, and goes to `path` if it is given. */
export async function enter(
  browser: Browser,
  name: string,
  { path, ...options }: WindowOptions & { path?: string } = {},
): Promise<Person> {
  const { context, page } = await openWindow(browser, options)
  const response = await context.request.post('/api/session', { data: { name } })
  expect(response.ok()).toBe(true)
  if (path !== undefined) await page.goto(path)
  return personAt(name, context, page)
}

/** Opens a window at the list of documents and enters a name there, as a newcomer does. */
export async function enterByForm(browser: Browser, name: string): Promise<Person> {
  const { context, page } = await openWindow(browser)
  await page.goto('/')
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Your name')).toHaveCount(0)
  return personAt(name, context, page)
}

/** The password of all accounts that `signUp` makes. */
const accountPassword = 'copper lantern walnut'

/** Makes an account by HTTP with a link that admits one, in a window of its own. */
export async function signUp(browser: Browser, link: string, name: string): Promise<Person> {
  const { origin, hash } = new URL(link)
  const { context, page } = await openWindow(browser, { origin })
  const email = `${name.toLowerCase()}@example.org`
  const data = { token: hash.slice(1), name, email, password: accountPassword }
  expect((await page.request.post('/api/auth/sign-up', { data })).status()).toBe(200)
  return personAt(name, context, page)
}

/** Makes the first account of a server, which is an operator's, with the link that the server prints. */
export async function signUpOperator(browser: Browser, server: { output: () => string }): Promise<Person> {
  const link = (): string => /first account at (\S+)/.exec(server.output())?.[1] ?? ''
  await expect.poll(link).not.toBe('')
  return signUp(browser, link(), 'Ana')
}

/** A person who has entered a name in this window. */
export function personAt(name: string, context: BrowserContext, page: Page): Person {
  return {
    name,
    context,
    page,
    editor: page.getByRole('textbox', { name: 'Document' }),
    here: page.getByRole('list', { name: 'People here' }),
    saved: page.getByRole('banner').getByRole('status'),
    conversation: page.getByRole('list', { name: 'Conversation' }),
  }
}

/** Creates a document as this person, by HTTP with their cookie, and opens it. Answers its path. */
export async function openNew(person: Person, markdown: string): Promise<string> {
  const response = await person.page.request.post('/api/documents', { data: { title: 'Shared', markdown } })
  expect(response.status()).toBe(201)
  const { id } = (await response.json()) as { id: string }
  const path = `/d/${id}`
  await person.page.goto(path)
  await isOpen(person)
  return path
}

/** Waits until the document can be written in. */
export async function isOpen(person: Person): Promise<void> {
  await expect(person.editor).toBeVisible()
  await expect(person.saved).toHaveText(/^Saved/)
}

/** Puts the caret at the end of the block that has this text. */
export async function clickEndOf(person: Person, text: string): Promise<void> {
  await person.editor.getByText(text).first().click()
  await person.page.keyboard.press('End')
}

/**
 * Writes behind this text while this person is offline, and ends their session meanwhile: the page asks them to sign
 * in, over their unsent text.
 */
export async function writeWithoutSession(person: Person, text: string, words: string): Promise<void> {
  await person.context.setOffline(true)
  await expect(person.saved).toHaveText(/^Offline/)
  await clickEndOf(person, text)
  await person.page.keyboard.type(words)
  await person.context.clearCookies()
  await person.context.setOffline(false)
  await expect(person.page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible()
  await expect(person.page.locator('.document-text')).toContainText(text + words)
}

/**
 * Watches from now on for something that may be there for only a moment, which a test that looks every second would
 * miss on a busy machine. Answers a promise that is kept when an element matches `selector` and holds `text`.
 */
export async function watchFor(person: Person, selector: string, text: string): Promise<{ seen: Promise<void> }> {
  const key = `seen ${selector} ${text}`
  await person.page.evaluate(
    ([mark, wanted, words]) => {
      const look = (): void => {
        const isThere = [...document.querySelectorAll(wanted)].some((element) => element.textContent.includes(words))
        if (isThere) document.documentElement.setAttribute('data-seen', mark)
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    },
    [key, selector, text] as const,
  )
  return { seen: expect(person.page.locator('html')).toHaveAttribute('data-seen', key) }
}

/** Asks the agent in the chat. */
export async function ask(person: Person, text: string): Promise<void> {
  await person.page.getByRole('textbox', { name: 'Message the agent' }).fill(text)
  await person.page.getByRole('button', { name: 'Send' }).click()
}

/** What the server sends to one person, and whether that waits. */
export type HeldMessages = {
  hold: () => Promise<void>
  waiting: () => Promise<number>
  deliver: () => Promise<void>
}

/**
 * Lets what the server sends to this person wait. Before their page is opened; answers what starts that and what counts
 * what waits. The page takes everything in when `window.deliver()` is called, in the midst of a script.
 */
export async function canHoldMessages({ page }: Person): Promise<HeldMessages> {
  await page.addInitScript(() => {
    const waiting: (() => void)[] = []
    let isHolding = false
    const listen = WebSocket.prototype.addEventListener
    WebSocket.prototype.addEventListener = function (this: WebSocket, type: string, listener: EventListener) {
      listen.call(this, type, (event) => {
        if (type === 'message' && isHolding) waiting.push(() => listener.call(this, event))
        else listener.call(this, event)
      })
    }
    Object.assign(window, {
      hold: () => (isHolding = true),
      waiting: () => waiting.length,
      deliver: () => {
        isHolding = false
        for (const act of waiting.splice(0)) act()
      },
    })
  })
  return {
    hold: () => page.evaluate('hold()'),
    waiting: () => page.evaluate('waiting()'),
    deliver: () => page.evaluate('deliver()'),
  }
}
