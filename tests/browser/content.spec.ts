import { expect } from '@playwright/test'
import {
  fromGoogleDocs,
  fromHostilePage,
  fromWord,
  googleDocsAsMarkdown,
  hostileAsMarkdown,
  wordAsMarkdown,
} from './clipboard-samples.ts'
import { paste } from './clipboard.ts'
import { dropFiles, textFile } from './files.ts'
import { ask, canHoldMessages, clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

/** The first paragraph's own text, without the names at the carets of others. */
function firstText(person: Person): Promise<string> {
  return person.editor
    .locator('p')
    .first()
    .evaluate((paragraph) => {
      const copy = paragraph.cloneNode(true) as HTMLElement
      for (const caret of copy.querySelectorAll('.peer-caret')) caret.remove()
      return copy.textContent
    })
}

test('an input method, a typing person and the agent share a paragraph: nothing is interrupted or lost', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const words = Array.from({ length: 12 }, () => 'teh').join(' ')
  const path = await openNew(ana, `So ${words} and \n\nשורה בעברית`)
  await ben.page.goto(path)
  await isOpen(ben)

  await clickEndOf(ana, words)
  await ana.page.evaluate(() => {
    for (const type of ['compositionstart', 'compositionend']) {
      addEventListener(
        type,
        () => (document.documentElement.dataset[type] = `${document.documentElement.dataset[type] ?? ''}x`),
      )
    }
  })
  const keyboard = await ana.context.newCDPSession(ana.page)
  const compose = (text: string) =>
    keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  await compose('に')
  await ben.editor.locator('p').first().click()
  await ben.page.keyboard.press('ControlOrMeta+Home')
  // The browser tells a little later where the caret went; Ana sees nothing of it while she composes.
  await expect.poll(() => ben.page.evaluate(() => getSelection()?.focusOffset)).toBe(0)
  await ask(ben, 'replace teh with the')
  await ben.editor.focus()
  await ben.page.keyboard.type('Ben types here. ', { delay: 10 })
  for (const text of ['にほ', 'にほん', 'にほんご', '日本語']) {
    await compose(text)
    // Composed text is immediately visible to the others, and the agent continues.
    await expect(ben.editor).toContainText(text)
  }
  await expect(ben.conversation).toContainText('teh → the')
  await expect(ana.page.locator('html')).toHaveAttribute('data-compositionstart', 'x')
  await expect(ana.page.locator('html')).not.toHaveAttribute('data-compositionend', /./)
  await expect(ana.editor).toContainText('teh teh')
  await keyboard.send('Input.insertText', { text: '日本語' })
  await ana.page.keyboard.type(' ok')
  const expected = `Ben types here. So ${words.replaceAll('teh', 'the')} and日本語 ok`
  for (const person of [ana, ben]) await expect.poll(() => firstText(person)).toBe(expected)
  await expect(ana.page.locator('html')).toHaveAttribute('data-compositionstart', 'x')

  const sides = await ana.editor.locator('p').evaluateAll((paragraphs) =>
    paragraphs.map((paragraph) => {
      const range = document.createRange()
      range.selectNodeContents(paragraph)
      const text = range.getBoundingClientRect()
      const box = paragraph.getBoundingClientRect()
      return text.left - box.left < box.right - text.right ? 'left' : 'right'
    }),
  )
  expect(sides).toEqual(['left', 'right'])
})

async function exported(person: Person, path: string): Promise<string> {
  await expect(person.saved).toHaveText(/^Saved/)
  const response = await person.page.request.get(`/api/documents${path.slice(2)}/export?format=markdown`)
  return response.text()
}

test('what is pasted comes as structure and brings nothing else; markdown is read, addresses become links', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const samples = [
    [fromWord, wordAsMarkdown],
    [fromGoogleDocs, googleDocsAsMarkdown],
    [fromHostilePage, hostileAsMarkdown],
  ] as const
  for (const [html, expected] of samples) {
    const path = await openNew(ana, '')
    await ana.editor.click()
    await paste(ana, { 'text/html': html, 'text/plain': 'not this' })
    await expect.poll(async () => (await exported(ana, path)).trim()).toBe(expected.trim())
  }
  await expect(ana.page).not.toHaveTitle(/hacked/)
  await expect(
    ana.editor.locator('[data-thread],[data-threads],[data-change],[data-suggestion],[data-mention]'),
  ).toHaveCount(0)

  const path = await openNew(ana, 'Read the manual')
  await ana.editor.getByText('manual').dblclick({ position: { x: 80, y: 12 } })
  await paste(ana, { 'text/plain': 'javascript:alert(1)' })
  await expect(ana.editor).toContainText('javascript:alert(1)')
  await ana.page.keyboard.press('ControlOrMeta+z')
  await ana.page.keyboard.press('ControlOrMeta+a')
  await paste(ana, { 'text/plain': 'https://example.org/manual' })
  await expect(ana.editor.locator('a')).toHaveText('Read the manual')
  await ana.page.keyboard.press('End')
  await ana.page.keyboard.press('Enter')
  await paste(ana, { 'text/plain': 'https://example.org/b' })
  await ana.page.keyboard.type(' and on')
  await ana.page.keyboard.press('Enter')
  await paste(ana, { 'text/plain': '## Part\n\n- one\n- **two**\n\n| a | b |\n| --- | --- |\n| 1 | 2 |' })
  await expect(ana.editor.locator('table')).toHaveCount(1)
  expect(await exported(ana, path)).toBe(
    '[Read the manual](https://example.org/manual)\n\n<https://example.org/b> and on\n\n## Part\n\n- one\n- **two**\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
  )
})

test('with Shift everything is pasted as plain text, what was copied here and what looks like markdown', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  await ana.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const path = await openNew(ana, '**Bold** and [a link](https://example.org)\n\nTarget')
  await ana.editor.getByText('Bold').click()
  await ana.page.keyboard.press('Home')
  await ana.page.keyboard.press('Shift+End')
  await ana.page.keyboard.press('ControlOrMeta+c')
  // Clears the selection, whose menu would cover the next line.
  await ana.page.keyboard.press('ArrowLeft')
  await clickEndOf(ana, 'Target')
  await ana.page.keyboard.type('? ')
  await ana.page.keyboard.press('ControlOrMeta+Shift+v')
  await expect(ana.editor.getByText('Target? Bold and a link')).toHaveCount(1)
  await ana.page.evaluate(() => navigator.clipboard.writeText('# no *heading*\n- no item'))
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.press('ControlOrMeta+Shift+v')
  await expect(ana.editor).toContainText('- no item')
  expect(await exported(ana, path)).toBe(
    '**Bold** and [a link](https://example.org)\n\nTarget? Bold and a link\n\n\\# no \\*heading\\*\n\n\\- no item\n',
  )
})

test('[WRITE-28] a link to a heading goes to it, by Ctrl-click and from its card', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, `[down](#the-end)\n\n${'Some text.\n\n'.repeat(80)}## The end\n\n[up](#nowhere)`)
  const end = ana.editor.getByRole('heading', { name: 'The end' })
  await ana.editor.getByText('down').click({ modifiers: ['ControlOrMeta'] })
  await expect(end).toBeInViewport()
  await ana.page.keyboard.press('Home')
  await ana.page.keyboard.type('At ')
  await expect(end).toHaveText('At The end')
  await ana.page.keyboard.press('ControlOrMeta+Home')
  await ana.page.keyboard.press('ArrowRight')
  const card = ana.page.getByRole('link', { name: /goes to that heading/ })
  await expect(card).toBeVisible()
  expect(ana.context.pages()).toHaveLength(1)
})

test('tables, code, images and shortcuts, with another person in the same text', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const path = await openNew(
    ana,
    'Before\n\nHere\n\n```\nconst answer = 42\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
  )
  await ben.page.goto(path)
  await isOpen(ben)

  // An image uploads while the other person writes above it, and is inserted where it was dropped.
  let let1 = () => {}
  const answered = new Promise<void>((resolve) => (let1 = resolve))
  let refusals = 1
  await ana.page.route('**/images', async (route) => {
    if (refusals-- > 0)
      return route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'The disk is full.' } } })
    await answered
    return route.continue()
  })
  const pixels = await ana.page.screenshot({ clip: { x: 0, y: 0, width: 120, height: 60 } })
  const image = { name: 'cat.png', type: 'image/png', base64: pixels.toString('base64') }
  const unfit = { ...image, name: 'cat.svg', type: 'image/svg+xml' }
  await dropFiles(ana.editor.getByText('Here'), [image, unfit, textFile('sheet.xlsx', 'PK')])
  await expect(ana.page.getByText('“cat.svg” and “sheet.xlsx” can’t be added here. Images (PNG')).toBeVisible()
  await expect(ana.editor.getByText('The disk is full.')).toBeVisible()
  await ana.editor.getByRole('button', { name: 'Try again' }).click()
  await expect(ana.editor.getByRole('progressbar', { name: 'Sending cat.png' })).toBeVisible()
  await clickEndOf(ben, 'Before')
  await ben.page.keyboard.press('Enter')
  await ben.page.keyboard.type('Written meanwhile')
  await expect(ana.editor).toContainText('Written meanwhile')
  await expect(ben.editor.locator('img')).toHaveCount(0)
  let1()
  await expect(ben.editor.locator('img[src^="/api/documents/"]')).toBeVisible()
  await expect(ana.editor.getByRole('progressbar')).toHaveCount(0)
  await ana.editor.locator('.image-view img').click()
  await ana.page.getByRole('button', { name: 'Edit image' }).click()
  await ana.page.getByLabel('Description for those').fill('A cat')
  await ana.page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(ben.editor.getByRole('img', { name: 'A cat' })).toBeVisible()

  // Code gets its colours when it has a language, for both.
  await ana.editor.getByRole('button', { name: 'Language: Plain text' }).click()
  await ana.page.getByRole('combobox', { name: 'Code language' }).fill('javas')
  await ana.page.keyboard.press('Enter')
  for (const person of [ana, ben]) await expect(person.editor.locator('.hljs-keyword')).toHaveText('const')
  await expect(ana.editor).toBeFocused()

  // A row by Tab at the end, a column by its handle, merged cells by the keyboard.
  await ana.editor.getByText('2', { exact: true }).click()
  await ana.page.keyboard.press('End')
  await ana.page.keyboard.press('Tab')
  await ana.page.keyboard.type('3')
  await expect(ben.editor.locator('tr')).toHaveCount(3)
  await ana.page.getByRole('button', { name: 'Column', exact: true }).click()
  await expect(ana.editor.locator('.selectedCell')).toHaveCount(3)
  await ana.page.getByRole('menuitem', { name: 'Insert column after' }).click()
  await expect(ben.editor.locator('tr').first().locator('th')).toHaveCount(3)
  await ana.editor.getByText('3', { exact: true }).click()
  await ana.page.keyboard.press('ControlOrMeta+Alt+Shift+t')
  await ana.page.getByRole('menuitemcheckbox', { name: 'First column is a header' }).click()
  await expect(ben.editor.locator('th')).toHaveCount(5)
  await expect(ana.editor).toBeFocused()

  // Shortcuts of markdown, and the characters back.
  await clickEndOf(ana, 'Written meanwhile')
  await ana.page.keyboard.press('Enter')
  for (const key of ['Backspace', 'ControlOrMeta+z']) {
    await ana.page.keyboard.type('## ')
    await expect(ana.editor.locator('h2')).toHaveCount(1)
    await ana.page.keyboard.press(key)
    await expect(ana.editor.locator('h2')).toHaveCount(0)
    await expect(ana.editor.getByText('##', { exact: true })).toHaveCount(1)
    for (let typed = 0; typed < 3; typed++) await ana.page.keyboard.press('Backspace')
  }
  await ana.page.keyboard.type('- [x] see [docs](example.org) and $a^2$ ~~x~~ `y`')
  await expect.poll(() => exported(ana, path)).toContain('- [x] see [docs](https://example.org) and $a^2$ ~~x~~ `y`')
  expect(await exported(ben, path)).toMatch(
    /^Before\n\nWritten meanwhile\n\n- \[x\][^\n]*\n\nHere\n\n!\[A cat\]\(\/api/,
  )
})

test('[WRITE-10, WRITE-11] cells are merged and split and headings switched while another person types in the table: nothing is lost', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const held = await canHoldMessages(ana)
  const path = await openNew(ana, '| a | b | c |\n| --- | --- | --- |\n| d | e | f |\n| g | h | i |')
  await ben.page.goto(path)
  await isOpen(ben)
  const cells = ({ editor }: Person) =>
    editor.locator('tr').evaluateAll((rows) =>
      rows.map((row) =>
        [...row.children].map((cell) => {
          const copy = cell.cloneNode(true) as HTMLTableCellElement
          for (const caret of copy.querySelectorAll('.peer-caret')) caret.remove()
          const span = copy.colSpan > 1 || copy.rowSpan > 1 ? ` ${copy.colSpan}×${copy.rowSpan}` : ''
          return `${copy.tagName === 'TH' ? '#' : ''}${[...copy.querySelectorAll('p')].map((line) => line.textContent.replaceAll('\u2060', '')).join('/')}${span}`
        }),
      ),
    )
  const menu = async (name: string, role: 'menuitem' | 'menuitemcheckbox' = 'menuitem') => {
    await ana.page.keyboard.press('ControlOrMeta+Alt+Shift+t')
    await ana.page.getByRole(role, { name }).press('Enter')
    await expect(ana.editor).toBeFocused()
  }
  const both = async (expected: string[][]) => {
    for (const person of [ana, ben]) await expect.poll(() => cells(person)).toEqual(expected)
  }
  // Selected cells stay so while Ben types, and what he types before he hears of an edit isn't lost by it.
  const meanwhile = async (typed: string, act: () => Promise<void>) => {
    await held.hold()
    await ben.page.keyboard.type(typed)
    await expect(ben.saved).toHaveText(/^Saved/)
    await expect.poll(held.waiting).toBeGreaterThan(0)
    await act()
    await held.deliver()
  }
  await clickEndOf(ben, 'e')
  await clickEndOf(ana, 'd')
  await ana.page.keyboard.press('Shift+ArrowRight')
  await expect(ana.editor.locator('.selectedCell')).toHaveCount(2)
  await ben.page.keyboard.type('ven')
  await expect(ana.editor.locator('td', { hasText: 'even' })).toHaveCount(1)
  await expect(ana.editor.locator('.selectedCell')).toHaveCount(2)
  await meanwhile(' and on', () => menu('Merge cells'))
  await both([
    ['#a', '#b', '#c'],
    ['d/even and on 2×1', 'f'],
    ['g', 'h', 'i'],
  ])
  await clickEndOf(ana, 'g')
  await meanwhile(', he types', () => menu('First column is a header', 'menuitemcheckbox'))
  // What is typed before the words have come back to him may come to stand in front of them (docs/specs/writing.md).
  await expect.poll(() => cells(ben).then((rows) => rows[1]?.[0])).toBe('#d/even and on, he types 2×1')
  await meanwhile('!', () => menu('First row is a header', 'menuitemcheckbox'))
  const merged = [
    ['#a', 'b', 'c'],
    ['#d/even and on, he types! 2×1', 'f'],
    ['#g', 'h', 'i'],
  ]
  await both(merged)
  await clickEndOf(ana, 'd')
  await menu('Split cell')
  await both([
    ['#a', 'b', 'c'],
    ['#d/even and on, he types!', '#', 'f'],
    ['#g', 'h', 'i'],
  ])
  await ana.page.keyboard.press('ControlOrMeta+z')
  await both(merged)
})

test('[RUN-30] several selected cells are formatted, counted, copied, commented and given to the agent as what they are', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const { page, editor } = ana
  await ana.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openNew(ana, 'Above\n\n| a1 | b1 | c1 |\n| - | - | - |\n| a2 | b2 | c2 |\n| a3 | b3 | c3 |')
  const cell = (text: string) => editor.locator('th, td').filter({ hasText: text })
  const cells = ['b1', 'c1', 'b2', 'c2']
  const selectCells = async () => {
    await cell('b1').hover()
    await page.mouse.down()
    await cell('c2').hover()
    await page.mouse.up()
    await expect(editor.locator('.selectedCell')).toHaveText(cells)
  }
  await selectCells()

  const bubble = page.getByRole('toolbar', { name: 'Selected text' })
  await expect(bubble).toBeVisible()
  const [box, table] = await Promise.all([bubble.boundingBox(), editor.locator('table').boundingBox()])
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(table?.y ?? 0)
  await bubble.getByRole('button', { name: 'Italic' }).click()
  await expect(editor.locator('em')).toHaveText(cells)
  await expect(page.getByText('4 words').first()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+c')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split(/\s+/)).toEqual(cells)

  await ask(ana, 'make this bold')
  await expect(editor.locator('strong')).toHaveText(cells)
  await selectCells()
  await bubble.getByRole('button', { name: 'Comment' }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Check these')
  await page.keyboard.press('Enter')
  await expect(editor.locator('[class*="thread-"]')).toHaveText(cells)
})

test('several images are uploaded at once: one is cancelled, one fails and is retried, and all are in their order', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const path = await openNew(ana, 'Before\n\nHere\n\nAfter')
  await ben.page.goto(path)
  await isOpen(ben)
  const waiting: (() => void)[] = []
  let sent = 0
  await ana.page.route('**/images', async (route) => {
    const number = sent++
    if (number === 2)
      return route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'The disk is full.' } } })
    await new Promise<void>((resolve) => (waiting[number] = resolve))
    return route.continue()
  })
  const images = await Promise.all(
    [40, 60, 80].map(async (width) => {
      const pixels = await ana.page.screenshot({ clip: { x: 0, y: 0, width, height: 30 } })
      return { name: `${width}.png`, type: 'image/png', base64: pixels.toString('base64') }
    }),
  )
  await dropFiles(ana.editor.getByText('Here'), images)
  const box = (name: string) => ana.editor.getByRole('group', { name: new RegExp(`${name}$`) })
  await expect(box('80.png').getByText('The disk is full.')).toBeVisible()
  await clickEndOf(ben, 'Before')
  await ben.page.keyboard.press('Enter')
  await ben.page.keyboard.type('Ben writes above')
  await expect(ana.editor).toContainText('Ben writes above')
  await box('60.png').getByRole('button', { name: 'Cancel' }).click()
  await expect(box('60.png')).toHaveCount(0)
  await box('80.png').getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => waiting.length).toBe(4)
  // The last is there first.
  waiting[3]?.()
  await expect(ben.editor.locator('img[src^="/api/documents/"]')).toHaveCount(1)
  await ben.page.keyboard.type(', and on')
  await expect(ana.editor).toContainText('above, and on')
  waiting[0]?.()
  await expect(ben.editor.locator('img[src^="/api/documents/"]')).toHaveCount(2)
  const widths = () =>
    ben.editor
      .locator('img[src^="/api/documents/"]')
      .evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth))
  await expect.poll(widths).toEqual([40, 80])
  await expect(ana.editor.getByRole('group', { name: /\.png$/ })).toHaveCount(0)
  expect(await exported(ana, path)).toMatch(
    /^Before\n\nBen writes above, and on\n\nHere\n\n!\[\]\(.*\)\n\n!\[\]\(.*\)\n\nAfter\n$/,
  )
})

test('[WRITE-21] Markdown that is dropped into a document is inserted at its place, and no file opens in its place', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const path = await openNew(ana, 'Before\n\nHere\n\nAfter')
  const binary = textFile('photo.md', Buffer.from([0x89, 0x50, 0x4e, 0x47]))
  const here = ana.editor.getByText('Here')
  await dropFiles(here, [textFile('a.md', ' and **there**\n\n## Part\n\n- one'), textFile('b.md', 'End'), binary])
  await expect(ana.page.getByText('“photo.md” is not a text. Save it as text in UTF-8')).toBeVisible()
  await expect(ana.editor.locator('h2')).toHaveText('Part')
  await expect(ana.saved).toHaveText(/^Saved/)
  expect(await exported(ana, path)).toBe('Before\n\nHereand **there**\n\n## Part\n\n- one\n\nEnd\n\nAfter\n')
  await ana.page.keyboard.press('ControlOrMeta+z')
  await expect(ana.editor).toHaveText('BeforeHereAfter')

  // Elsewhere on the page nothing takes files.
  const isRefused = ana.page.getByRole('banner').evaluate((element) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['a'], 'a.md'))
    const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
    return !element.dispatchEvent(event)
  })
  expect(await isRefused).toBe(true)
})
