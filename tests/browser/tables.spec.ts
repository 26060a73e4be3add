import { type Browser, expect, type Locator } from '@playwright/test'
import { cellFromExcel, fromExcel, fromSheets, fromWordTable } from './clipboard-tables.ts'
import { paste } from './clipboard.ts'
import { clickEndOf, enter, isOpen, openNew, type Person, personAt } from './people.ts'
import { test } from './test.ts'

const source = '| No. | Task | Owner |\n| - | - | - |\n| 1 | Write | Kim |\n| 2 | Read | Lou |\n| 3 | Send | Max |'

const cellOf = ({ editor }: Person, text: string): Locator => editor.getByText(text, { exact: true })

async function openBoth(browser: Browser, markdown: string): Promise<{ ana: Person; ben: Person; path: string }> {
  const [ana, ben] = [await enter(browser, 'Ana'), await enter(browser, 'Ben')]
  for (const { page } of [ana, ben]) await page.setViewportSize({ width: 1440, height: 900 })
  const path = await openNew(ana, markdown)
  await ben.page.goto(path)
  await isOpen(ben)
  return { ana, ben, path }
}

/** The texts of the cells by row, without the names at the carets of others. */
function rows({ editor }: Person): Promise<string[]> {
  return editor.locator('table').evaluateAll((tables) =>
    tables.flatMap((table) => {
      const copy = table.cloneNode(true) as HTMLTableElement
      for (const caret of copy.querySelectorAll('.peer-caret')) caret.remove()
      for (const line of copy.querySelectorAll('br:not(.ProseMirror-trailingBreak)')) line.replaceWith('\n')
      return [...copy.rows].map((row) =>
        [...row.cells]
          .map((cell) => `${cell.tagName === 'TH' ? '#' : ''}${cell.textContent.replaceAll('\u2060', '').trim()}`)
          .join(' | '),
      )
    }),
  )
}

/** The widths of the columns as drawn, in whole pixels. */
function widths({ editor }: Person, table = 0): Promise<number[]> {
  return editor
    .locator('table')
    .nth(table)
    .evaluate((element) =>
      [...((element as HTMLTableElement).rows[0]?.cells ?? [])].map(({ offsetWidth }) => offsetWidth),
    )
}

async function drag({ page }: Person, from: Locator, to: { x: number; y: number }): Promise<void> {
  await from.hover()
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}

async function boxOf(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  return (await element.boundingBox()) ?? { x: NaN, y: NaN, width: NaN, height: NaN }
}

test('[TABLE-1] [TABLE-2] [TABLE-3] [TABLE-8] columns are resized for everyone in a table as wide as the text, and nothing covers it', async ({
  browser,
}) => {
  const { ana, ben, path } = await openBoth(browser, 'Above\n\nLast')
  await clickEndOf(ana, 'Last')
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.press('ControlOrMeta+Alt+Shift+t')
  const table = ana.editor.locator('table')
  const text = await boxOf(ana.editor.locator('p').first())
  await expect.poll(async () => (await boxOf(table)).width).toBeCloseTo(text.width, 0)
  await ana.page.keyboard.type('A long text in a new table moves no column of it')
  const thirds = await widths(ana)
  const [third = 0] = thirds
  expect(Math.max(...thirds) - Math.min(...thirds)).toBeLessThan(2)

  const edge = ana.page.locator('[data-column-edge="0"]')
  const { x, y } = await boxOf(edge)
  await drag(ana, edge, { x: x + 84, y: y + 10 })
  for (const person of [ana, ben]) {
    await expect
      .poll(async () => (await widths(person)).map((width) => Math.round(width / 10) - Math.round(third / 10)))
      .toEqual([8, -8, 0])
  }
  // The menu is beside the table, for keyboards too, and stays open for more of the same.
  await clickEndOf(ana, 'A long text')
  await ana.page.keyboard.press('ControlOrMeta+Alt+Shift+t')
  // Once it is open it takes the focus.
  await expect(ana.page.locator('[role^="menuitem"]:focus')).toHaveCount(1)
  const [menu, grid] = [await boxOf(ana.page.getByRole('menu')), await boxOf(table)]
  expect(menu.x >= grid.x + grid.width || menu.x + menu.width <= grid.x).toBe(true)
  for (const part of ['Column', 'Row', 'Table options']) {
    const handle = await boxOf(ana.page.getByRole('button', { name: part, exact: true }))
    expect(handle.y + handle.height <= grid.y + 1 || handle.x + handle.width <= grid.x + 1, part).toBe(true)
    const above = await boxOf(ana.editor.getByText('Last'))
    expect(handle.y, part).toBeGreaterThanOrEqual(above.y + above.height - 8)
  }
  const narrower = ana.page.getByRole('menuitem', { name: 'Narrower column' })
  const [wide = 0] = await widths(ben)
  for (let press = 0; press < 2; press++) await narrower.press('Enter')
  await expect.poll(async () => Math.abs(wide - 64 - ((await widths(ben))[0] ?? 0))).toBeLessThan(3)
  await ana.page.getByRole('menuitem', { name: 'Insert column after' }).press('Enter')
  await expect.poll(() => widths(ben)).toHaveLength(4)
  await expect.poll(async () => (await boxOf(ben.editor.locator('table'))).width).toBeCloseTo(text.width, 0)
  for (let press = 0; press < 4; press++) await ana.page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => widths(ben)).toEqual(thirds)
  const html = await ana.page.request.get(`/api/documents${path.slice(2)}/export?format=html`)
  expect(await html.text()).toContain('<table style="width: 100%"><colgroup><col style="width: 33.39%">')
})

test('[TABLE-5] [TABLE-6] [TABLE-9] rows and columns are dragged with their comments while another person writes in them', async ({
  browser,
}) => {
  const { ana, ben } = await openBoth(browser, source)
  await cellOf(ana, 'Read').dblclick({ position: { x: 10, y: 12 } })
  await ana.page.getByRole('toolbar', { name: 'Selected text' }).getByRole('button', { name: 'Comment' }).click()
  await ana.page.getByRole('textbox', { name: 'Comment' }).fill('When?')
  await ana.page.keyboard.press('Enter')
  await expect(ben.editor.locator('[class*="thread-"]')).toHaveText('Read')
  await clickEndOf(ben, 'Read')
  await ben.page.keyboard.type(' all')

  await cellOf(ana, 'Lou').hover()
  const first = await boxOf(cellOf(ana, 'Write'))
  await drag(ana, ana.page.getByRole('button', { name: 'Row', exact: true }), { x: first.x, y: first.y - 10 })
  await ben.page.keyboard.type(' of it')
  const moved = ['#No. | #Task | #Owner', '2 | Read all of it | Lou', '1 | Write | Kim', '3 | Send | Max']
  for (const person of [ana, ben]) await expect.poll(() => rows(person)).toEqual(moved)
  await expect(ana.editor.locator('.selectedCell')).toHaveText(['2', /Read all of it/, 'Lou'])
  await expect(ben.editor.locator('[class*="thread-"]')).toHaveText('Read')

  // Headings stay first; the keys move the columns of selected cells.
  await ana.page.keyboard.press('Alt+Shift+ArrowUp')
  await clickEndOf(ana, 'Task')
  await ana.page.keyboard.press('Shift+ArrowDown')
  await ana.page.keyboard.press('Alt+Shift+ArrowRight')
  const turned = ['#No. | #Owner | #Task', '2 | Lou | Read all of it', '1 | Kim | Write', '3 | Max | Send']
  for (const person of [ana, ben]) await expect.poll(() => rows(person)).toEqual(turned)
  await ana.page.keyboard.press('ControlOrMeta+z')
  for (const person of [ana, ben]) await expect.poll(() => rows(person)).toEqual(moved)
  await ben.page.keyboard.type('!')
  await expect.poll(() => rows(ana)).toContain('2 | Read all of it! | Lou')

  // All selected cells are aligned, also those that differ, and cleared.
  await cellOf(ana, 'Max').click()
  await ana.page.getByRole('button', { name: 'Table options' }).click()
  await ana.page.getByRole('menuitemcheckbox', { name: 'Align right' }).click()
  await ana.page.getByRole('button', { name: 'Row', exact: true }).click()
  await ana.page.getByRole('menuitemcheckbox', { name: 'Align right' }).click()
  const aligned = ana.editor.locator('td[style*="right"]')
  await expect(aligned).toHaveText(['3', 'Send', 'Max'])
  await ana.page.getByRole('button', { name: 'Row', exact: true }).click()
  await ana.page.getByRole('menuitem', { name: 'Clear cells' }).click()
  await expect(aligned).toHaveText(['', '', ''])
  await expect(ana.editor).toBeFocused()
})

/** Drags a finger from the middle of an element. */
async function swipe({ page }: Person, from: Locator, by: { x: number; y: number }): Promise<void> {
  const box = await boxOf(from)
  const start = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const client = await page.context().newCDPSession(page)
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', part?: number) => {
    const touchPoints = part === undefined ? [] : [{ x: start.x + by.x * part, y: start.y + by.y * part }]
    await client.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
  await touch('touchStart', 0)
  for (const part of [0.1, 0.4, 0.7, 1]) await touch('touchMove', part)
  await touch('touchEnd')
  await client.detach()
}

/** The words that a handle of a table lies over. */
function coveredWords({ page }: Person): Promise<string[]> {
  return page.evaluate(() => {
    const handles = [...document.querySelectorAll('[data-table-handles] > :is(button, [data-column-edge])')]
    const shown = handles.filter((handle) => handle.checkVisibility()).map((handle) => handle.getBoundingClientRect())
    return [...document.querySelectorAll('.document-text :is(p, td, th)')].flatMap((block) => {
      const range = document.createRange()
      range.selectNodeContents(block)
      const isCovered = [...range.getClientRects()].some((line) =>
        shown.some(
          ({ left, right, top, bottom }) =>
            left < line.right && right > line.left && top < line.bottom - 2 && bottom > line.top + 2,
        ),
      )
      return isCovered ? [block.textContent] : []
    })
  })
}

test('[TABLE-12] on a phone fingers resize columns and move rows and columns by their handles, and scroll the table by its cells', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await context.request.post('/api/session', { data: { name: 'Ana' } })
  const ana = personAt('Ana', context, await context.newPage())
  const { page, editor } = ana
  await openNew(ana, `${source}\n\nBetween\n\n| A | B | C | D | E |\n| - | - | - | - | - |\n| v | w | x | y | z |`)
  const frames = editor.locator('.tableWrapper')
  const excess = (table: number) => frames.nth(table).evaluate((frame) => frame.scrollWidth - frame.clientWidth)
  expect([await excess(0), (await excess(1)) > 0]).toEqual([0, true])

  await cellOf(ana, 'Read').tap()
  const edge = page.locator('[data-column-edge="1"]')
  const [, before = 0] = await widths(ana)
  await swipe(ana, edge, { x: 10, y: 3 })
  await expect.poll(async () => Math.round((await widths(ana))[1] ?? 0) - before).toBeGreaterThan(7)
  await swipe(ana, page.getByRole('button', { name: 'Row', exact: true }), { x: 0, y: 50 })
  const moved = ['#No. | #Task | #Owner', '1 | Write | Kim', '3 | Send | Max', '2 | Read | Lou']
  await expect.poll(async () => (await rows(ana)).slice(0, 4)).toEqual(moved)
  const column = page.getByRole('button', { name: 'Column', exact: true })
  // Chromium ignores a tap that follows a swipe at once.
  await expect(async () => {
    await cellOf(ana, 'Read').tap()
    await expect.poll(async () => (await boxOf(column)).x, { timeout: 1000 }).toBeLessThan(230)
  }).toPass()
  expect(await coveredWords(ana)).toEqual([])
  await swipe(ana, column, { x: 140, y: 0 })
  await expect.poll(async () => (await rows(ana))[3]).toBe('2 | Lou | Read')
  const left = page.getByRole('menuitem', { name: 'Move column left' })
  await expect(async () => {
    await column.tap()
    await expect(left).toBeVisible({ timeout: 1000 })
  }).toPass()
  await left.tap()
  await expect.poll(async () => (await rows(ana)).slice(0, 4)).toEqual(moved)

  // The cells of a wide table scroll it, also those of its current column and row.
  await cellOf(ana, 'B').tap()
  await expect(page.locator('[data-column-edge="1"]')).toBeVisible()
  await swipe(ana, cellOf(ana, 'B'), { x: -100, y: 0 })
  await expect.poll(() => frames.nth(1).evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(40)
  await swipe(ana, cellOf(ana, 'x'), { x: 300, y: 0 })
  await expect.poll(() => frames.nth(1).evaluate(({ scrollLeft }) => scrollLeft)).toBe(0)
})

test('[TABLE-4] [TABLE-7] while suggesting, a moved row is one suggestion, and widths apply at once', async ({
  browser,
}) => {
  const { ana, ben } = await openBoth(browser, source)
  await cellOf(ana, 'Read').click()
  await ana.page.keyboard.press('ControlOrMeta+Alt+Shift+x')
  await expect(ana.page.getByRole('button', { name: 'Suggesting' })).toBeVisible()
  await ana.page.getByRole('button', { name: 'Row', exact: true }).click()
  await ana.page.getByRole('menuitem', { name: 'Move row down' }).click()
  await expect(ben.page.getByText('1 suggestion', { exact: true })).toBeVisible()
  await ben.page.getByRole('button', { name: 'Accept all' }).click()
  await ben.page
    .getByRole('dialog', { name: /Accept/ })
    .getByRole('button', { name: /^Accept/ })
    .click()
  const moved = ['#No. | #Task | #Owner', '1 | Write | Kim', '3 | Send | Max', '2 | Read | Lou']
  for (const person of [ana, ben]) await expect.poll(() => rows(person)).toEqual(moved)
  const [, before = 0] = await widths(ben)
  await cellOf(ana, 'Write').click()
  await ana.page.getByRole('button', { name: 'Column', exact: true }).click()
  await ana.page.getByRole('menuitem', { name: 'Wider column' }).click()
  await expect(ana.page.getByText('Column widths can’t be suggested. They changed for everyone.')).toBeVisible()
  await expect.poll(async () => (await widths(ben))[1]).toBeGreaterThan(before + 20)
  await expect(ben.editor.locator('[data-suggestion]')).toHaveCount(0)
})

test('[TABLE-10] [TABLE-11] cells of Excel, Google Sheets and Word become tables, or fill the table and make it grow', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const samples: [string, string[]][] = [
    [fromExcel, ['#City | #Sales | #Note', 'Oslo | 1.200,50 | first\nsecond', 'Rome & Pisa | 7,00 | ']],
    [fromSheets, ['#Name | #Share', 'Ana | 40%', 'Ben | 60%']],
    [fromWordTable, ['#Part | #Due', 'Draft | May', '']],
  ]
  await openNew(ana, '')
  await ana.editor.click()
  for (const [html, expected] of samples) {
    await paste(ana, { 'text/html': html, 'text/plain': 'not this' })
    await expect.poll(() => rows(ana)).toEqual(expected)
    await ana.page.keyboard.press('ControlOrMeta+a')
    await ana.page.keyboard.press('Backspace')
    await expect(ana.editor.locator('table')).toHaveCount(0)
  }
  await paste(ana, { 'text/plain': 'Name\tShare\r\nAna\t"two\nlines"\r\n' })
  await expect.poll(() => rows(ana)).toEqual(['#Name | #Share', 'Ana | two\nlines'])

  const path = await openNew(ana, `${source}\n\nEnd`)
  await cellOf(ana, 'Max').click()
  await paste(ana, { 'text/html': fromSheets })
  const grown = ['#No. | #Task | #Owner | #', '1 | Write | Kim | ', '2 | Read | Lou | ', '3 | Send | Name | Share']
  await expect.poll(() => rows(ana)).toEqual([...grown, ' |  | Ana | 40%', ' |  | Ben | 60%'])
  await expect(ana.editor.locator('.selectedCell')).toHaveCount(6)
  await ana.page.keyboard.press('ControlOrMeta+z')
  // Headings stay headings, one value fills all selected cells, and a single cell is its text.
  await clickEndOf(ana, 'Task')
  await ana.page.keyboard.press('Shift+ArrowDown')
  await paste(ana, { 'text/plain': 'x' })
  await expect.poll(() => rows(ana)).toEqual(['#No. | #x | #Owner', '1 | x | Kim', '2 | Read | Lou', '3 | Send | Max'])
  await cellOf(ana, 'Max').click()
  await ana.page.keyboard.press('End')
  await paste(ana, { 'text/html': cellFromExcel })
  await expect.poll(async () => (await rows(ana)).at(-1)).toBe('3 | Send | Maxalone')
  // What doesn't fit is refused, and says why.
  await paste(ana, { 'text/plain': `${'c\t'.repeat(300)}c` })
  await expect(ana.page.getByText('A table has at most 200 columns. Nothing was pasted.')).toBeVisible()
  await clickEndOf(ana, 'End')
  await ana.page.keyboard.press('Enter')
  await expect(ana.saved).toHaveText(/^Saved/)
  await ana.page.goto(path)
  await expect.poll(async () => (await rows(ana)).at(-1)).toBe('3 | Send | Maxalone')
})
