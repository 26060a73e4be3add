import { expect, type Locator } from '@playwright/test'
import { findings } from './findings.ts'
import { clickEndOf, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

const picture = ({ editor }: Person): Locator => editor.locator('.image-view img')
const captionField = ({ editor }: Person): Locator => editor.getByRole('textbox', { name: 'Caption' })
const slider = ({ editor }: Person): Locator => editor.getByRole('slider', { name: 'Width of the image' })

async function sizeOf(element: Locator): Promise<{ width: number; ratio: number; middle: number }> {
  const box = await element.boundingBox()
  if (!box) throw new Error('not shown')
  return { width: Math.round(box.width), ratio: box.width / box.height, middle: box.x + box.width / 2 }
}

/** Drags a handle sideways, looks at what is shown while it is held, and releases it. */
async function drag({ page, editor }: Person, side: 'left' | 'right', by: number, whileHeld = async () => {}) {
  const box = await editor.locator(`.image-handle[data-side=${side}]`).boundingBox()
  if (!box) throw new Error('no handle')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + by, y, { steps: 3 })
  await whileHeld()
  await page.mouse.up()
}

async function exported({ page }: Person, path: string): Promise<string> {
  const answer = await page.request.get(`/api${path.replace('/d/', '/documents/')}/export?format=markdown`)
  return answer.text()
}

test('[IMG-10] [IMG-11] an image is resized, placed, described and replaced, for everyone, and nothing else of it changes', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  await ana.page.setViewportSize({ width: 1440, height: 900 })
  await ben.page.setViewportSize({ width: 390, height: 844 })
  const path = await openNew(ana, 'Before\n\n[![A cat](/icon.svg "Our cat")](https://example.org)\n\nAfter')
  const thread = { quote: '![A cat](/icon.svg "Our cat")', text: 'Whose?' }
  const threads = `/api${path.replace('/d/', '/documents/')}/threads`
  expect((await ana.page.request.post(threads, { data: thread })).ok()).toBe(true)
  await ben.page.goto(path)
  await isOpen(ben)
  await expect(ana.editor.locator('figcaption')).toHaveText('Our cat')

  // Only the one who drags sees it before the handle is released; the proportions stay.
  await picture(ana).click()
  await drag(ana, 'right', 150, async () => {
    await expect.poll(async () => (await sizeOf(picture(ana))).width).toBe(300)
    expect((await sizeOf(picture(ben))).width).toBe(150)
  })
  await expect.poll(() => sizeOf(picture(ben))).toMatchObject({ width: 300, ratio: 1 })
  await drag(ana, 'left', -40, () => ana.page.keyboard.press('Escape'))
  await expect.poll(async () => (await sizeOf(picture(ana))).width).toBe(300)
  // Both sides of a centred image move. At the edge of the text it is as wide as that, however wide that is.
  const text = await sizeOf(ana.editor.getByText('Before'))
  await ana.page.getByRole('button', { name: 'Centre' }).click()
  await expect.poll(async () => Math.abs((await sizeOf(picture(ana))).middle - text.middle)).toBeLessThan(1)
  await drag(ana, 'left', 20)
  await expect.poll(async () => (await sizeOf(picture(ben))).width).toBe(260)
  await drag(ana, 'right', 600)
  await expect(ana.page.getByRole('button', { name: 'Full width' })).toHaveAttribute('aria-pressed', 'true')
  expect((await sizeOf(picture(ana))).width).toBe(text.width)
  const narrow = await sizeOf(ben.editor.getByText('Before'))
  await expect.poll(async () => (await sizeOf(picture(ben))).width).toBe(narrow.width)

  // By keyboard, and taken back.
  await ana.editor.focus()
  await ana.page.keyboard.press('Tab')
  await expect(slider(ana)).toBeFocused()
  await expect(slider(ana)).toHaveAttribute('aria-valuetext', 'Full width')
  await ana.page.keyboard.press('Home')
  await ana.page.keyboard.press('Shift+ArrowRight')
  await expect(slider(ana)).toHaveAttribute('aria-valuetext', '148 pixels')
  await expect.poll(async () => (await sizeOf(picture(ben))).width).toBe(148)
  await ana.page.keyboard.press('Enter')
  await expect(ana.editor).toBeFocused()

  // Another description by the form, and another file, while the other person writes above it.
  await ana.page.getByRole('button', { name: 'Edit image' }).click()
  await ana.page.getByLabel('Description for those who can’t see it').fill('A black cat')
  await ana.page.keyboard.press('Enter')
  await expect(picture(ben)).toHaveAttribute('alt', 'A black cat')
  await expect(ana.editor).toBeFocused()
  const pixels = await ana.page.screenshot({ clip: { x: 0, y: 0, width: 120, height: 60 } })
  let release = () => {}
  const sendSlowly = async () => {
    const held = new Promise<void>((resolve) => (release = resolve))
    await ana.page.route('**/images', async (route) => held.then(() => route.continue()), { times: 1 })
    await ana.page.getByRole('button', { name: 'Edit image' }).click()
    const file = { name: 'dog.png', mimeType: 'image/png', buffer: pixels }
    await ana.page.getByLabel('Image from this device').setInputFiles(file)
    await expect(ana.editor.getByRole('progressbar', { name: 'Sending dog.png' })).toBeVisible()
  }
  await sendSlowly()
  await clickEndOf(ben, 'Before')
  await ben.page.keyboard.press('Enter')
  await ben.page.keyboard.type('Written meanwhile')
  await expect(ana.editor).toContainText('Written meanwhile')
  release()
  await expect.poll(() => sizeOf(picture(ben))).toMatchObject({ width: 148, ratio: 2 })
  await expect(ana.editor.locator('.image-view')).toHaveAttribute('data-threads', /./)
  expect(await exported(ana, path)).toMatch(
    /^Before\n\nWritten meanwhile\n\n\[<img src="\/api[^"]+" alt="A black cat" title="Our cat" width="148" align="center">\]\(https:\/\/example.org\)\n\nAfter\n$/,
  )

  // Deleted meanwhile it doesn't come back.
  await picture(ana).click()
  await sendSlowly()
  await picture(ben).click()
  await ben.page.keyboard.press('Delete')
  await expect(picture(ana)).toHaveCount(0)
  release()
  await expect(ana.editor.getByText('The place for this image was deleted.')).toBeVisible()
  expect(await exported(ana, path)).toBe('Before\n\nWritten meanwhile\n\nAfter\n')
})

test('[IMG-12] [IMG-13] [IMG-15] an image opens on the whole screen, for readers by a click or Enter; captions are found and replaced, and have links', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const { page, editor } = ana
  const path = await openNew(
    ana,
    'A cat\n\n[![A cat](/icon.svg "The cat. A cat")](https://example.org/cats)\n\n![A dog](/icon.svg "Photo: [Ada](https://ada.example/)")',
  )
  await page.context().route('https://ada.example/', (route) => route.fulfill({ body: 'Ada' }))
  const author = editor.locator('figcaption').last().getByRole('link', { name: 'Ada', exact: true })
  const opened = page.waitForEvent('popup', { timeout: 60_000 })
  await author.click()
  const popup = await opened
  await popup.waitForURL('https://ada.example/')
  await popup.close()
  await expect(page.locator('.ProseMirror-selectednode')).toHaveCount(0)
  await editor
    .locator('figcaption')
    .last()
    .click({ position: { x: 4, y: 8 } })
  await expect(captionField(ana).last()).toBeFocused()
  await expect(captionField(ana).last()).toHaveValue('Photo: [Ada](https://ada.example/)')
  await page.keyboard.press('Escape')
  const view = page.getByRole('dialog', { name: 'A cat' })
  const closes = async () => {
    await page.keyboard.press('Escape')
    await expect(view).toHaveCount(0)
    await expect(editor).toBeFocused()
    await expect(editor.locator('.ProseMirror-selectednode img')).toHaveAttribute('alt', 'A cat')
  }
  await picture(ana).first().click()
  await page.getByRole('button', { name: 'Full screen' }).click()
  await expect(view.getByRole('img', { name: 'A cat' })).toBeVisible()
  await expect(view.getByText('The cat. A cat')).toBeVisible()
  await expect(view.getByRole('link', { name: 'example.org/cats' })).toHaveAttribute('href', 'https://example.org/cats')
  expect(await findings(page, 'an image on the whole screen', '[role=dialog]')).toEqual([])
  await closes()

  await page.keyboard.press('ControlOrMeta+Alt+f')
  await page.getByRole('textbox', { name: 'Find' }).fill('cat')
  await expect(page.getByText('2 of 3')).toBeVisible()
  await expect(editor.locator('figure.find-active figcaption')).toHaveText('The cat. A cat')
  await page.getByRole('textbox', { name: 'Replace with' }).fill('hat')
  await page.getByRole('button', { name: 'Replace', exact: true }).click()
  await expect(editor.locator('figcaption').first()).toHaveText('The hat. A cat')
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await expect(editor.locator('figcaption').first()).toHaveText('The hat. A hat')
  await expect.poll(() => exported(ana, path)).toMatch(/^A hat\n\n\[!\[A cat\]\(\/icon.svg "The hat. A hat"\)\]/)

  // Who reads has no handles and no buttons that change it.
  await page.keyboard.press('Escape')
  await editor.focus()
  await page.keyboard.press('ControlOrMeta+Alt+Shift+c')
  await expect(editor).toHaveAttribute('aria-readonly', 'true')
  await picture(ana).first().click()
  await expect(view).toBeVisible()
  await closes()
  await expect(page.getByRole('button', { name: 'Comment', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit image' })).toHaveCount(0)
  await expect(captionField(ana)).toHaveCount(0)
  await expect(editor.locator('.image-handle').first()).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(view).toBeVisible()
  await closes()
  expect(await exported(ana, path)).toContain('The hat. A hat')
})

test('[IMG-14] a caption is edited below its image, by mouse and keyboard, live for everyone, and undone by itself', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  const path = await openNew(ana, 'Before\n\n![A cat](/icon.svg)\n\nAfter')
  await ben.page.goto(path)
  await isOpen(ben)
  const words = ({ editor }: Person) => editor.locator('figcaption')
  const { page, editor } = ana
  const { keyboard } = page
  const selected = editor.locator('.image-view.ProseMirror-selectednode')
  const undo = async () => keyboard.press('ControlOrMeta+z')

  // An image without one gets it by its button. The others read along; the bubble doesn't cover it.
  await picture(ana).click()
  await page.getByRole('button', { name: 'Caption' }).click()
  await expect(captionField(ana)).toBeFocused()
  await expect(page.locator('[data-bubble]')).toHaveCount(0)
  await keyboard.insertText('Our cat\nat home ')
  await expect(words(ben)).toHaveText('Our cat at home')
  expect(await findings(page, 'a caption while it is edited', '.image-view')).toEqual([])
  await keyboard.press('Enter')
  await expect(editor).toBeFocused()
  await expect(selected).toBeVisible()
  await expect.poll(() => exported(ana, path)).toContain('![A cat](/icon.svg "Our cat at home")')

  // A click into the words begins to edit them where it was; the caret stays when others write into it.
  await words(ben).click({ position: { x: 1, y: 8 } })
  await expect(captionField(ben)).toBeFocused()
  await ben.page.keyboard.type('See: ')
  await expect(words(ana)).toHaveText('See: Our cat at home')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await expect(captionField(ana)).toBeFocused()
  await keyboard.press('End')
  await keyboard.type('!')
  await expect(words(ben)).toHaveText('See: Our cat at home!')
  await ben.page.keyboard.type('all: ')
  await expect(words(ana)).toHaveText('See: all: Our cat at home!')

  // Undo in the caption and in the text is the document's; a caption that is emptied is none.
  await keyboard.press('Escape')
  await expect(editor).toBeFocused()
  await words(ana).click()
  await keyboard.press('ControlOrMeta+a')
  await keyboard.press('Delete')
  await expect(words(ben)).toHaveText('')
  await undo()
  await expect(words(ben)).toHaveText('See: all: Our cat at home!')
  await expect(captionField(ana)).toBeFocused()
  await keyboard.press('ControlOrMeta+a')
  await keyboard.press('Delete')
  await keyboard.press('Escape')
  await expect.poll(() => exported(ana, path)).toContain('![A cat](/icon.svg)\n')
  await expect(words(ana)).toHaveCSS('opacity', '0')
  await undo()
  await expect(words(ben)).toHaveText('See: all: Our cat at home!')

  // While suggesting all that is typed is one suggested change.
  await keyboard.press('ControlOrMeta+Alt+Shift+x')
  await words(ana).click()
  await keyboard.press('End')
  await keyboard.type(' Yes.')
  await keyboard.press('Enter')
  await expect(words(ben)).toHaveText('See: all: Our cat at home! Yes.')
  await expect(ben.page.getByText('1 suggestion')).toBeVisible()

  // Deleted meanwhile it leaves the focus in the text.
  await words(ana).click()
  await picture(ben).click()
  await ben.page.keyboard.press('Delete')
  await expect(picture(ana)).toHaveCount(0)
  await expect(editor).toBeFocused()
})
