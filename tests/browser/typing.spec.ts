import { expect, type Page } from '@playwright/test'
import { ask, clickEndOf, enter, isOpen, openNew } from './people.ts'
import { test } from './test.ts'

/** What costs time while a user types. `walks` is how often a script has gone through the text from node to node. */
type Counts = { commits: number; caretsDrawn: number; walks: number }

/** Before the document is opened: has React tell of its commits. */
async function canCount(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counts = { commits: 0, caretsDrawn: 0, walks: 0 }
    const ignore = (): void => {}
    Object.assign(window, {
      counts,
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        inject: () => 1,
        onCommitFiberRoot: () => (counts.commits += 1),
        onCommitFiberUnmount: ignore,
        onPostCommitFiberRoot: ignore,
      },
    })
  })
}

/**
 * Counts from now on. To be called once, after the document is open; the text's last block stays as it is meanwhile.
 */
async function startCounting(page: Page): Promise<void> {
  await page.evaluate(() => {
    type Transactions = { on(name: 'transaction', listener: (event: { transaction: unknown }) => void): void }
    const { counts } = window as unknown as { counts: Counts }
    const text = document.querySelector('.ProseMirror') as Element & { editor: Transactions }
    const last = text.lastElementChild
    if (!last) throw new Error('the text is empty')
    const { firstChild } = last
    Object.defineProperty(last, 'firstChild', {
      get() {
        counts.walks += 1
        return firstChild
      },
    })
    text.editor.on('transaction', ({ transaction }) => {
      const { docChanged, meta } = transaction as { docChanged: boolean; meta: Record<string, unknown> }
      if (!docChanged && 'yjs-cursor$' in meta) counts.caretsDrawn += 1
    })
  })
  await resetCounts(page)
}

const resetCounts = (page: Page): Promise<unknown> =>
  page.evaluate('Object.assign(counts, { commits: 0, caretsDrawn: 0, walks: 0 })')
const countsOf = (page: Page): Promise<Counts> => page.evaluate('counts')

test('a page hardly renders while its person types, another one moves about and writes, and the agent answers', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  await canCount(ana.page)
  const lines = Array.from({ length: 40 }, (_, index) => `Line ${index + 1} of many`)
  const path = await openNew(ana, lines.join('\n\n'))
  const ben = await enter(browser, 'Ben', { path })
  await isOpen(ben)
  await clickEndOf(ben, 'Line 3 of many')
  await expect(ana.editor.locator('.peer-label')).toHaveText('Ben')
  await clickEndOf(ana, 'Line 5 of many')
  await ana.page.keyboard.type('!')
  await expect(ana.saved).toHaveText(/^Saved/)

  await startCounting(ana.page)
  const typed = 'letters that somebody types'
  const move = async () => {
    for (let step = 0; step < 20; step++) await ben.page.keyboard.press(step % 2 ? 'ArrowUp' : 'ArrowDown')
    await ben.page.keyboard.type(' and more')
  }
  await Promise.all([ana.page.keyboard.type(typed, { delay: 40 }), move()])
  await expect(ana.editor).toContainText(typed)
  await expect(ana.editor).toContainText(' and more')
  await expect(ana.saved).toHaveText(/^Saved/)
  const counts = await countsOf(ana.page)
  expect(counts.commits).toBeGreaterThan(0)
  // Whether everything is saved, at both ends, and a button of the toolbar; none for a key.
  expect(counts.commits).toBeLessThanOrEqual(8)
  expect(counts.walks).toBe(0)

  // While the other users are idle, the carets of others are drawn only when the typing user pauses.
  await resetCounts(ana.page)
  await ana.page.keyboard.type(typed, { delay: 20 })
  await expect(ana.saved).toHaveText(/^Saved/)
  expect((await countsOf(ana.page)).caretsDrawn).toBeLessThanOrEqual(3)

  // What is rendered all the same, such as an answer, leaves the text alone that holds the focus.
  await resetCounts(ana.page)
  await ask(ben, 'replace Line 9 of with Row 9 of')
  await expect(ana.editor).toContainText('Row 9 of many')
  await expect(ana.conversation).toContainText('Row 9')
  const answered = await countsOf(ana.page)
  expect(answered.commits).toBeGreaterThan(0)
  expect(answered.walks).toBe(0)
  await expect(ana.editor).toBeFocused()
  await ana.page.keyboard.type('?')
  await expect(ana.editor.getByText(`!${typed}${typed}?`)).toBeVisible()
})

test('names over carets stay inside a narrow page', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await ana.page.setViewportSize({ width: 390, height: 844 })
  const path = await openNew(ana, `Short\n\n${'word '.repeat(30)}`)
  const ben = await enter(browser, 'Benedikt Featherstone', { path })
  await ben.page.setViewportSize({ width: 390, height: 844 })
  await isOpen(ben)
  await ben.editor
    .locator('p')
    .nth(1)
    .click({ position: { x: 40, y: 10 } })
  await ben.page.keyboard.press('End')
  // The end of a line is where the next one begins, too.
  await ben.page.keyboard.press('ArrowLeft')
  const label = ana.editor.locator('.peer-label')
  await expect(label).toHaveText('Benedikt Featherstone')
  await expect(label).toHaveAttribute('data-shifted')
  const edges = () =>
    label.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect()
      const caret = element.parentElement?.getBoundingClientRect().left ?? Number.NaN
      return { left, right, caret }
    })
  const atEnd = await edges()
  expect(atEnd.right).toBeLessThanOrEqual(390)
  expect(atEnd.left).toBeLessThan(atEnd.caret)
  expect(atEnd.right).toBeGreaterThan(atEnd.caret)
  expect(await ana.page.evaluate('document.documentElement.scrollWidth')).toBe(390)

  // An idle user's caret is visible to clients that open the document later.
  await ana.page.reload()
  await expect(label).toHaveText('Benedikt Featherstone')
  await expect(label).toHaveAttribute('data-shifted')

  await ben.page.keyboard.press('Home')
  await expect(label).not.toHaveAttribute('data-shifted')
  const atStart = await edges()
  expect(Math.abs(atStart.left - atStart.caret)).toBeLessThan(6)
})
