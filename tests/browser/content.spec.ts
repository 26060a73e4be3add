import { expect, test } from '@playwright/test'
import {
  fromGoogleDocs,
  fromHostilePage,
  fromWord,
  googleDocsAsMarkdown,
  hostileAsMarkdown,
  wordAsMarkdown,
} from './clipboard-samples.ts'
import { ask, clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'

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
  const path = await openNew(ana, `${words} and \n\nשורה בעברית`)
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
  await ask(ben, 'replace teh with the')
  await ben.editor.locator('p').first().click()
  await ben.page.keyboard.press('ControlOrMeta+Home')
  await ben.page.keyboard.type('Ben types here. ', { delay: 10 })
  for (const text of ['にほ', 'にほん', 'にほんご', '日本語']) {
    await compose(text)
    // What is being composed is seen by the others at once, and the agent goes on.
    await expect(ben.editor).toContainText(text)
  }
  await expect(ben.conversation).toContainText('teh → the')
  await expect(ana.page.locator('html')).toHaveAttribute('data-compositionstart', 'x')
  await expect(ana.page.locator('html')).not.toHaveAttribute('data-compositionend', /./)
  await expect(ana.editor).toContainText('teh teh')
  await keyboard.send('Input.insertText', { text: '日本語' })
  await ana.page.keyboard.type(' ok')
  const expected = `Ben types here. ${words.replaceAll('teh', 'the')} and日本語 ok`
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

type Clipboard = Record<string, string>

/** Pastes as the browser does after the keys for it, with this in the clipboard. */
async function paste(person: Person, clipboard: Clipboard): Promise<void> {
  await person.editor.evaluate((editor, contents) => {
    const clipboardData = new DataTransfer()
    for (const [type, text] of Object.entries(contents)) clipboardData.setData(type, text)
    editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, clipboard)
}

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
