import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { until } from '@copydesk/testing'
import type { Copydesk } from '../support/copydesk.ts'
import { findings } from '../browser/findings.ts'
import { administrationEnv, fillAdministration, startReceiver } from './administration.ts'
import { fullStorage, troubledWebhooks, unusedStorage } from './states.ts'
import { markdown, startScene, title } from './scene.ts'

const password = 'copper lantern walnut'
const widths = [1440, 1100, 390] as const
const themes = ['light', 'dark'] as const

/** Who looks at a screen: an operator with documents, a newcomer without any, or nobody who is signed in. */
type Viewer = 'ana' | 'dan' | 'nobody'

type Screen = {
  name: string
  viewer?: Viewer
  path: string
  /** What the API answers to reading requests in place of the server, by path: a body, or the status of a failure. */
  answers?: Readonly<Record<string, object | number>>
  open?: (page: Page) => Promise<void>
  /** Takes back what `open` has written. */
  after?: (page: Page) => Promise<void>
}

/**
 * Takes every screen in every width and theme into a folder: `document-history-1100-dark.png`. Prints what axe finds on
 * each. `only` limits them: names of screens, widths, themes, in any order. Nothing given of a kind means all of it.
 */
export async function takeEveryScreen(browser: Browser, folder: string, only: readonly string[]): Promise<void> {
  const chosen = <T extends string | number>(all: readonly T[]): readonly T[] => {
    const some = all.filter((one) => only.includes(String(one)))
    return some.length > 0 ? some : all
  }
  const receiver = await startReceiver()
  const server = await startScene({ AUTH: 'accounts', ...administrationEnv })
  try {
    mkdirSync(folder, { recursive: true })
    const { states, ...documents } = await prepare(browser, server, receiver.origin)
    const screens = screensOf(documents)
    const names = chosen(screens.map(({ name }) => name))
    for (const screen of screens) {
      if (!names.includes(screen.name)) continue
      for (const width of chosen(widths)) {
        for (const theme of chosen(themes)) {
          const { viewer = 'ana' } = screen
          const context = await browser.newContext({
            baseURL: server.url,
            viewport: { width, height: width === 390 ? 844 : 900 },
            colorScheme: theme,
            reducedMotion: 'reduce',
            serviceWorkers: 'block',
            hasTouch: width === 390,
            isMobile: width === 390,
            ...(viewer === 'nobody' ? {} : { storageState: states[viewer] }),
          })
          const picture = `${screen.name}-${width}-${theme}`
          try {
            await takeScreen(await context.newPage(), screen, join(folder, `${picture}.png`))
          } catch (error) {
            // The others are taken nevertheless.
            console.error(`${picture}: ${String(error)}`)
            process.exitCode = 1
          } finally {
            await context.close()
          }
        }
      }
      console.log(screen.name)
    }
  } finally {
    await server.dispose()
    await receiver.close()
  }
}

async function takeScreen(page: Page, { name, path, answers = {}, open, after }: Screen, file: string): Promise<void> {
  for (const [of, answer] of Object.entries(answers)) {
    await page.route(`/api${of}`, (route) => {
      if (route.request().method() !== 'GET') return route.fallback()
      return route.fulfill(typeof answer === 'number' ? { status: answer } : { json: answer })
    })
  }
  await page.goto(path)
  await isThere(page)
  // A panel next to the text is loaded after it.
  if (page.viewportSize()?.width !== 390 && (await page.locator('.document-text').count()) > 0)
    await page.locator('.ap-composer').waitFor()
  await open?.(page)
  await isThere(page)
  // Fonts, and cards that are placed after the text.
  await page.waitForTimeout(500)
  await page.screenshot({ path: file })
  if (file.endsWith('light.png'))
    for (const found of await findings(page, `${name}, ${page.viewportSize()?.width}`)) console.warn(found)
  await after?.(page)
}

async function isThere(page: Page): Promise<void> {
  await page.locator('h1, .document-text').first().waitFor()
  await page.locator('.skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' })
}

async function button(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click()
}

async function item(page: Page, name: string): Promise<void> {
  await button(page, 'Document menu')
  await page.getByRole('menuitem', { name, exact: true }).click()
}

async function panel(page: Page): Promise<void> {
  if (page.viewportSize()?.width === 390) await button(page, 'Open chat and comments')
}

/** What there is to see: `document` has a finished request, `asked` one that waits for approval. */
function screensOf({ document, asked }: { document: string; asked: string }): Screen[] {
  const path = `/d/${document}`
  const select = async (page: Page) => {
    await page.locator('.document-text').getByText('Students want').click()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+End')
  }
  return [
    { name: 'sign-in', viewer: 'nobody', path: '/' },
    { name: 'list', path: '/' },
    {
      name: 'list-filter',
      path: '/',
      async open(page) {
        await button(page, /^Owner/)
        await page.getByRole('menuitemradio').first().waitFor()
      },
    },
    {
      name: 'list-menu',
      path: '/',
      async open(page) {
        await button(page, /^Actions for Shelving guide/)
        await page.getByRole('menuitem').first().waitFor()
      },
    },
    {
      name: 'folder',
      path: '/',
      async open(page) {
        await page.getByRole('link', { name: 'Folder: Staff' }).first().click()
        await page.getByRole('heading', { name: 'Staff', level: 1 }).waitFor()
      },
    },
    {
      name: 'side-bar',
      path: '/',
      async open(page) {
        if (page.viewportSize()?.width === 390) await button(page, 'Show folders')
        await page.getByRole('treeitem', { name: 'Staff' }).focus()
        await page.keyboard.press('ArrowRight')
        await page.getByRole('treeitem', { name: 'Readings in winter' }).waitFor()
      },
    },
    { name: 'list-failed', path: '/', answers: { '/documents*': 503 } },
    { name: 'trash-empty', viewer: 'dan', path: '/trash' },
    { name: 'invitation', viewer: 'nobody', path: '/set-up#invalid' },
    { name: 'list-empty', viewer: 'dan', path: '/' },
    { name: 'list-trash', path: '/trash' },
    { name: 'list-search', path: '/?query=light' },
    {
      name: 'palette',
      path,
      async open(page) {
        // The page's commands are there a moment after its text.
        const isFound = async () => {
          await page.keyboard.press('ControlOrMeta+k')
          try {
            await page.getByRole('dialog').getByRole('combobox').fill('bold', { timeout: 2000 })
            await page.getByRole('option', { name: /^Bold/ }).waitFor({ timeout: 2000 })
            return true
          } catch {
            await page.keyboard.press('Escape')
            return false
          }
        }
        await until(isFound, 'the palette has commands')
      },
    },
    { name: 'document', path },
    { name: 'document-chat', path, open: panel },
    {
      name: 'document-comments',
      path,
      async open(page) {
        await panel(page)
        await page.getByRole('tab', { name: /^Comments/ }).click()
      },
    },
    {
      name: 'document-margin',
      path,
      async open(page) {
        if (page.viewportSize()?.width !== 390) await button(page, 'Close panel')
      },
    },
    { name: 'document-outline', path, open: (page) => button(page, /outline/i) },
    { name: 'document-selection', path, open: select },
    {
      name: 'document-slash',
      path,
      async open(page) {
        await page.locator('.document-text').getByText('What we heard').click()
        await page.keyboard.press('End')
        await page.keyboard.type(' /')
        await page.getByRole('listbox', { name: 'Insert' }).waitFor()
      },
      async after(page) {
        for (const key of ['Escape', 'Backspace', 'Backspace']) await page.keyboard.press(key)
        await page.getByRole('banner').getByText('Saved').waitFor({ state: 'attached' })
      },
    },
    {
      name: 'document-approval',
      path: `/d/${asked}`,
      async open(page) {
        await panel(page)
        await page.getByRole('button', { name: 'Approve' }).first().waitFor()
      },
    },
    { name: 'document-menu', path, open: (page) => button(page, 'Document menu') },
    { name: 'document-find', path, open: (page) => page.keyboard.press('ControlOrMeta+f') },
    {
      name: 'document-history',
      path,
      async open(page) {
        await item(page, 'Version history')
        await page.locator('[data-version]').nth(1).click()
        await page.locator('.history-text .document-text').waitFor()
      },
    },
    {
      name: 'document-authorship',
      path,
      async open(page) {
        await item(page, 'Show authorship')
        await page.getByRole('list', { name: 'Who wrote this text' }).getByText('Ana Duarte').waitFor()
      },
    },
    { name: 'document-shortcuts', path, open: (page) => item(page, 'Keyboard shortcuts') },
    {
      name: 'share',
      path,
      async open(page) {
        await page.getByRole('button', { name: 'Share', exact: true }).click()
        await page.getByRole('heading', { name: 'Links' }).waitFor()
      },
    },
    { name: 'notifications', path: '/', open: (page) => button(page, /Notifications/) },
    { name: 'account', path: '/account' },
    { name: 'sessions', path: '/sessions' },
    { name: 'keys', path: '/keys' },
    { name: 'keys-form', path: '/keys', open: (page) => button(page, 'New API key') },
    { name: 'keys-empty', viewer: 'dan', path: '/keys' },
    { name: 'people', path: '/people' },
    { name: 'ownerless', path: '/ownerless' },
    { name: 'storage', path: '/storage' },
    { name: 'storage-empty', path: '/storage', answers: { '/storage': unusedStorage } },
    { name: 'storage-full', path: '/storage', answers: { '/storage': fullStorage } },
    { name: 'storage-failed', path: '/storage', answers: { '/storage': 503 } },
    { name: 'agents', path: '/agents' },
    {
      name: 'agents-form',
      path: '/agents',
      async open(page) {
        await button(page, 'Actions for Chronicler')
        await page.getByRole('menuitem', { name: 'Edit' }).click()
        await page.getByLabel('Handle').waitFor()
      },
    },
    { name: 'agents-empty', path: '/agents', answers: { '/agents': { agents: [], models: [], tools: [] } } },
    { name: 'agent-settings', path: '/agent-settings' },
    { name: 'usage', path: '/usage' },
    { name: 'webhooks', path: '/webhooks' },
    {
      name: 'webhooks-log',
      path: '/webhooks',
      async open(page) {
        await button(page, 'Show deliveries')
        await page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').first().waitFor()
      },
    },
    {
      name: 'webhooks-failures',
      path: '/webhooks',
      async open(page) {
        await page.getByRole('button', { name: 'Show deliveries' }).nth(1).click()
        await button(page, /^Details/)
      },
    },
    { name: 'webhooks-form', path: '/webhooks', open: (page) => button(page, 'New webhook') },
    {
      name: 'webhooks-refused',
      path: '/webhooks',
      answers: { '/webhooks': { webhooks: [] } },
      async open(page) {
        await button(page, 'New webhook')
        await page.getByLabel('Address').fill('http://example.org/hook')
        await button(page, 'Add webhook')
        await page.getByRole('alert').scrollIntoViewIfNeeded()
      },
    },
    { name: 'webhooks-empty', path: '/webhooks', answers: { '/webhooks': { webhooks: [] } } },
    { name: 'webhooks-stopped', path: '/webhooks', answers: { '/webhooks': { webhooks: troubledWebhooks } } },
    { name: 'webhooks-failed', path: '/webhooks', answers: { '/webhooks': 503 } },
    { name: 'tool-servers-form', path: '/tool-servers', open: (page) => button(page, 'New tool server') },
    { name: 'tool-servers', path: '/tool-servers' },
    { name: 'models', path: '/models' },
    { name: 'audit', path: '/audit' },
    { name: 'not-found', path: '/d/nothing-is-here' },
  ]
}

/** Accounts, a document with everything that a document may have, and some others for the list. */
async function prepare(browser: Browser, server: Copydesk, receiver: string) {
  const link = /first account at (\S+)/
  while (!link.test(server.output())) await new Promise((resolve) => setTimeout(resolve, 50))
  const ana = await browser.newContext({ baseURL: server.url })
  await signUp(ana.request, link.exec(server.output())?.[1] ?? '', 'Ana Duarte')
  const people = new Map([['ana', ana]])
  for (const [key, name] of [
    ['ben', 'Ben Okafor'],
    ['dan', 'Dan Iversen'],
  ] as const) {
    const invited = await ana.request.post('/api/auth/invitations', { data: { email: emailOf(name) } })
    const context = await browser.newContext({ baseURL: server.url })
    await signUp(context.request, ((await invited.json()) as { url: string }).url, name)
    people.set(key, context)
  }
  for (const name of ['Minutes of the friends’ meeting', 'Opening hours, summer', 'Budget 2027'])
    await create(ana.request, name, `# ${name}\n\nThe friends of the library met in the small hall, and seven came.`)
  const trashed = await create(ana.request, 'Old draft', 'Nothing to keep.')
  await ana.request.delete(`/api/documents/${trashed}`)
  const document = await create(ana.request, title, markdown)
  const api = `/api/documents/${document}`
  const members = [{ email: emailOf('Ben Okafor'), role: 'editor' }]
  await ana.request.put(`${api}/members`, { data: { members } })
  await ana.request.post(`${api}/links`, { data: { role: 'viewer' } })
  const ben = people.get('ben')?.request ?? ana.request
  await ben.post(`${api}/threads`, {
    data: { quote: 'Nobody mentioned the new chairs', text: 'Should we say so? They cost enough.' },
  })
  await ben.post(`${api}/changes`, { data: { quote: 'within minutes', replaceWith: 'by ten past nine' } })
  await fillAdministration(ana.request, ben, receiver)
  await talk(ana, api, `/d/${document}`)
  const asked = await create(ana.request, 'Lamps to borrow', markdown)
  await ana.request.post(`/api/documents/${asked}/messages`, { data: { text: 'Add the lamps', mode: 'ask' } })
  const states = {
    ana: await ana.storageState(),
    dan: (await people.get('dan')?.storageState()) ?? { cookies: [], origins: [] },
  }
  for (const context of people.values()) await context.close()
  return { document, asked, states }
}

/** One request that is done, so that the chat and the history have something to show. */
async function talk(context: Awaited<ReturnType<Browser['newContext']>>, api: string, path: string): Promise<void> {
  await context.request.post(`${api}/messages`, { data: { text: 'Fix the typos in the first paragraph' } })
  const page = await context.newPage()
  await page.goto(path)
  await page.getByText('to dim → too dim').filter({ visible: true }).first().waitFor()
  await page.close()
}

function emailOf(name: string): string {
  return `${name.split(' ')[0]?.toLowerCase() ?? ''}@example.org`
}

async function signUp(request: APIRequestContext, link: string, name: string): Promise<void> {
  const data = { token: new URL(link).hash.slice(1), name, email: emailOf(name), password }
  const made = await request.post('/api/auth/sign-up', { data })
  if (!made.ok()) throw new Error(`no account for ${name}: ${await made.text()}`)
}

async function create(request: APIRequestContext, name: string, text: string): Promise<string> {
  const created = await request.post('/api/documents', { data: { title: name, markdown: text } })
  return ((await created.json()) as { id: string }).id
}
