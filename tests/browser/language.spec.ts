import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { join } from 'node:path'
import { webFolder } from '../../scripts/lib/paths.ts'
import { startCopydesk } from '../support/copydesk.ts'
import { findings } from './findings.ts'
import { test } from './test.ts'

const german = JSON.parse(readFileSync(join(webFolder, 'src/i18n/de.json'), 'utf8')) as Record<string, string>

/** The texts of the page that are English, although there is a German one. */
async function englishTexts(page: Page): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const isWritten = (element: Element | null) => element?.closest('.document-text, [lang=en], script, style') != null
    const texts: string[] = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      if (!isWritten(walker.currentNode.parentElement)) texts.push(walker.currentNode.nodeValue?.trim() ?? '')
    }
    for (const element of document.querySelectorAll('body *')) {
      const names = ['aria-label', 'title', 'placeholder', 'alt', 'data-tooltip']
      if (!isWritten(element)) texts.push(...names.map((name) => element.getAttribute(name) ?? ''))
    }
    return texts
  })
  const english = new Set(Object.keys(german).map((key) => key.replace(/\|.*/, '')))
  const alike = new Set(Object.values(german))
  return shown.filter((text) => english.has(text) && !alike.has(text))
}

test('[LANG-1] [LANG-5] the interface speaks the browser’s language, and another one can be chosen at the sign-in and in the account', async ({
  browser,
}) => {
  const server = await startCopydesk({ AUTH: 'accounts' })
  try {
    const context = await browser.newContext({ baseURL: server.url, locale: 'de-DE' })
    const page = await context.newPage()
    const link = () => /first account at (\S+)/.exec(server.output())?.[1] ?? ''
    await expect.poll(link).not.toBe('')
    await page.goto(link())
    await expect(page.getByRole('heading', { name: 'Copydesk einrichten' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English')
    await page.getByLabel('Your name').fill('Ana')
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
    await page.getByLabel('Ihr Name').fill('Ana')
    await page.getByLabel('E-Mail-Adresse').fill('ana')
    await page.getByLabel('Passwort', { exact: true }).fill('copper lantern walnut')
    await page.getByRole('button', { name: 'Konto erstellen' }).click()
    await expect(page.getByRole('alert')).toHaveText('Das ist keine E-Mail-Adresse.')
    expect(await englishTexts(page)).toEqual([])
    await page.getByLabel('E-Mail-Adresse').fill('ana@example.org')
    await page.getByRole('button', { name: 'Konto erstellen' }).click()

    await page.getByRole('button', { name: 'Ana: Konto' }).click()
    await page.getByRole('menuitem', { name: 'Ihr Konto' }).click()
    await expect(page.getByText(/^gerade eben|Dieser Browser/).first()).toBeVisible()
    expect([...(await englishTexts(page)), ...(await findings(page, 'the account in German'))]).toEqual([])
    await page.getByRole('link', { name: 'Alle Dokumente' }).click()
    await page.getByRole('button', { name: 'Ana: Konto' }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible()
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.goto('/account')
    await page.getByRole('combobox', { name: 'Language of the interface' }).selectOption('Deutsch')
    await expect(page.getByRole('heading', { name: 'Ihr Konto' })).toBeVisible()
  } finally {
    await server.dispose()
  }
})
