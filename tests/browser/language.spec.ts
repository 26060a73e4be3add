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
    await page.getByRole('button', { name: 'Sprache: Deutsch' }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await page.getByLabel('Your name').fill('Ana')
    await page.getByRole('button', { name: 'Language: English' }).click()
    await page.getByRole('menuitem', { name: 'Deutsch' }).click()
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
    await expect(page.getByRole('combobox', { name: 'Sprache der Oberfläche' })).toBeVisible()
    expect(await englishTexts(page)).toEqual([])
    await page.getByRole('link', { name: 'Passwort und Sitzungen' }).click()
    await expect(page.getByText(/^gerade eben|Dieser Browser/).first()).toBeVisible()
    await expect(page.getByText('Chrome unter Linux')).toBeVisible()
    expect([...(await englishTexts(page)), ...(await findings(page, 'the account in German'))]).toEqual([])
    await page.getByRole('link', { name: 'Alle Dokumente' }).click()
    await page.getByRole('button', { name: 'Ana: Konto' }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible()
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.goto('/account')
    await page.getByRole('combobox', { name: 'Language of the interface' }).click()
    await page.getByRole('option', { name: 'Deutsch' }).click()
    await expect(page.getByRole('heading', { name: 'Ihr Konto' })).toBeVisible()
  } finally {
    await server.dispose()
  }
})

test('[LANG-2] [LANG-5] [LANG-6] [LANG-8] the list, a document, its menus, its chat, its palette and its history are German, and someone without an account can choose English', async ({
  browser,
}) => {
  // A server of its own: the list has no English documents of other tests.
  const server = await startCopydesk()
  try {
    const context = await browser.newContext({ locale: 'de-DE', baseURL: server.url })
    const page = await context.newPage()
    // What earlier versions kept.
    await page.goto('/theme.js')
    await page.evaluate(() => localStorage.setItem('copydesk.theme', 'dark'))
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.getByLabel('Ihr Name').fill('Ana')
    await page.getByRole('button', { name: 'Weiter' }).click()
    await expect(page.getByRole('button', { name: 'Neues Dokument' }).first()).toBeVisible()
    const english: string[] = []
    const look = async () => void english.push(...(await englishTexts(page)))
    await look()

    const markdown = '# Plan\n\nErste Zeile\n\n| Eins | Zwei |\n| --- | --- |\n| a | b |\n'
    const response = await context.request.post('/api/documents', { data: { title: 'Plan', markdown } })
    const { id } = (await response.json()) as { id: string }
    await page.goto(`/d/${id}`)
    const editor = page.getByRole('textbox', { name: 'Dokument', exact: true })
    await page.getByRole('button', { name: 'Seitenbereich schließen' }).click()
    await editor.getByText('Erste Zeile').click()
    await expect(page.getByRole('button', { name: 'Blocktyp' })).toHaveText('Text')
    await page.getByRole('button', { name: 'Dokumentmenü' }).click()
    await expect(page.getByRole('menuitem', { name: 'Suchen …' })).toContainText('Strg+F')
    await look()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Weitere Formatierung' }).click()
    await expect(page.getByRole('menuitem', { name: 'Formel im Text' })).toBeVisible()
    await look()
    await page.keyboard.press('Escape')

    await editor.getByText('Erste Zeile').click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/üb')
    await expect(page.getByRole('option', { name: 'Überschrift 1', selected: true })).toContainText('Strg+Alt+1')
    await look()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Blocktyp' })).toHaveText('Überschrift 1')

    const text = 'replace "Erste Zeile" with "Zweite Zeile"'
    await context.request.post(`/api/documents/${id}/messages`, { data: { text, mode: 'ask' } })
    await page.getByRole('button', { name: 'Chat und Kommentare anzeigen' }).click()
    const chat = page.getByRole('list', { name: 'Unterhaltung' })
    await chat.getByRole('button', { name: 'Zustimmen' }).click()
    await chat.locator('summary').filter({ hasText: '2 Schritte · 1 Änderung' }).click()
    await expect(chat.locator('.ap-step-title').first()).toHaveText('1 Treffer für „Erste Zeile“, erledigt')
    await look()
    await page.getByRole('button', { name: 'Seitenbereich schließen' }).click()

    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox', { name: 'Suche und Befehle' })).toBeFocused()
    await page.keyboard.type('verlauf')
    await expect(page.getByRole('option', { selected: true })).toContainText('Versionsverlauf')
    await look()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: /^Jetzt/ })).toBeVisible()
    await look()
    await page.getByRole('button', { name: 'Zurück zum Dokument' }).click()

    await page.keyboard.press('ControlOrMeta+/')
    await expect(page.getByRole('dialog', { name: 'Tastenkürzel' }).getByText('Umschalt').first()).toBeVisible()
    await look()
    expect([...english, ...(await findings(page, 'the shortcuts in German', '[role="dialog"]'))]).toEqual([])

    await page.goto('/')
    await page.getByRole('button', { name: 'Ana: Ihr Name und Ihre Farbe' }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible()
  } finally {
    await server.dispose()
  }
})

test('[LANG-2] the menus and dialogs of the list and of a document are German', async ({ browser }) => {
  const server = await startCopydesk()
  try {
    const context = await browser.newContext({ locale: 'de-DE', baseURL: server.url })
    await context.request.post('/api/session', { data: { name: 'Ana' } })
    const markdown =
      '# Plan\n\nErste Zeile mit [Link](https://example.org)\n\n| Eins | Zwei |\n| --- | --- |\n| a | b |\n'
    const response = await context.request.post('/api/documents', { data: { title: 'Plan', markdown } })
    const { id } = (await response.json()) as { id: string }
    await context.request.post('/api/folders', { data: { name: 'Ablage' } })
    const page = await context.newPage()
    page.setDefaultTimeout(5000)
    const english: string[] = []
    let opened = 0
    /** Opens each menu of the page, and each dialog that the menus' items open, and reads their texts. */
    const openMenus = async (names: readonly RegExp[]) => {
      for (const name of names) {
        const button = page.getByRole('button', { name }).first()
        await button.click()
        const items = page.locator('[role^=menuitem], [role=option]')
        await expect(items.first()).toBeVisible({ timeout: 5000 })
        english.push(...(await englishTexts(page)))
        const dialogs = (await items.allTextContents()).filter(
          (text) => / …/.test(text) && !/rucken|importieren/.test(text),
        )
        await page.keyboard.press('Escape')
        for (const text of dialogs) {
          await button.click()
          await items.filter({ hasText: text }).click()
          await expect(page.locator('[role$=dialog], [role=search]').first(), text).toBeVisible({ timeout: 5000 })
          english.push(...(await englishTexts(page)))
          opened++
          await page.keyboard.press('Escape')
          await page.keyboard.press('Escape')
        }
      }
    }

    await page.goto('/')
    await expect(page.getByText('Erste Zeile')).toBeVisible()
    await openMenus([/^Inhaber: /, /^Reihenfolge/, /^Aktionen für Plan/, /^Aktionen für Ablage/])
    await page.getByRole('button', { name: /^Aktionen für Plan/ }).click()
    await page.getByRole('menuitem', { name: 'Kopie erstellen' }).click()
    await expect(page.getByText('„Kopie von Plan“ erstellt.')).toBeVisible()

    await page.goto(`/d/${id}`)
    await page.getByRole('textbox', { name: 'Dokument', exact: true }).getByText('Erste Zeile').click()
    await page.getByRole('button', { name: 'Seitenbereich schließen' }).click()
    await openMenus([/^Dokumentmenü/, /^Blocktyp/, /^Modus: /, /^Weitere Formatierung/])
    expect(opened).toBeGreaterThan(7)
    expect(english).toEqual([])
  } finally {
    await server.dispose()
  }
})
