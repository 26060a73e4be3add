/**
 * Takes the pictures in docs/images: two people and the agent in one document, and an assistant over MCP, as it really
 * looks. With a folder it takes every screen instead, in three widths, light and dark, and prints what axe finds; with
 * names, widths or themes after it only those.
 *
 *     pnpm screenshots
 *     pnpm screenshots /tmp/screens share document-history
 *     pnpm screenshots /tmp/screens 390 dark
 */
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { buildServerIfChanged } from '../../scripts/lib/build-server.ts'
import { buildWebIfChanged } from '../../scripts/lib/build-web.ts'
import { connectMcp } from '../../apps/server/src/testing/mcp-client.ts'
import { findChromium } from '../../scripts/lib/find-chromium.ts'
import { takeEveryScreen } from './every-screen.ts'
import { markdown, startScene, title } from './scene.ts'

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url))

// What is served is what was built last, which may be older than what is to be shown.
await buildServerIfChanged()
if ((await buildWebIfChanged()) !== 0) process.exit(1)
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] })
const [everyScreen, ...only] = process.argv.slice(2)
if (everyScreen !== undefined) {
  await takeEveryScreen(browser, everyScreen, only)
  await browser.close()
  process.exit()
}
const server = await startScene()

async function enter(
  name: string,
  colorScheme: 'light' | 'dark',
  viewport = { width: 1440, height: 900 },
): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, colorScheme, viewport })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'New document' }).first().waitFor()
  return page
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message the agent' }).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** An assistant over MCP has read a document, and waits for approval of a change. */
async function takeAssistant(page: Page): Promise<void> {
  const created = await page.request.post('/api/documents', { data: { title, markdown } })
  const { id: document } = (await created.json()) as { id: string }
  await page.goto(`/d/${document}`)
  await page.getByRole('textbox', { name: 'Document', exact: true }).waitFor()
  const session = await fetch(`${server.url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Claude Code' }),
  })
  const { token } = (await session.json()) as { token: string }
  const assistant = await connectMcp(server.url, token)
  await page.request.patch(`/api/documents/${document}`, { data: { agentMode: 'ask' } })
  await assistant.call('read_document', { document })
  const replace = 'Move the periodicals to the gallery by March'
  // The approval never comes: the call ends with the server.
  void assistant
    .call('edit_document', { document, find: 'Move the periodicals to the gallery', replace })
    .catch(() => undefined)
  await page.getByText('Claude Code wants to make a change').waitFor()
  await page.waitForTimeout(400)
  await page.screenshot({ path: `${folder}mcp.png` })
}

try {
  const ana = await enter('Ana Duarte', 'light')
  const ben = await enter('Ben Okafor', 'dark')
  for (const name of ['Minutes of the friends’ meeting', 'Opening hours, summer', title]) {
    const created = await ana.request.post('/api/documents', { data: { title: name, markdown } })
    const { id } = (await created.json()) as { id: string }
    if (name === title) for (const page of [ana, ben]) await page.goto(`/d/${id}`)
  }
  const editor = ben.getByRole('textbox', { name: 'Document', exact: true })
  await editor.getByText('Move the periodicals to the gallery', { exact: true }).click()
  await ben.keyboard.press('End')
  await ask(ana, 'Fix the typos in the first paragraph')
  // The step is folded into a line.
  await ana.getByText('to dim → too dim').last().waitFor({ state: 'attached' })
  await ask(ben, 'Add what the staff asked for')
  await ana.getByText('Looking at the proposals next').waitFor()
  await editor.getByText('Move the periodicals to the gallery', { exact: true }).click()
  await ana.waitForTimeout(400)
  await ana.screenshot({ path: `${folder}document.png` })
  await ben.screenshot({ path: `${folder}document-dark.png` })
  const list = await enter('Cleo Brandt', 'light')
  await list.waitForTimeout(600)
  await list.screenshot({ path: `${folder}documents.png` })
  await takeAssistant(await enter('Ana Duarte', 'light'))
  const phone = await enter('Dan Iversen', 'light', { width: 390, height: 844 })
  await phone.goto(new URL(ana.url()).pathname)
  await phone.getByRole('textbox', { name: 'Document', exact: true }).waitFor()
  await phone.waitForTimeout(400)
  await phone.screenshot({ path: `${folder}phone.png` })
} finally {
  await browser.close()
  await server.dispose()
}
process.exit(0)
