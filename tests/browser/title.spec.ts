import { expect } from '@playwright/test'
import { enter, enterByForm, isOpen, openNew } from './people.ts'
import { test } from './test.ts'

test('[TITLE-1] the title is the first line of the page: keys go from it into the text and back, and it collapses into the header', async ({
  browser,
}) => {
  const ana = await enterByForm(browser, 'Ana')
  const { page, editor } = ana
  await page.getByRole('button', { name: 'New document' }).first().click()
  const title = page.getByRole('textbox', { name: 'Title' })
  await expect(title).toBeFocused()
  const inHeader = page.getByRole('banner').getByRole('button', { name: 'Plan of May' })
  await page.keyboard.type('Plan of')
  await page.keyboard.press('Enter')
  await expect(editor).toBeFocused()
  await page.keyboard.type('First line')
  await page.keyboard.press('ArrowUp')
  await expect(title).toBeFocused()
  await page.keyboard.type(' May')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('The ')
  await expect(editor).toHaveText('The First line')
  await expect(page).toHaveTitle('Plan of May – Copydesk')
  const sizes = await page.evaluate(() =>
    ['.title-line textarea', '.document-text p'].map((each) => {
      const element = document.querySelector(each)
      const { fontSize, paddingInlineStart } = element
        ? getComputedStyle(element)
        : { fontSize: '', paddingInlineStart: '' }
      return {
        size: Number.parseFloat(fontSize),
        start: (element?.getBoundingClientRect().left ?? 0) + Number.parseFloat(paddingInlineStart),
      }
    }),
  )
  expect(sizes[0]?.size).toBeGreaterThan((sizes[1]?.size ?? 0) * 1.8)
  expect(sizes[0]?.start).toBe(sizes[1]?.start)

  await expect(inHeader).toBeHidden()
  await editor.press('ControlOrMeta+End')
  for (let line = 0; line < 40; line += 1) await page.keyboard.press('Enter')
  await expect(inHeader).toBeVisible()
  await expect(title).not.toBeInViewport()
  await inHeader.click()
  await expect(title).toBeFocused()
  await expect(title).toBeInViewport()
  await expect(inHeader).toBeHidden()
})

test('[TITLE-2, TITLE-3, TITLE-4] a heading that repeats the title is the title, for everybody; renamed elsewhere it is no longer', async ({
  browser,
}) => {
  const [ana, ben] = [await enter(browser, 'Ana'), await enter(browser, 'Ben')]
  const path = await openNew(ana, '# Shared\n\nText')
  await ben.page.goto(path)
  await isOpen(ben)
  for (const { page, editor } of [ana, ben]) {
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveCount(0)
    await expect(editor.getByRole('heading', { name: 'Shared' })).toHaveCSS('font-size', '34px')
  }
  await ana.editor.getByText('Shared').click()
  await ana.page.keyboard.press('End')
  await ana.page.keyboard.type(' by us')
  for (const { page, editor } of [ana, ben]) {
    await expect(page).toHaveTitle('Shared by us – Copydesk')
    await expect(editor.getByRole('heading', { name: 'Shared by us' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveCount(0)
  }
  const renamed = await ana.page.request.patch(`/api${path.replace('/d/', '/documents/')}`, {
    data: { title: 'Report' },
  })
  expect(renamed.ok()).toBe(true)
  for (const { page, editor } of [ana, ben]) {
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Report')
    await expect(editor.getByRole('heading', { name: 'Shared by us' })).toBeVisible()
  }
})
