import { expect } from '@playwright/test'
import { dropFiles, textFile } from './files.ts'
import { enter, isOpen } from './people.ts'
import { test } from './test.ts'

test('[DOC-9] [DOC-10] a new document is listed once something is written in it, under its first words', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { path: '/' })
  const { page } = ana
  const complaints: string[] = []
  page.on('console', (message) => message.text().includes('[yjs]') && complaints.push(message.text()))
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
  await list.getByRole('link', { name: words, exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('')
  await expect(page).toHaveTitle(`${words} – Copydesk`)
  expect(complaints).toEqual([])
})

test('[DOC-11] Markdown files become documents, and of other files the list says why they don’t; ? opens the shortcuts there too', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { path: '/' })
  const { page } = ana
  await expect(page.getByRole('button', { name: 'New document' })).toBeVisible()
  // The keys are taken once the page is idle.
  await expect(async () => {
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.keyboard.press('Escape')
  const main = page.getByRole('main')
  const notes = textFile('notes.md', '# Notes of May\n\nText')
  await dropFiles(main, [
    notes,
    textFile('more.md', '---\ntitle: More of May\n---\n\nText'),
    textFile('photo.md', Buffer.from([0x89, 0x50, 0x4e, 0x47])),
    { name: 'cat.png', type: 'image/png', base64: '' },
  ])
  await expect(page.getByText('“cat.png” can’t be imported. Documents can be made of Markdown')).toBeVisible()
  await expect(page.getByText('“photo.md” is not a text.')).toBeVisible()
  await expect(page.getByText('Imported 2 documents.')).toBeVisible()
  for (const name of ['Notes of May', 'More of May'])
    await expect(main.getByRole('link', { name, exact: true }).first()).toBeVisible()
  await page.getByLabel('Files to import').setInputFiles({
    name: 'plan.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Plan of May\n\n- one'),
  })
  await isOpen(ana)
  await expect(ana.editor.getByRole('listitem')).toHaveText('one')
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Plan of May')
})
