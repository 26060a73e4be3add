/**
 * Takes the pictures in docs/images: two people and the agent in one document, as it really looks.
 *
 *     pnpm screenshots
 */
import { fileURLToPath } from 'node:url'
import { createModelServer, type ModelScript } from '@copydesk/agent/testing'
import { chromium, type Page } from '@playwright/test'
import { buildWebIfChanged } from '../../scripts/lib/build-web.ts'
import { findChromium } from '../../scripts/lib/find-chromium.ts'
import { startCopydesk } from '../support/copydesk.ts'

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url))

const markdown = `# Harbour library: a plan for the reading room

The reading room opens at eight and is full by nine. People bring thier own lamps because the ceiling lights are to dim to read by, and the window seats are taken within minutes.

## What we heard

- Students want quiet tables with power, not more sofas.
- Parents ask for a corner where talking is allowed.
- Nobody mentioned the new chairs.

## What we propose

- [x] Measure the light at every table
- [ ] Move the periodicals to the gallery
- [ ] Try a talking corner for one month

> A library is a room that lets strangers think side by side.
`

const pause = new Promise<void>((resolve) => setTimeout(resolve, 60_000).unref())

const script: ModelScript = ({ lastUser, results }) => {
  if (lastUser.includes('typos')) {
    const fix = (find: string, replace: string) => ({
      toolCall: { name: 'edit_document', arguments: { find, replace } },
    })
    if (results.length === 0)
      return { chunks: [{ toolCall: { name: 'read_document', arguments: { from: 0, to: 3 } } }] }
    if (results.length === 1) return { chunks: [fix('thier', 'their'), fix('to dim', 'too dim')] }
    return '- thier → their\n- to dim → too dim'
  }
  if (results.length === 0) {
    const content = 'The staff asked for a lamp library: thirty lamps to borrow at the desk, returned by closing time.'
    const position = { type: 'relative', anchor: 'Nobody mentioned the new chairs.', placement: 'after' }
    return { chunks: [{ toolCall: { name: 'insert_text', arguments: { position, content, as: 'block' } } }] }
  }
  return {
    chunks: [
      { text: 'I added what the staff asked for under **What we heard**. Looking at the proposals next' },
      { until: pause },
    ],
  }
}

// What is served is what was built last, which may be older than what is to be shown.
if ((await buildWebIfChanged()) !== 0) process.exit(1)
const model = await createModelServer({ provider: 'openai', script })
const server = await startCopydesk(model.environment)
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] })

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

try {
  const ana = await enter('Ana Duarte', 'light')
  const ben = await enter('Ben Okafor', 'dark')
  for (const title of ['Minutes of the friends’ meeting', 'Opening hours, summer', 'Harbour library: a plan']) {
    const created = await ana.request.post('/api/documents', { data: { title, markdown } })
    const { id } = (await created.json()) as { id: string }
    if (title.startsWith('Harbour')) for (const page of [ana, ben]) await page.goto(`/d/${id}`)
  }
  const editor = ben.getByRole('textbox', { name: 'Document', exact: true })
  await editor.getByText('Move the periodicals to the gallery', { exact: true }).click()
  await ben.keyboard.press('End')
  await ask(ana, 'Fix the typos in the first paragraph')
  await ana.getByText('to dim → too dim').last().waitFor()
  await ask(ben, 'Add what the staff asked for')
  await ana.getByText('Looking at the proposals next').waitFor()
  await editor.getByText('Move the periodicals to the gallery', { exact: true }).click()
  await ana.waitForTimeout(400)
  await ana.screenshot({ path: `${folder}document.png` })
  await ben.screenshot({ path: `${folder}document-dark.png` })
  const list = await enter('Cleo Brandt', 'light')
  await list.screenshot({ path: `${folder}documents.png` })
  const phone = await enter('Dan Iversen', 'light', { width: 390, height: 844 })
  await phone.goto(new URL(ana.url()).pathname)
  await phone.getByRole('textbox', { name: 'Document', exact: true }).waitFor()
  await phone.waitForTimeout(400)
  await phone.screenshot({ path: `${folder}phone.png` })
} finally {
  await browser.close()
  await server.dispose()
  await model.close()
}
process.exit(0)
