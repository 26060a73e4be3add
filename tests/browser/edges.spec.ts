import { expect } from '@playwright/test'
import { canHoldMessages, clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

async function exported(person: Person, path: string): Promise<string> {
  await expect(person.saved).toHaveText(/^Saved/)
  return (await person.page.request.get(`/api/documents${path.slice(2)}/export?format=markdown`)).text()
}

test('cells are merged and parted and headings switched while somebody types in the table: nothing is lost', async ({
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
  await meanwhile('!', () => menu('First row is a header', 'menuitemcheckbox'))
  const merged = [
    ['#a', 'b', 'c'],
    ['#d/even and on, he types! 2×1', 'f'],
    ['#g', 'h', 'i'],
  ]
  await both(merged)
  await clickEndOf(ana, 'd')
  await menu('Split cell')
  await both([['#a', 'b', 'c'], ['#d/even and on, he types!', '#', 'f'], ['#g', 'h', 'i']])
  await ana.page.keyboard.press('ControlOrMeta+z')
  await both(merged)
})

test('several images are on their way at once: one is cancelled, one fails and comes later, and all stand in their order', async ({
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
      return { name: `${width}.png`, base64: pixels.toString('base64') }
    }),
  )
  await ana.editor.getByText('Here').evaluate((target, files) => {
    const dataTransfer = new DataTransfer()
    for (const { name, base64 } of files) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      dataTransfer.items.add(new File([bytes], name, { type: 'image/png' }))
    }
    const box = target.getBoundingClientRect()
    const place = { clientX: box.right - 4, clientY: box.top + box.height / 2 }
    target.dispatchEvent(new DragEvent('drop', { ...place, dataTransfer, bubbles: true, cancelable: true }))
  }, images)
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
    ben.editor.locator('img[src^="/api/documents/"]').evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth))
  await expect.poll(widths).toEqual([40, 80])
  await expect(ana.editor.getByRole('group', { name: /\.png$/ })).toHaveCount(0)
  expect(await exported(ana, path)).toMatch(/^Before\n\nBen writes above, and on\n\nHere\n\n!\[\]\(.*\)\n\n!\[\]\(.*\)\n\nAfter\n$/)
  await expect(ana.page.getByText('was cancelled')).toHaveCount(0)
})

test('plain paste and the question mark', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await ana.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const path = await openNew(ana, '**Bold** and [a link](https://example.org)\n\nTarget')
  await ana.editor.getByText('Bold').click()
  await ana.page.keyboard.press('Home')
  await ana.page.keyboard.press('Shift+End')
  await ana.page.keyboard.press('ControlOrMeta+c')
  await clickEndOf(ana, 'Target')
  await ana.page.keyboard.type('? ')
  await ana.page.keyboard.press('ControlOrMeta+Shift+v')
  await expect(ana.editor.getByText('Target? Bold and a link')).toHaveCount(1)
  await ana.page.evaluate(() => navigator.clipboard.writeText('# no *heading*\n- no item'))
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.press('ControlOrMeta+Shift+v')
  await expect(ana.editor).toContainText('# no *heading*')
  await expect(ana.editor.locator('h1, li, em')).toHaveCount(0)
  console.log(await exported(ana, path))
  await ana.page.getByRole('button', { name: 'Document menu' }).focus()
  await ana.page.keyboard.press('?')
  const overview = ana.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(overview).toBeVisible()
  await ana.page.keyboard.press('Escape')
  await expect(overview).toBeHidden()
  await ana.page.getByRole('textbox', { name: 'Message the agent' }).focus()
  await ana.page.keyboard.type('?')
  await expect(overview).toBeHidden()
  await expect(ana.page.getByRole('textbox', { name: 'Message the agent' })).toHaveValue('?')
})

test('who may only read now keeps what they wrote', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await ana.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await ana.page.routeWebSocket(/\/collab/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      if (message.length > 20_000) void socket.close({ code: 1009 })
      else server.send(message)
    })
  })
  await ana.page.route('**/updates', (route) =>
    route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'You can only read this document.' } } }),
  )
  await openNew(ana, 'Text')
  await clickEndOf(ana, 'Text')
  await ana.page.keyboard.insertText(` ${'large '.repeat(5000)}end`)
  const banner = ana.page.getByRole('alert')
  await expect(banner).toContainText('You can only read this document now')
  await expect(ana.editor).toContainText('large end')
  await ana.page.screenshot({ path: '/tmp/edges-refused.png' })
  console.log(await ana.saved.textContent(), await ana.editor.getAttribute('contenteditable'))
  await banner.getByRole('button', { name: 'Copy the text' }).click()
  await expect(ana.page.getByText('Text copied.')).toBeVisible()
  expect(await ana.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Text large .*large end/)
  await banner.getByRole('button', { name: 'Discard and reload' }).click()
  await expect(ana.saved).toHaveText(/^Saved/)
  await expect(ana.editor).toHaveText('Text')
})
