import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Browser, expect, type Locator } from '@playwright/test'
import * as Y from 'yjs'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { writeUncheckedContent } from '../support/unchecked-content.ts'
import { clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

type Content = (Y.XmlElement | Y.XmlText)[]

function element(name: string, attributes: Record<string, unknown> = {}, ...children: Content): Y.XmlElement {
  const made = new Y.XmlElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value as string)
  made.insert(0, children)
  return made
}

const paragraph = (...content: (Y.XmlElement | string)[]): Y.XmlElement =>
  element('paragraph', {}, ...content.map((each) => (typeof each === 'string' ? new Y.XmlText(each) : each)))

function table(rows: number, columns: number, attributes: Record<string, unknown> = {}): Y.XmlElement {
  const cell = (row: number, column: number): Y.XmlElement =>
    element('tableCell', row + column === 0 ? attributes : {}, paragraph(`cell ${row}.${column}`))
  return element(
    'table',
    {},
    ...Array.from({ length: rows }, (_, row) =>
      element('tableRow', {}, ...Array.from({ length: columns }, (_each, column) => cell(row, column))),
    ),
  )
}

const nest = (open: string, close: string, times: number): string => open.repeat(times) + 'x' + close.repeat(times)
const marks = '\u0301'.repeat(200_000)

/** What no browser could draw: the blocks, and how their place says so. */
const hostile: Record<string, { make: () => Y.XmlElement[]; note: RegExp; remains?: string }> = {
  'a cell over 1e9 columns': {
    make: () => [table(2, 2, { colspan: 1e9 })],
    note: /This block can’t be shown: a cell in it/,
  },
  'a cell over as many columns as there may be, a thousand times': {
    make: () => [
      element(
        'table',
        {},
        element(
          'tableRow',
          {},
          ...Array.from({ length: 1000 }, () => element('tableCell', { colspan: 200, rowspan: 9 }, paragraph('x'))),
        ),
        ...Array.from({ length: 20 }, () => element('tableRow', {}, element('tableCell', {}, paragraph('y')))),
      ),
    ],
    note: /This block can’t be shown: it is too wide \(200,\d+ columns\)/,
  },
  'a number of columns that is none': {
    make: () => [table(2, 2, { colspan: '1e9', align: 'left; position: fixed' })],
    note: /This block can’t be shown: a cell in it/,
  },
  'a formula of 440 KB': {
    make: () => [element('blockMath', { latex: 'x+'.repeat(220_000) })],
    note: /This formula can’t be shown: it is too long \(440,000 characters\)/,
  },
  'a formula of 440 KB in a line': {
    make: () => [paragraph('in a line ', element('inlineMath', { latex: 'x+'.repeat(220_000) }))],
    note: /This formula can’t be shown: it is too long/,
    remains: 'in a line',
  },
  'a formula that is nested 200 levels deep': {
    make: () => [element('blockMath', { latex: nest('\\frac{a}{', '}', 200) })],
    note: /This formula can’t be shown: it is too complex/,
  },
  'a formula that makes millions of itself': {
    make: () => [
      element('blockMath', {
        latex: `\\def\\a#1{${'#1'.repeat(9)}}\\def\\b{${'x+'.repeat(2000)}}\\a{\\a{\\a{\\b}}}`,
      }),
    ],
    note: /This formula can’t be shown: it is too complex/,
  },
  '200,000 combining marks': {
    make: () => [paragraph(`before a${marks}b behind`)],
    note: /200,000 combining marks aren’t shown/,
    remains: 'before a',
  },
  'a heading of 200,000 combining marks': {
    make: () => [element('heading', { level: 2 }, new Y.XmlText(`title${marks}`))],
    note: /200,000 combining marks aren’t shown/,
    remains: 'title',
  },
  'a paragraph of a million characters': {
    make: () => [paragraph('lorem ipsum '.repeat(90_000))],
    note: /This block can’t be shown: its text is too long \(1,080,000 characters\)/,
  },
  'text that turns its direction 50,000 times': {
    make: () => [paragraph('aא'.repeat(50_000))],
    note: /This block can’t be shown: its text is too fragmented/,
  },
  'a code block of a million characters': {
    make: () => [element('codeBlock', { language: 'javascript' }, new Y.XmlText('let x = [1, 2]\n'.repeat(70_000)))],
    note: /This block can’t be shown: its text is too long/,
  },
  'an image of absurd width': {
    make: () => [element('image', { src: '/x.png', width: 1e9, height: 1e9 })],
    note: /This block can’t be shown: its width and height are not valid in such a block/,
  },
  'attributes of wrong types': {
    make: () => [element('heading', { level: { a: 1 } }, new Y.XmlText('a heading'))],
    note: /This block can’t be shown: its level is not valid/,
  },
}

const shown = {
  'a table that can be shown again': () => [table(2, 2, { colspan: 1e9, align: 'left; position: fixed' })],
  'a block to walk over': () => [paragraph('lorem ipsum '.repeat(90_000))],
  'a place to paste': () => [],
  'a place for forms': () => [],
} as const

let server: Copydesk
const documents = new Map<string, string>()

test.beforeAll(async ({ request }) => {
  server = await startCopydesk()
  await request.post(`${server.url}/api/session`, { data: { name: 'Mallory' } })
  const makers = [...Object.entries(hostile).map(([name, { make }]) => [name, make] as const), ...Object.entries(shown)]
  const edits: Record<string, (fragment: Y.XmlFragment) => void> = {}
  for (const [name, make] of makers) {
    const data = { title: name, markdown: 'The first line\n\nThe last line' }
    const response = await request.post(`${server.url}/api/documents`, { data })
    const { id } = (await response.json()) as { id: string }
    documents.set(name, id)
    edits[id] = (fragment) => fragment.insert(1, make())
  }
  await writeUncheckedContent(server, edits)
})

test.afterAll(() => server.dispose())

/** Opens the document of this name as a new user. */
async function open(browser: Browser, name: string): Promise<Person> {
  const person = await enter(browser, 'Ana', { path: `/d/${documents.get(name)}`, origin: server.url })
  await isOpen(person)
  return person
}

/** Writes behind a text; the page goes on as one can read from it. */
async function canWrite(person: Person, text: string, words: string): Promise<void> {
  await clickEndOf(person, text)
  await person.page.keyboard.type(words)
  await expect(person.editor).toContainText(text + words)
  await expect(person.saved).toHaveText(/^Saved/)
}

const note = ({ page }: Person): Locator => page.getByRole('group', { name: 'Not shown' })

/** How many updates of the document of this name are in the log. */
function updatesOf(name: string): unknown {
  const file = new DatabaseSync(join(server.dataDir, 'copydesk.sqlite'), { readOnly: true })
  try {
    return file.prepare('SELECT count(*) AS count FROM document_updates WHERE name = ?').get(documents.get(name) ?? '')
  } finally {
    file.close()
  }
}

for (const [name, { note: expected, remains }] of Object.entries(hostile)) {
  test(`[WRITE-13] ${name}: its place says so, the rest can be written in, and it can be deleted`, async ({
    browser,
  }) => {
    const ana = await open(browser, name)
    await expect(note(ana)).toHaveText(expected)
    // Viewing writes nothing.
    expect(updatesOf(name)).toEqual({ count: 2 })
    await canWrite(ana, 'The last line', ', still')
    await canWrite(ana, 'The first line', ', too')
    await note(ana)
      .getByRole('button', { name: /^Delete/ })
      .click()
    await expect(note(ana)).toHaveCount(0)
    if (remains !== undefined) await expect(ana.editor).toContainText(remains)
    await expect(ana.saved).toHaveText(/^Saved/)
    await ana.page.reload()
    await isOpen(ana)
    await expect(note(ana)).toHaveCount(0)
    await expect(ana.editor).toContainText('The first line, too')
    await expect(ana.editor).toContainText('The last line, still')
  })
}

test('[WRITE-13] what is wrong about a block can be left out, and it is shown', async ({ browser }) => {
  const ana = await open(browser, 'a table that can be shown again')
  // All of it can be copied.
  await ana.editor.click()
  await ana.page.keyboard.press('ControlOrMeta+a')
  await ana.page.keyboard.press('ControlOrMeta+c')
  await note(ana).getByRole('button', { name: 'Show without that' }).click()
  await expect(note(ana)).toHaveCount(0)
  await expect(ana.editor.getByRole('cell')).toHaveText(['cell 0.0', 'cell 0.1', 'cell 1.0', 'cell 1.1'])
  await expect(ana.saved).toHaveText(/^Saved/)
})

test('[WRITE-13] by keyboard a block that isn’t shown is selected as a whole, typing leaves it, and Delete takes it', async ({
  browser,
}) => {
  const ana = await open(browser, 'a block to walk over')
  await clickEndOf(ana, 'The first line')
  await ana.page.keyboard.press('ArrowDown')
  await ana.page.keyboard.type('typed')
  await expect(note(ana)).toHaveCount(1)
  await ana.page.keyboard.press('ArrowDown')
  await ana.page.keyboard.press('Home')
  await ana.page.keyboard.type('Here: ')
  await expect(ana.editor.locator('p')).toHaveText(['The first line', /^lorem/, 'Here: The last line'])
  await ana.page.keyboard.press('Home')
  await ana.page.keyboard.press('ArrowUp')
  await ana.page.keyboard.press('Delete')
  await expect(note(ana)).toHaveCount(0)
  await expect(ana.editor.locator('p')).toHaveText(['The first line', 'Here: The last line'])
  // A reader sees the notice, and can copy the text.
  await ana.page.keyboard.press('ControlOrMeta+z')
  await expect(note(ana)).toHaveCount(1)
  await ana.page.keyboard.press('ControlOrMeta+Alt+Shift+c')
  await expect(note(ana).getByRole('button')).toHaveText(['Copy its text'])
})

/** Pastes HTML into the text as a browser does. */
async function paste({ page, editor }: Person, html: string): Promise<void> {
  await editor.evaluate((element, given) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', given)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, html)
  await expect(page.getByText('Some of what was pasted was changed')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
}

test('[WRITE-14] what is pasted comes to fit, says so, and the server takes it', async ({ browser }) => {
  const ana = await open(browser, 'a place to paste')
  await clickEndOf(ana, 'The last line')
  await ana.page.keyboard.press('Enter')
  await paste(ana, `<p><a href="https://example.org/${'x'.repeat(9000)}">a link to far away</a></p>`)
  await paste(ana, `<p>a formula <span data-type="inline-math" data-latex="${'y+'.repeat(10_000)}"></span></p>`)
  await paste(ana, `<p>${'long '.repeat(90_000)}</p>`)
  await ana.page.keyboard.press('Enter')
  const spans = '<tr><td colspan="1000000000">all</td></tr><tr><td>left</td><td>right</td></tr>'
  await paste(ana, `<table>${spans}</table>`)
  await expect(ana.editor.getByRole('cell', { name: 'all' })).toHaveAttribute('colspan', '2')
  await expect(ana.saved).toHaveText(/^Saved/)
  await ana.page.reload()
  await isOpen(ana)
  await expect(ana.editor.getByRole('cell', { name: 'all' })).toHaveAttribute('colspan', '2')
  await expect(ana.editor).toContainText('a link to far away')
  await expect(ana.editor.getByText('long long long')).toHaveCount(4)
  await expect(note(ana)).toHaveCount(0)
})

test('[WRITE-14] a form says where something is too long', async ({ browser }) => {
  const ana = await open(browser, 'a place for forms')
  await clickEndOf(ana, 'The last line')
  await ana.page.keyboard.press('ControlOrMeta+Shift+e')
  await ana.page.getByLabel('Formula in LaTeX').fill('x+'.repeat(6000))
  await expect(ana.page.getByRole('alert')).toHaveText('A formula has at most 10,000 characters. This one has 12,000.')
  await expect(ana.page.getByRole('button', { name: 'Insert' })).toBeDisabled()
  await ana.page.getByLabel('Formula in LaTeX').fill('x+y')
  // The button moves up when the message goes.
  await expect(ana.page.getByRole('alert')).toHaveCount(0)
  await ana.page.getByRole('button', { name: 'Insert' }).click()
  await expect(ana.editor.locator('.katex')).toBeVisible()
  await ana.page.getByRole('button', { name: 'Text formatting' }).click()
  await ana.page.getByRole('menuitem', { name: /^Link/ }).click()
  await ana.page.getByLabel('Link to').fill(`https://example.org/${'x'.repeat(9000)}`)
  await ana.page.keyboard.press('Enter')
  await expect(ana.page.getByRole('alert')).toHaveText('An address has at most 8,192 characters.')
})

// What a document may hold, as written in the page's scripts.
const builtLimits = /(pieces:[\de]+),characters:5e6/

/** Gives the page a low limit: its own scripts with another number in them. */
async function lowerLimit({ page }: Person, characters: number): Promise<void> {
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    await route.fulfill({ response, body: body.replace(builtLimits, `$1,characters:${characters}`) })
  })
}

test('[WRITE-15, WRITE-16] a document that fills says so in time, takes nothing more when it is full, and a part of it moves to a new one', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  await lowerLimit(ana, 1000)
  const path = await openNew(ana, `# Part one\n\n${'x'.repeat(850)}\n\n## Part two\n\nIts **words** and\n\n- a list`)
  const bar = ana.page.getByRole('status').filter({ hasText: 'This document' })
  await expect(bar).toHaveCount(0)
  await clickEndOf(ana, 'Its words and')
  await ana.page.keyboard.type(' so on')
  await expect(bar).toContainText('This document holds 9')
  // A long paste is one step too far, and so is a key when nothing fits any more.
  await ana.editor.evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'y'.repeat(500))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(ana.page.getByText('This document is full, so nothing was added.')).toBeVisible()
  await ana.page.keyboard.type('z'.repeat(120))
  await expect(bar).toContainText('This document is full.')
  await expect(ana.editor).not.toContainText('yyy')
  const written = await ana.editor.getByText('Its words and so on').textContent()
  expect(written?.length).toBeLessThan(120)
  for (let times = 0; times < 20; times++) await ana.page.keyboard.press('Backspace')
  await expect(ana.editor.getByText('Its words and so on')).toHaveText(written?.slice(0, -20) ?? '')
  await expect(ana.saved).toHaveText(/^Saved/)

  await clickEndOf(ana, 'Part two')
  await bar.getByRole('button', { name: 'Move what follows…' }).click()
  await expect(ana.page.getByRole('dialog')).toContainText('3 blocks move to a document of your own')
  await ana.page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(ana.editor.locator('p').last()).toHaveText('Continued in Part two')
  await expect(ana.editor).not.toContainText('a list')
  await expect(bar).toHaveCount(0)
  await expect(ana.saved).toHaveText(/^Saved/)
  const link = await ana.editor.getByRole('link', { name: 'Part two' }).getAttribute('href')
  expect(link).toMatch(/^\/d\//)
  const moved = await ana.page.request.get(`/api${link?.replace('/d/', '/documents/')}/export`)
  expect(await moved.text()).toBe(
    `## Part two\n\n${written?.slice(0, -20).replace('words', '**words**')}\n\n- a list\n`,
  )

  await ana.editor.press('ControlOrMeta+z')
  await expect(ana.editor).toContainText('a list')
  await expect(ana.editor.getByRole('link', { name: 'Part two' })).toHaveCount(0)
  await ana.page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(ana.editor.getByRole('heading', { name: 'Part two' })).toBeVisible()
  expect(new URL(ana.page.url()).pathname).not.toBe(path)
})

test('[WRITE-16] while others write in what moves nothing of theirs is lost, and where the server can’t be reached all stays', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  const ben = await enter(browser, 'Ben', { origin: server.url })
  const path = await openNew(ana, 'Stays\n\nMoves\n\nMoves too')
  await ben.page.goto(path)
  await isOpen(ben)
  await clickEndOf(ana, 'Moves')
  // The field of the dialog has much of the same name as the text.
  const text = ana.page.locator('.document-text')
  // Without a server.
  await ana.page.keyboard.press('ControlOrMeta+Alt+Shift+n')
  await ana.page.route('**/api/documents', (route) => route.abort())
  await ana.page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(ana.page.getByRole('dialog').getByRole('alert')).toBeVisible()
  await expect(text).toContainText('Moves too')
  await ana.page.unroute('**/api/documents')
  // The document is created, and meanwhile Ben keeps typing.
  await clickEndOf(ben, 'Moves too')
  await ana.page.route('**/api/documents', async (route) => {
    await ben.page.keyboard.type(', said Ben')
    await expect(text).toContainText('Moves too, said Ben')
    await route.continue()
  })
  await ana.page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(ben.editor.locator('p')).toHaveText(['Stays', /^Continued in Moves/])
  const link = await ana.editor.getByRole('link', { name: 'Moves' }).getAttribute('href')
  const moved = await ana.page.request.get(`/api${link?.replace('/d/', '/documents/')}/export`)
  expect(await moved.text()).toBe('Moves\n\nMoves too, said Ben\n')
})

test('[WRITE-15] when the document is full, the page keeps what was written, says so, and continues when there is room', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  let isFull = false
  await ana.page.routeWebSocket(/\/collab/, (socket) => {
    const upstream = socket.connectToServer()
    // An update of the content while the document is full.
    socket.onMessage((message) => {
      if (isFull && typeof message !== 'string' && message.includes('refused words')) {
        void socket.close({ code: 4413, reason: 'document_full: no more than this' })
      } else upstream.send(message)
    })
  })
  await openNew(ana, 'The only line')
  isFull = true
  await clickEndOf(ana, 'The only line')
  await ana.page.keyboard.insertText(', and refused words')
  const banner = ana.page.getByRole('alert')
  await expect(banner).toContainText('This document is full, so the server didn’t take what was written here since')
  await expect(banner).toContainText('It is kept in this browser.')
  await expect(ana.editor).toContainText('and refused words')
  // The user can delete text to make room.
  for (let times = 0; times < 14; times++) await ana.page.keyboard.press('Backspace')
  isFull = false
  await banner.getByRole('button', { name: 'Try again' }).click()
  await expect(banner).toHaveCount(0)
  await expect(ana.saved).toHaveText(/^Saved/)
  await expect(ana.editor).toHaveText('The only line, and')
})
