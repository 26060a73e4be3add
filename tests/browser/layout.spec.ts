import { expect, type Page } from '@playwright/test'
import { ask, clickEndOf, enter, openNew, personAt, type Person } from './people.ts'
import { test } from './test.ts'

const sections = Array.from(
  { length: 70 },
  (_, index) => `## Section ${index + 1}\n\nThe text of section ${index + 1}.`,
)

/** By how many pixels the page is higher and wider than its window. */
function excessOf(page: Page): Promise<{ height: number; width: number }> {
  return page.evaluate(() => {
    const { scrollHeight, scrollWidth } = document.documentElement
    return { height: scrollHeight - innerHeight, width: scrollWidth - innerWidth }
  })
}

type Place = { top: number; isWhole: boolean }
type Places = { first?: Place; now?: Place }

/** Notes the place of a block when the text is about to be painted for the first time; runs in the page. */
function noteFirstFrame(): void {
  const places: Places = {}
  const look = () => {
    const [, , third, ...rest] = document.querySelectorAll('.document-text > *')
    if (third) {
      places.now = { top: third.getBoundingClientRect().top, isWhole: rest.at(-1)?.getClientRects().length === 1 }
      places.first ??= places.now
    }
    requestAnimationFrame(look)
  }
  Object.assign(globalThis, { places })
  requestAnimationFrame(look)
}

function placesOf(page: Page): Promise<Places> {
  return page.evaluate(() => (globalThis as unknown as { places: Places }).places)
}

test('[LAYOUT-1, LAYOUT-16] the page of a document never scrolls as a whole, however much its panels hold, and paints its first blocks before it lays out the rest', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const { page } = ana
  const path = await openNew(ana, sections.join('\n\n'))
  const stays = async (what: string) => expect(await excessOf(page), what).toEqual({ height: 0, width: 0 })

  await ask(ana, Array.from({ length: 60 }, (_, index) => `Line ${index + 1} of a long request.`).join('\n'))
  await expect(ana.conversation.locator('[data-run]')).not.toHaveAttribute('data-tone', 'going')
  await stays('chat')
  await clickEndOf(ana, 'The text of section 1.')
  await page.keyboard.type(' @')
  await expect(page.getByRole('option', { name: /agent/i })).toBeVisible()
  await expect(ana.saved).toBeInViewport()
  await stays('list of mentions')
  await page.keyboard.press('Escape')

  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) {
    const data = { quote: `The text of section ${number}.`, text: 'What is meant by this?\n\nAnd why here?' }
    expect((await page.request.post(`/api${path.replace('/d/', '/documents/')}/threads`, { data })).status()).toBe(201)
  }
  await page.getByRole('tab', { name: 'Comments 12' }).click()
  await stays('comments')
  await page.getByRole('button', { name: 'Close panel' }).click()
  await page.setViewportSize({ width: 1440, height: 720 })
  await page.getByRole('list', { name: 'Beside the text' }).getByRole('listitem').first().waitFor()
  await page.getByRole('button', { name: 'Show outline' }).click()
  await page.keyboard.press('ControlOrMeta+f')
  await stays('margin, outline and find')
  await page.getByRole('button', { name: 'Document menu' }).click()
  await page.getByRole('menuitem', { name: 'Version history' }).click()
  await expect(page.getByRole('region', { name: 'The chosen version' })).toContainText('The text of section 40.')
  await stays('history')

  await page.addInitScript(noteFirstFrame)
  await page.goto(path)
  await expect.poll(() => placesOf(page)).toMatchObject({ now: { isWhole: true } })
  const { first, now } = await placesOf(page)
  expect(first).toEqual({ ...now, isWhole: false })
})

test('[LAYOUT-4, LAYOUT-5] the text keeps its place whatever is open and whatever others do, and nothing covers it', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const { page } = ana
  const long = 'Students want quiet tables with power, and parents ask for a corner where talking is allowed. '.repeat(
    12,
  )
  const path = await openNew(ana, [long, ...sections].join('\n\n'))
  const api = `/api${path.replace('/d/', '/documents/')}`
  const cards = page.getByRole('list', { name: 'Beside the text' }).locator(':scope > li')
  const panel = page.getByRole('complementary', { name: 'Chat and comments' })
  const sideBar = page.getByRole('complementary', { name: 'Documents and folders' })

  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await lineLengthOf(ana)).toBeGreaterThanOrEqual(65)
  expect(await lineLengthOf(ana)).toBeLessThanOrEqual(75)
  const places = new Map<number, number>()
  const stays = async (what: string, ...widths: number[]) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      const { left, covering } = await placeOfText(ana)
      expect(covering, `${what} at ${width}`).toEqual([])
      expect(left, `${what} at ${width}`).toBe(places.get(width) ?? left)
      places.set(width, left)
    }
  }
  await stays('the chat', 1920, 1440, 1280, 1000)
  const answer = await page.request.post(`${api}/threads`, { data: { quote: 'text of section 1.', text: 'Which?' } })
  const { id } = (await answer.json()) as { id: string }
  await expect(page.getByRole('tab', { name: 'Comments 1' })).toBeVisible()
  await stays('a comment', 1000, 1280, 1440, 1920)
  await expect(cards).toHaveCount(1)
  await page.getByRole('button', { name: 'Show outline' }).click()
  await stays('the outline', 1920, 1440)
  await page.getByRole('navigation', { name: 'Outline' }).getByRole('button').last().click({ trial: true })
  await expect(cards).toHaveCount(1)
  await page.getByRole('button', { name: 'Show folders' }).click()
  await expect(sideBar).toBeVisible()
  await stays('the side bar', 1280, 1440, 1920)
  await expect(sideBar).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Alt+Shift+b')
  await expect(sideBar).toBeHidden()
  await page.request.post(`${api}/changes`, { data: { quote: 'text of section 2.', replaceWith: 'rest.' } })
  await expect(page.getByRole('region', { name: 'Suggestions' })).toBeVisible()
  await panel.getByRole('button', { name: 'Close panel' }).click()
  await stays('no chat', 1920, 1440, 1280, 1000, 360)
  await page.request.patch(`${api}/threads/${id}`, { data: { resolved: true } })
  await page.request.post(`${api}/changes`, { data: { decision: 'accept' } })
  await expect(page.getByRole('region', { name: 'Suggestions' })).toBeHidden()
  await stays('nothing', 360, 1000, 1280, 1440, 1920)
})

/** The left edge of the text in the window, and what lies over the text that is in view. */
function placeOfText({ editor }: Person): Promise<{ left: number; covering: string[] }> {
  return editor.evaluate((text) => {
    const frame = text.closest('[data-scroller]')?.getBoundingClientRect() ?? text.getBoundingClientRect()
    const { left, right } = (text.firstElementChild ?? text).getBoundingClientRect()
    const covering = new Set<string>()
    for (let y = frame.top + 2; y < Math.min(frame.bottom, innerHeight) - 2; y += 12) {
      for (let x = left + 1; x < right; x += 12) {
        const over = document.elementFromPoint(x, y)
        // Handles of tables are beside their words: [TABLE-12].
        const isText = over?.closest('.title-line, [data-table-handles]') ?? text.parentElement?.contains(over)
        if (over && !isText) covering.add(over.outerHTML.slice(0, 200))
      }
    }
    return { left, covering: [...covering] }
  })
}

/** The average number of characters in a line of the first paragraph. */
function lineLengthOf({ editor }: Person): Promise<number> {
  return editor
    .locator('p')
    .first()
    .evaluate((paragraph) => {
      const lines = paragraph.getBoundingClientRect().height / parseFloat(getComputedStyle(paragraph).lineHeight)
      return paragraph.textContent.length / Math.round(lines)
    })
}

test('[LAYOUT-5, LAYOUT-6, LAYOUT-7, LAYOUT-8, LAYOUT-9, LAYOUT-10, LAYOUT-14, TABLE-8] on a phone everything is in reach: tools, tables, the chat and its answers', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await context.request.post('/api/session', { data: { name: 'Ana' } })
  const ana = personAt('Ana', context, await context.newPage())
  const { page, editor } = ana
  const cells = 'Name | Responsible | Measurements | Periodicals | Comments'
  await openNew(
    ana,
    `# Plan\n\n- [ ] a task\n\n| ${cells} |\n| - | - | - | - | - |\n| ${cells} |\n\n${sections.join('\n\n')}`,
  )

  await page.getByRole('button', { name: 'More formatting' }).tap()
  await expect(page.getByRole('menuitem', { name: 'Formula block' })).toBeVisible()
  await page.getByRole('menuitem', { name: 'Task list' }).tap()
  await expect(editor).toBeFocused()
  const table = editor.locator('.tableWrapper')
  for (const cell of await table.getByRole('columnheader').all()) {
    const { height } = (await cell.boundingBox()) ?? { height: Infinity }
    expect(height, 'one line').toBeLessThan(50)
  }
  await expect.poll(() => table.evaluate((frame) => getComputedStyle(frame).maskImage)).toContain('270deg')
  await table.evaluate((frame) => frame.scrollTo({ left: frame.scrollWidth }))
  await expect.poll(() => table.evaluate((frame) => getComputedStyle(frame).maskImage)).toContain('90deg')
  // The toolbar opens the menu of a table, below the row that it is for.
  await table.getByRole('columnheader', { name: 'Comments' }).tap()
  await page.getByRole('button', { name: 'More formatting' }).tap()
  await page.getByRole('menuitem', { name: 'Table' }).tap()
  const items = page.getByRole('menuitem', { name: 'Move column left' })
  await expect(items).toBeVisible()
  const [menu, row] = [await page.getByRole('menu').boundingBox(), await table.locator('tr').first().boundingBox()]
  expect(menu?.y).toBeGreaterThanOrEqual((row?.y ?? Infinity) + (row?.height ?? 0))
  expect(await tooSmall(page)).toEqual([])
  await items.tap()
  await expect(table.getByRole('columnheader').nth(3)).toHaveText('Comments')
  expect((await placeOfText(ana)).covering).toEqual([])
  expect(await excessOf(page)).toEqual({ height: 0, width: 0 })
  expect(await tooSmall(page)).toEqual([])

  await clickEndOf(ana, 'The text of section 1.')
  await page.keyboard.type(' /')
  const list = page.getByRole('listbox', { name: 'Insert' })
  await expect(list.getByRole('option').first()).toBeVisible()
  const isWhole = () =>
    list.evaluate((box) => {
      const { left, right, bottom } = box.getBoundingClientRect()
      return left >= 0 && right <= innerWidth && bottom <= innerHeight
    })
  await expect.poll(isWhole, 'the list at the caret is in the window').toBe(true)
  for (const key of ['Escape', 'Backspace', 'Backspace', 'Enter']) await page.keyboard.press(key)
  await page.keyboard.type('@age')
  await expect(page.getByRole('option', { name: /agent/i })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.type('what is your favourite colour?')
  await page.keyboard.press('Enter')
  const news = page.getByText('Agent: I did not understand')
  await expect(news).toBeInViewport()
  const [notice, frame] = [await news.boundingBox(), await page.locator('[data-scroller]').boundingBox()]
  expect(notice?.y).toBeGreaterThan(frame?.y ?? Infinity)
  await page.getByRole('button', { name: 'Open chat and comments' }).tap()
  await expect(news).toBeHidden()
  const answer = ana.conversation.locator('[data-run]')
  await expect(answer).toBeInViewport()
  expect(await tooSmall(page)).toEqual([])

  await page.getByRole('textbox', { name: 'Message the agent' }).tap()
  await page.setViewportSize({ width: 390, height: 420 })
  await expect(page.getByRole('list', { name: 'Suggested requests' })).toBeHidden()
  const messages = await page.locator('.ap-conversation').boundingBox()
  expect(messages?.height).toBeGreaterThan(210)
})

/** What can be pressed and is smaller than a finger needs. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('a[href], button, select, summary, input:not([type=checkbox], [type=radio]), label')]
      .filter((control) => control.checkVisibility() && !control.matches('.document-text .mention, [aria-hidden] *'))
      .flatMap((control) => {
        const { width, height } = control.getBoundingClientRect()
        const name = control.getAttribute('aria-label') ?? control.textContent
        return width > 0 && Math.min(width, height) < 39.5 ? [`${name}: ${width} × ${height}`] : []
      }),
  )
}
