import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { captureCommand } from '../../scripts/lib/run-command.ts'
import { test } from './test.ts'

const origin = 'http://localhost:4999'
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
let built = ''

test.beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'copydesk-example-'))
  const { code, output } = await captureCommand('vite', ['build', 'examples', '--outDir', built, '--logLevel', 'warn'])
  expect(code, output).toBe(0)
})

test.afterAll(() => rmSync(built, { recursive: true, force: true }))

type Request = { conversation: { type?: string; text?: string }[]; system: string; tools: unknown[] }
type Call = { name: string; input: object }

/**
 * Opens the example's page with a model that makes one call after the other, then says how many results it has read.
 */
async function openExample(page: Page, calls: readonly Call[]): Promise<Request[]> {
  const requests: Request[] = []
  await page.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname !== '/model') {
      const file = pathname === '/' ? '/index.html' : pathname
      return route.fulfill({ body: readFileSync(join(built, file)), contentType: types[extname(file)] ?? 'text/plain' })
    }
    const request = route.request().postDataJSON() as Request
    const results = request.conversation.filter(({ type }) => type === 'tool_result')
    const call = calls[requests.length]
    requests.push(request)
    const said = call ? { text: '', calls: [{ id: `call-${requests.length}`, ...call }] } : { calls: [] }
    return route.fulfill({ json: { text: `Read ${results.length} results.`, ...said } })
  })
  await page.goto(origin)
  return requests
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message Assistant' }).fill(text)
  await page.keyboard.press('Enter')
}

test('an agent works in an editor without Yjs; caret and undo stay the person’s', async ({ page }) => {
  const requests = await openExample(page, [
    { name: 'edit_document', input: { find: 'Pari', replace: 'Paris' } },
    { name: 'highlight_text', input: { search: 'papers' } },
    { name: 'suggest_deletion', input: { search: ' on Monday' } },
  ])
  const text = page.locator('.ProseMirror')
  await text.getByText('We meet').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Be early.')
  await ask(page, 'Correct it')
  await expect(page.getByText('Read 3 results.')).toBeVisible()

  await expect(text.locator('p').first()).toHaveText('We meet in Paris on Monday. Be early.')
  await expect(text.locator('.agent-highlight')).toHaveText('papers')
  await expect(text.locator('del')).toHaveText(' on Monday')
  expect(requests[0]?.system).toContain('2 blocks')
  expect(requests[0]?.tools.length).toBeGreaterThan(10)

  await text.focus()
  // The browser puts the caret at the start; ProseMirror restores it by a timer of 20 ms.
  await expect.poll(() => page.evaluate(() => getSelection()?.anchorOffset)).not.toBe(0)
  await page.keyboard.type(' Please.')
  await expect(text.locator('p').first()).toHaveText('We meet in Paris on Monday. Be early. Please.')
  for (let count = 0; count < 3; count++) await page.keyboard.press('Control+z')
  await expect(text.locator('p').first()).toHaveText('We meet in Paris on Monday.')
})
