import { expect, type Page } from '@playwright/test'
import { enter, isOpen, openNew } from './people.ts'
import { test } from './test.ts'

const paragraph =
  'The reading room opens at eight and is full by nine. People bring their own lamps because the ceiling lights are dim. '

/** Which parts of which fonts the page has loaded: family and first character. */
function loadedFonts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.fonts]
      .filter(({ status }) => status === 'loaded')
      .map(({ family, unicodeRange }) => `${family.replaceAll('"', '')} ${unicodeRange.split(/[-,]/)[0]}`),
  )
}

test('[TYPE-1, TYPE-2, TYPE-3, LAYOUT-4] fonts are the server’s, one is chosen for everybody, lines keep their measure and figures their width', async ({
  browser,
}) => {
  // In a window of its own: fonts that one has loaded before are not asked for.
  const [ana, ben] = [await enter(browser, 'Ana', { isNew: true }), await enter(browser, 'Ben')]
  const origins = new Set<string>()
  ana.page.on('request', (request) => origins.add(new URL(request.url()).origin))
  await ana.page.setViewportSize({ width: 1440, height: 900 })
  const table = '| Month | Visitors |\n| - | - |\n| May | 11111 |\n| June | 88888 |'
  const path = await openNew(ana, `${paragraph.repeat(20)}\n\nΕλληνικά\n\n${table}`)
  await ben.page.goto(path)
  await isOpen(ben)
  const text = ana.editor.locator('p').first()
  await expect(text).toHaveCSS('font-family', /^"Inter Variable"/)
  await expect
    .poll(() => loadedFonts(ana.page))
    .toEqual(expect.arrayContaining(['Inter Variable U+0', 'Inter Variable U+370']))
  expect(await loadedFonts(ana.page)).not.toContain('Source Serif 4 Variable U+0')
  const widths = await ana.page.evaluate(() =>
    ['11111', '88888'].map((figures) => {
      const cell = [...document.querySelectorAll('td p')].find(({ textContent }) => textContent === figures)
      const range = document.createRange()
      if (cell) range.selectNodeContents(cell)
      return range.getBoundingClientRect().width
    }),
  )
  expect(widths[0]).toBeGreaterThan(20)
  expect(widths[0]).toBeCloseTo(widths[1] ?? 0, 1)

  for (const [name, family] of [
    ['Mono', 'JetBrains Mono Variable'],
    ['Serif', 'Source Serif 4 Variable'],
    ['Sans', 'Inter Variable'],
  ] as const) {
    await ana.page.getByRole('button', { name: 'Document menu' }).click()
    await ana.page.getByRole('menuitemradio', { name }).click()
    await ana.page.keyboard.press('Escape')
    for (const { page, editor } of [ana, ben]) {
      for (const line of [editor.locator('p').first(), page.getByRole('textbox', { name: 'Title' })])
        await expect(line).toHaveCSS('font-family', new RegExp(`^"${family}"`))
    }
    await expect.poll(() => loadedFonts(ana.page)).toContain(`${family} U+0`)
    const perLine = await text.evaluate((element) => {
      const { lineHeight } = getComputedStyle(element)
      return element.textContent.length / Math.round(element.clientHeight / Number.parseFloat(lineHeight))
    })
    expect(perLine).toBeGreaterThan(62)
    expect(perLine).toBeLessThan(76)
  }
  expect([...origins]).toEqual([new URL(ana.page.url()).origin])
})
