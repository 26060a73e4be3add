import { expect } from '@playwright/test'
import { enter, isOpen } from './people.ts'
import { test } from './test.ts'

test('[DOC-9] [DOC-10] a new document is listed once something is written in it, under its first words', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { path: '/' })
  const { page } = ana
  const list = page.getByRole('main').getByRole('listitem')
  const create = async (): Promise<string> => {
    await page.getByRole('button', { name: 'New document' }).click()
    await isOpen(ana)
    return new URL(page.url()).pathname
  }
  const back = () => page.getByRole('link', { name: 'All documents' }).click()
  const abandoned = await create()
  await back()
  await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible()
  const written = await create()
  const words = `Minutes of ${written.slice(-8)}`
  await ana.editor.click()
  await page.keyboard.type(`${words}\nand more`)
  await expect(ana.saved).toHaveText(/^Saved/)
  await back()
  await expect(async () => {
    await page.reload()
    await expect(list.getByRole('link', { name: words, exact: true })).toHaveAttribute('href', written, {
      timeout: 1000,
    })
  }).toPass()
  await expect(page.locator(`a[href="${abandoned}"]`)).toHaveCount(0)
})
