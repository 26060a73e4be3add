import { expect, test } from '@playwright/test'
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
  expect(await ana.page.evaluate(() => ({ ...document.documentElement.dataset }))).toMatchObject({
    compositionstart: 'x',
  })
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
