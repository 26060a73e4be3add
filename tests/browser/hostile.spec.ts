import { existsSync, readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { enter, openNew } from './people.ts'
import { test } from './test.ts'

const folder = new URL('../../../shared/data/hostile/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

/** Effects of a successful attack on a page: dialogs, opened pages, requests to another server, a changed title. */
function watchHarm(page: Page, origin: string): string[] {
  const harm: string[] = []
  page.on('dialog', (dialog) => {
    // The page itself asks before it is left while something isn't saved.
    if (dialog.type() !== 'beforeunload') harm.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => void harm.push(`popup: ${popup.url()}`))
  page.on('request', (request) => {
    const isImage = request.resourceType() === 'image'
    if (!isImage && /^https?:/.test(request.url()) && !request.url().startsWith(origin)) harm.push(request.url())
  })
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || !frame.url().startsWith(origin)) harm.push(`frame: ${frame.url()}`)
  })
  return harm
}

const together = 40
const pastes = 12

/** Pastes all of them, some together and some after each other into a document that is emptied now and then. */
async function pasteAll(page: Page, texts: readonly string[], type: 'text/html' | 'text/plain'): Promise<string[]> {
  const found: string[] = []
  const groups = Array.from({ length: Math.ceil(texts.length / together) }, (_, index) =>
    texts.slice(index * together, (index + 1) * together).join('\n'),
  )
  for (let index = 0; index < groups.length; index += pastes) {
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Backspace')
    found.push(...(await pasteSome(page, groups.slice(index, index + pastes), type)))
  }
  return found
}

/**
 * Pastes every text, as HTML or as what it is; answers what of the document could do harm afterwards, with the text
 * that brought it.
 */
function pasteSome(page: Page, texts: readonly string[], type: 'text/html' | 'text/plain'): Promise<string[]> {
  return page.evaluate(
    ([payloads, kind]) => {
      const editor = document.querySelector<HTMLElement>('.ProseMirror')
      const found: string[] = []
      for (const payload of payloads) {
        const clipboardData = new DataTransfer()
        clipboardData.setData(kind, payload)
        editor?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
        for (const element of editor?.querySelectorAll('*') ?? []) {
          const isActive = /^(script|style|iframe|object|embed|base|meta|link|form|svg:script|foreignobject)$/i
          if (isActive.test(element.localName)) found.push(`<${element.localName}> of ${payload}`)
          for (const { name, value } of element.attributes) {
            const isCode = /^on/i.test(name) || /^\s*(?:javascript|vbscript|data:text)/i.test(value)
            if (isCode) found.push(`${name}="${value}" of ${payload}`)
          }
        }
      }
      return found
    },
    [texts, type] as const,
  )
}

test('hostile texts stay texts, pasted as they are and as HTML', async ({ browser }) => {
  test.skip(!existsSync(folder), 'the lists of hostile texts are not beside the project')
  const ana = await enter(browser, 'Ana')
  const path = await openNew(ana, '')
  const harm = watchHarm(ana.page, new URL(ana.page.url()).origin)
  // One in eight; HOSTILE=all pastes all of them, which takes some minutes.
  const step = process.env['HOSTILE'] === 'all' ? 1 : 8
  const lines = read('xss-payload-list.txt').split('\n').filter(Boolean)
  const payloads = lines.filter((_, index) => index % step === 0)
  const strings: string[] = JSON.parse(read('blns.json'))
  await ana.editor.click()
  expect(await pasteAll(ana.page, payloads, 'text/html')).toEqual([])
  expect(await pasteAll(ana.page, strings, 'text/plain')).toEqual([])
  // Readers get it from the server, once it is saved.
  const title = await ana.page.title()
  await expect(async () => void (await ana.page.goto(path))).toPass()
  await expect(ana.editor).not.toBeEmpty()
  expect(await ana.page.title()).toBe(title)
  expect(harm).toEqual([])
})
