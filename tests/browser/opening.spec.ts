import { expect, type Page } from '@playwright/test'
import { enter, openNew } from './people.ts'
import { test } from './test.ts'

test('[LAYOUT-11] a document is connected while the editor’s code is still loaded, and no longer when its page is left', async ({
  browser,
}) => {
  const { page, editor } = await enter(browser, 'Ana')
  // Not opened yet: the browser would have a copy, and receive only what this lacks.
  const made = await page.request.post('/api/documents', { data: { title: 'Early', markdown: 'It arrives early' } })
  const { id } = (await made.json()) as { id: string }
  const code = Promise.withResolvers<void>()
  await page.route(/\/assets\/editor-[^/]*\.js/, (route) => code.promise.then(() => route.continue()))
  const events: string[] = []
  page.on('websocket', (socket) => {
    events.push('opened')
    // More than one frame may have the text; when the first arrives is what counts.
    const isNews = (payload: string | Buffer) => payload.includes('arrives early') && events.at(-1) !== 'text'
    socket.on('framereceived', ({ payload }) => isNews(payload) && events.push('text'))
    socket.on('close', () => events.push('closed'))
  })

  await page.goto('/')
  await page.locator(`a[href="/d/${id}"]`).first().click()
  await expect.poll(() => events).toEqual(['opened', 'text'])
  await expect(page.getByLabel('Loading the document')).toBeVisible()

  await page.goBack()
  await expect.poll(() => events).toEqual(['opened', 'text', 'closed'])
  await page.goForward()
  await expect.poll(() => events.length).toBeGreaterThan(3)
  code.resolve()
  await expect(editor).toHaveText('It arrives early')
})

/** For each block the distance from the window's top and the width, in pixels. */
type Frame = { hasEditor: boolean; places: number[][] }
type Frames = { first?: Frame; last?: Frame }

/** Notes the blocks of a text in the frame that first paints some, and in the last; runs in the page. */
function noteFrames(): void {
  const frames: Frames = {}
  const look = () => {
    const blocks = [...document.querySelectorAll('.title-line, .document-text > *')].slice(0, 12)
    if (blocks.length > 1) {
      const places = blocks.map((block) => {
        const { top, width } = block.getBoundingClientRect()
        return [top, width]
      })
      frames.last = { hasEditor: document.querySelector('.ProseMirror') !== null, places }
      frames.first ??= frames.last
    }
    requestAnimationFrame(look)
  }
  Object.assign(globalThis, { frames })
  requestAnimationFrame(look)
}

function framesOf(page: Page): Promise<Frames> {
  return page.evaluate(() => (globalThis as unknown as { frames: Frames }).frames)
}

test('[LAYOUT-16] a long text’s first blocks are painted before its editor is created, and keep their position', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const { page } = ana
  const lines = Array.from({ length: 600 }, (_, index) => `Line ${index} of a long text.`)
  const plain = ['## Lists', '- one\n- two\n  1. three', '> A quote', '---', ...lines]
  const path = await openNew(ana, plain.join('\n\n'))
  await page.addInitScript(noteFrames)
  const open = async (address: string): Promise<Frames> => {
    // Another address in the same document would not load the page again.
    await page.goto('about:blank')
    await page.goto(address)
    await expect(ana.editor).toContainText('Line 599')
    await expect.poll(() => framesOf(page)).toMatchObject({ last: { hasEditor: true } })
    return framesOf(page)
  }

  // In the narrowest window with a panel, the panel decides how wide the text is.
  for (const width of [1280, 950]) {
    await page.setViewportSize({ width, height: 720 })
    const { first, last } = await open(path)
    expect(first, `${width} px`).toEqual({ hasEditor: false, places: last?.places })
    expect(last?.places).toHaveLength(12)
  }

  expect((await open(`${path}#lists`)).first, 'an address that leads into the text').toMatchObject({ hasEditor: true })

  // The editor shows a table by a view of its own.
  const table = await openNew(ana, [...plain.slice(0, 2), '| a | b |\n| - | - |\n| c | d |', ...lines].join('\n\n'))
  const before = await open(table)
  expect(before.first).toEqual({ hasEditor: false, places: before.last?.places.slice(0, 3) })
})
