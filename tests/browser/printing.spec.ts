import { expect, type Page } from '@playwright/test'
import { extractText, getDocumentProxy } from 'unpdf'
import { enter, openNew } from './people.ts'
import { test } from './test.ts'

const sections = 80
const rows = 90

/** About 12,500 words: sections of growing paragraphs, so that headings come to every height of a page. */
const long = [
  ...Array.from({ length: sections }, (_, index) => {
    const words = Array.from({ length: 20 + index * 3 }, () => 'word').join(' ')
    return `## Heading ${index}.\n\nParagraph ${index}: ${words} end ${index}.`
  }),
  `| Item | Price |\n| - | - |\n${Array.from({ length: rows }, (_, index) => `| item ${index}; | ${index} |`).join('\n')}`,
  'See [the manual](https://example.com/manual), https://example.com/plain and `a very long line of code`.',
  '<img src="/icon.svg" alt="" title="Its caption" width="100%" align="center">',
  '$$\n\\frac{1}{2}\n$$',
].join('\n\n')

/** The text of each page of the PDF that the browser makes, without spaces, which a PDF doesn't hold. */
async function printed(page: Page): Promise<string[]> {
  const pdf = await page.pdf({ format: 'A4' })
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: false })
  return text.map((each) => each.replaceAll(/\s+/g, ''))
}

test('[PRINT-1] [PRINT-2] [IMG-13] a long document is printed whole and alone: headings with their text, tables with their headers, and comments if they are wanted', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const { page } = ana
  const path = await openNew(ana, long)
  const thread = { quote: 'Paragraph 3:', text: 'Is that so?' }
  expect((await page.request.post(`/api${path.replace('/d/', '/documents/')}/threads`, { data: thread })).ok()).toBe(
    true,
  )
  await page.getByRole('button', { name: 'Dark theme' }).click()
  // The dialog itself isn't part of the page.
  await page.evaluate(() => Object.assign(window, { print: () => (document.documentElement.dataset['asked'] = 'yes') }))
  await page.getByRole('button', { name: 'Document menu' }).click()
  await page.getByRole('menuitem', { name: 'Print…', exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-asked', 'yes')
  await expect(ana.editor.locator('.math-block .katex')).toHaveCount(1)

  const pages = await printed(page)
  const pageOf = (words: string) => pages.findIndex((each) => each.includes(words))
  expect(pages.length).toBeGreaterThan(20)
  const text = pages.map((each, index) => each.replace(`${index + 1}/${pages.length}`, '')).join('')
  expect(text.slice(0, 30)).toMatch(/^SharedHeading0\.Paragraph0:/)
  expect(text.match(/word/g)).toHaveLength(long.match(/word/g)?.length ?? 0)
  for (let index = 0; index < sections; index += 1) {
    expect(text).toContain(`end${index}.`)
    expect(pageOf(`Paragraph${index}:`)).toBe(pageOf(`Heading${index}.`))
  }
  const withRows = pages.filter((each) => /item\d+;/.test(each))
  expect(withRows.length).toBeGreaterThan(1)
  for (const each of withRows) expect(each).toContain('ItemPrice')
  expect(text).toContain('themanual(https://example.com/manual),https://example.com/plainand')
  expect(text).toContain('Itscaption')
  for (const ofScreen of ['Isthatso?', 'Chat', 'Saved', 'Messagetheagent']) expect(text).not.toContain(ofScreen)
  await page.emulateMedia({ media: 'print' })
  await expect(ana.editor).toHaveCSS('color', 'rgb(34, 37, 42)')
  await page.emulateMedia({ media: null })
  await expect(ana.editor).not.toContainText('(https://example.com/manual)')

  await page.getByRole('button', { name: 'Document menu' }).click()
  await page.getByRole('menuitem', { name: 'Print with comments…' }).click()
  const withComments = (await printed(page)).join('')
  expect(withComments.includes('Paragraph3:[1]word')).toBe(true)
  expect(/Comments.*Paragraph3:.*Ana·.*Isthatso\?/.test(withComments)).toBe(true)
})
